import type { Column } from '../../../../nodes/Wherobots/service/sql/columns';
import {
	isVersion,
	selectStatement,
	type Version,
} from '../../../../nodes/Wherobots/service/sql/tableWriter';

const column = (name: string, sqlType: string): Column => ({
	...{ name, type: sqlType.toLowerCase(), sqlType },
	isRequired: false,
});

const statement = (versions?: Version[], columns: Column[] = []) =>
	selectStatement({
		...{ table: '`a`.`b`.`c`', versions, columns, asText: true },
		...{ conditions: [], isAny: false, sort: [] },
	});

describe('rows at a tag or snapshot', () => {
	it.each([
		['2026-11-18.0', "VERSION AS OF '2026-11-18.0'"],
		['3051729675574597004', 'VERSION AS OF 3051729675574597004'],
		['20 digits: 30517296755745970040', "VERSION AS OF '20 digits: 30517296755745970040'"],
	])('%s are read where it stands for itself', (at, words) => {
		expect(isVersion(at)).toBe(true);
		expect(statement([{ at }])).toBe(`SELECT * FROM \`a\`.\`b\`.\`c\` ${words}`);
	});

	// Spark takes no expression there, so a text in bytes cannot stand for one of these.
	it.each(["it's", 'a\\b', '${a}', '\ud800'])('%j are not read', (at) => {
		expect(isVersion(at)).toBe(false);
		expect(() => statement([{ at }])).toThrow(RangeError);
	});

	it.each(['x', '1 OR 1=1', '1)', '', '12345678901234567890'])(
		'no snapshot has the ID %j',
		(id) => {
			expect(() => statement([{ at: '1', added: [id] }])).toThrow(/which is not a number/);
		},
	);

	it('are those that a snapshot appended, of each version', () => {
		const both = statement([{ at: '1', added: ['1'] }, { at: '2' }]);
		expect(both).toMatch(/VERSION AS OF 1 WHERE _file IN .* UNION ALL .* AS OF 2 WHERE FALSE/);
	});
});

it('bytes become text where a file holds only text', () => {
	const columns = [column('id', 'INT'), column('raw', 'BINARY')];
	expect(statement(undefined, columns)).toMatch(/^SELECT `id`, base64\(`raw`\) AS `raw` FROM/);
});

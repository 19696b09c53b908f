/** Statements that create tables: whatever people write, it stays a name, a type or a partition. */
import fc from 'fast-check';

import { detectColumns } from '../../../../nodes/Wherobots/actions/tables/cells';
import { tokenize } from '../../../../nodes/Wherobots/service/sql/statements';
import {
	buildCreate,
	isType,
	parsePartitions,
	toTypeText,
} from '../../../../nodes/Wherobots/service/tables/names';
import { createdTable } from '../../../sandbox/sql/createdTable';
import { forAll, USUALLY } from '../../../support/forAll';

const name = fc
	.oneof(
		fc.string({ unit: 'binary', minLength: 1 }),
		fc.constantFrom('a', 'select', '__proto__', 'a.b', 'x`', '`', "'", '--', ') USING csv --'),
	)
	.filter((each) => each.isWellFormed() && !each.includes('${'));

const piece = fc.constantFrom(
	...'int array < > ( ) , : `a` 10 struct \' " ; -- /* */ ${a} COMMENT a ` ='.split(' '),
	...[' ', 'NOT NULL', '\n', ') USING csv'],
);

const leaf = fc.constantFrom('int', 'BIGINT', 'decimal(10, 2)', 'geometry(4326)', 'varchar(5)');

const { type } = fc.letrec<{ type: string }>((tie) => ({
	type: fc.oneof(
		{ maxDepth: 3 },
		leaf,
		tie('type').map((of) => `array<${of}>`),
		fc.tuple(leaf, tie('type')).map(([key, of]) => `map< ${key} , ${of}>`),
		fc
			.array(
				fc.tuple(
					fc.constantFrom('a', '`b c`', '`x``y`'),
					fc.constantFrom(':', ': ', ' '),
					tie('type'),
				),
				{ minLength: 1, maxLength: 3 },
			)
			.map((members) => `struct<${members.map((each) => each.join('')).join(', ')}>`),
	),
}));

describe('a type', () => {
	it('is taken as it is written', async () =>
		await forAll([type], USUALLY, (text) => isType(text)));

	it('never ends its column, whatever its text', async () =>
		await forAll(
			[fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))],
			USUALLY,
			(text) => {
				fc.pre(isType(text));
				const columns = ['a', 'b'].map((each) => ({ name: each, type: text, isRequired: false }));
				const statement = buildCreate('`t`', columns, []);
				const open: string[] = [];
				let [ends, commas] = [0, 0];
				for (const { text: token } of tokenize(statement)) {
					if (token === '(' || token === '<') open.push(token);
					if (token === ',' && open.length === 1) commas++;
					if (token === ')' || token === '>') expect(open.pop()).toBe(token === ')' ? '(' : '<');
					if (token === ')' && open.length === 0) ends++;
				}
				expect([ends, commas, open]).toEqual([1, 1, []]);
			},
		));
});

describe('a statement', () => {
	it('creates columns with exactly these names', async () =>
		await forAll([fc.uniqueArray(name, { minLength: 1, maxLength: 5 })], USUALLY, (names) => {
			const columns = names.map((each) => ({ name: each, type: 'INT', isRequired: false }));
			const partitions = names.map((each) => `\`${each.replaceAll('`', '``')}\``);
			const text = buildCreate('`c`.`n`.`t`', columns, partitions);
			expect(createdTable(text)?.fields).toEqual(
				names.map((each) => ({ name: each, type: 'int' })),
			);
		}));

	it('has partitions by columns only', async () => {
		const text = fc.array(fc.oneof(piece, fc.constantFrom('days(', 'bucket(4,', 'b')), {
			maxLength: 6,
		});
		await forAll([text], USUALLY, (pieces) => {
			const partitions = parsePartitions(pieces.join(''), ['a', 'b']);
			for (const each of typeof partitions === 'string' ? [] : partitions) {
				expect(each).toMatch(/^((bucket|truncate)\(\d+, |(years|months|days|hours)\()?`[ab]`\)?$/);
			}
		});
	});
});

describe('inferred columns', () => {
	it('have types, whatever the items are', async () =>
		await forAll(
			[fc.array(fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })))],
			USUALLY,
			(items) => {
				const { columns } = detectColumns(items as never, 'UTC', 4326);
				const names = new Set(items.flatMap(Object.keys));
				expect(new Set(columns.map((each) => each.name))).toEqual(names);
				for (const column of columns) {
					// Spark replaces what is in ${…}, in names, too.
					const hasVariable = JSON.stringify(column).includes('${');
					const isEmpty = JSON.stringify(column).includes('"name":""');
					if (!hasVariable && !isEmpty) expect(isType(toTypeText(column))).toBe(true);
				}
			},
		));
});

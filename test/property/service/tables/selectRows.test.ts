/** Statements that are written from forms: whatever the names and values are, they stay names and values. */
import fc from 'fast-check';

import type { Column } from '../../../../nodes/Wherobots/service/sql/columns';
import { examine, tokenize } from '../../../../nodes/Wherobots/service/sql/statements';
import {
	OPERATORS,
	type Operator,
	selectStatement,
	type RowsWanted,
	type Version,
} from '../../../../nodes/Wherobots/service/tables/selectRows';
import {
	toRowText,
	toValues,
	buildInsert,
	buildMerge,
	type Merge,
} from '../../../../nodes/Wherobots/service/tables/writeRows';
import { toTableName } from '../../../../nodes/Wherobots/service/tables/names';
import { forAll, USUALLY } from '../../../support/forAll';

const odd = [...'\'"`\\;\n', '--', '/*', '*/', ':a', ') OR (1=1', "' OR 1=1 --", '${a}'];

const text = fc.oneof(
	fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
	fc.array(fc.constantFrom(...odd, 'a', ' '), { maxLength: 6 }).map((parts) => parts.join('')),
);

const name = text.filter((value) => value !== '' && !value.includes('${'));

const operator = fc.constantFrom(
	...(Object.keys(OPERATORS) as Operator[]),
	'isEmpty' as const,
	'isNotEmpty' as const,
);

/** The kinds of a statement's tokens; a text in bytes counts as a text. */
function shapeOf(statement: string): string[] {
	const plain = statement.replace(/CAST\(X'[0-9A-F]*' AS STRING\)/g, "'a'");
	return [...tokenize(plain)].map(({ kind, text: token }) =>
		kind === 'name' || kind === 'text' ? kind : `${kind} ${token}`,
	);
}

const textColumn = (name: string): Column => ({
	...{ name, type: 'string', sqlType: 'STRING', isRequired: false },
});

/** Statements that write a row to a table of its first column's name. */
const WRITING: Record<string, (names: string[], values: Array<string | null>) => string> = {
	inserts: (names, values) =>
		buildInsert(
			toTableName('a', 'b', names[0]),
			names.map(textColumn),
			toValues([toRowText(values)], values.length),
		),
	merges: (names, values) => {
		const source = toValues([toRowText([...values, '0', '11'])], 4);
		const updated = [{ at: 1, isPartial: true }];
		const how: Merge = { keys: [0], updated, ifMissing: 'fail' };
		return buildMerge(toTableName('a', 'b', names[0]), names.map(textColumn), source, how);
	},
};

const statementOf = (
	named: (at: number) => string,
	value: string,
	choice: Operator,
	versions?: Version[],
) => {
	const column = (at: number) => textColumn(named(at));
	const wanted: RowsWanted = {
		table: toTableName(named(0).replaceAll('.', '_'), named(1).replaceAll('.', '_'), named(2)),
		versions,
		columns: [column(3), { ...column(4), type: 'geometry', sqlType: undefined }],
		asText: true,
		conditions: [{ column: column(5), operator: choice, text: value }],
		isAny: false,
		spatial: { column: column(6), shape: value },
		sort: [{ column: column(7), isDescending: true }],
		limit: 10,
	};
	return selectStatement(wanted);
};

describe('a statement', () => {
	it('has the same form for any names and values, and only reads', async () =>
		await forAll(
			[fc.array(name, { minLength: 8, maxLength: 8 }), text, operator],
			USUALLY,
			(names, value, choice) => {
				const statement = statementOf((at) => names[at], value, choice);
				const plain = statementOf((at) => `n${at}`, 'a', choice);
				expect(shapeOf(statement)).toEqual(shapeOf(plain));
				expect(examine(statement)).toMatchObject({ onlyReads: true });
			},
		));

	it.each(Object.entries(WRITING))(
		'that %s rows has the same form for any names and values, too',
		async (_, write) => {
			const names = fc.array(name, { minLength: 2, maxLength: 2 });
			const values = fc.array(fc.option(text), { minLength: 2, maxLength: 2 });
			await forAll([names, values], USUALLY, (anyNames, anyValues) => {
				const plain = anyValues.map((value) => (value === null ? null : 'a'));
				expect(shapeOf(write(anyNames, anyValues))).toEqual(shapeOf(write(['n', 'm'], plain)));
			});
		},
	);

	it('contains a tag only as a text, or is not written', async () =>
		await forAll([text], USUALLY, (tag) => {
			let statement = '';
			try {
				statement = statementOf((at) => `n${at}`, 'a', 'equals', [{ at: tag }]);
			} catch (error) {
				expect(error).toBeInstanceOf(RangeError);
				return;
			}
			const kind = /^\d{1,19}$/.test(tag) ? '1' : "'a'";
			const plain = statementOf((at) => `n${at}`, 'a', 'equals', [{ at: 'TAG' }]);
			expect(shapeOf(statement.replace(/(?<=VERSION AS OF )\d+/, '1'))).toEqual(
				shapeOf(plain.replace("'TAG'", kind)),
			);
		}));

	it.each(['x', '1 OR 1=1', '1)', '', '12345678901234567890'])(
		'is not written for a snapshot with the ID %j',
		(id) => {
			const versions = [{ at: '1', added: [id] }];
			expect(() => statementOf((at) => `n${at}`, 'a', 'equals', versions)).toThrow(/not a number/);
		},
	);

	it.each(['${spark.master}', 'a${', ''])('is not written for the name %j', (each) => {
		expect(() => toTableName('a', 'b', each)).toThrow('cannot be used');
	});
});

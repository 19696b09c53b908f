/** Values of Insert Rows in columns of any type, in lists, maps and structures, on a real Spark. */
import fc from 'fast-check';

import { parseColumns } from '../../nodes/Wherobots/service/sql/columns';
import { toRowText, toValues, buildInsert } from '../../nodes/Wherobots/service/tables/writeRows';
import { toTableName } from '../../nodes/Wherobots/service/tables/names';
import { cellReader, isSame, sqlOf, textSql, types, valuesOf } from './nested';
import { describeWithSpark, suiteWithService } from './suite';

/** Types of ten columns each, and values for each. */
const [TABLES, COLUMNS, ROWS] = [4, 10, 50];

const reader = cellReader();

describeWithSpark('Values that are inserted', () => {
	const { run } = suiteWithService();

	it.each(Array.from({ length: TABLES }, (_, at) => at))(
		'arrive as they were given, or are refused with their place (%i)',
		async (seed) => {
			const chosen = fc.sample(types, { numRuns: COLUMNS, seed });
			const fields = chosen.map((type, at) => ({ name: `c${at}`, type }));
			const columns = parseColumns({ schema: { fields } as never });
			const given = chosen.map((type) => fc.sample(valuesOf(type), { numRuns: ROWS, seed }));
			const refused: string[] = [];
			const cells = given.map((values, at) =>
				values.map((value) => {
					try {
						return reader.read(columns[at], value);
					} catch (error) {
						refused.push((error as Error).message);
						return undefined;
					}
				}),
			);
			const table = toTableName('ice', 'fuzz', `t${seed}`);
			await run('CREATE NAMESPACE IF NOT EXISTS ice.fuzz');
			const declared = fields.map(({ name, type }) => `${name} ${sqlOf(type)}`);
			await run(`CREATE TABLE ${table} (id INT, ${declared.join(', ')}) USING iceberg`);
			const id = { name: 'id', type: 'int', sqlType: 'INT', isRequired: true };
			const rows = Array.from({ length: ROWS }, (_, row) =>
				toRowText([String(row), ...cells.map((column) => column[row] ?? null)]),
			);
			await run(buildInsert(table, [id, ...columns], toValues(rows, columns.length + 1)));
			const texts = fields.map(({ name, type }) => `${textSql(type, name)} AS ${name}`);
			const read = await run(`SELECT ${texts.join(', ')} FROM ${table} ORDER BY id`);
			const changed = fields.flatMap(({ name, type }, at) =>
				given[at].flatMap((value, row) => {
					if (cells[at][row] === undefined) return [];
					const text = read[row][name] as string | null;
					const isNone = value === '' && cells[at][row] === null;
					return isSame(type, isNone ? null : value, text) ? [] : [{ type, value, text }];
				}),
			);
			expect(changed).toEqual([]);
			for (const message of refused) expect(message).toMatch(/ (for|in) (a key of )?c\d/);
			expect(refused.length).toBeLessThan((COLUMNS * ROWS) / 2);
		},
	);
});

/** Rows that Insert Rows and Insert or Update Rows write, from a statement and from a file, on a real Spark. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { parseColumns, type Column } from '../../nodes/Wherobots/service/sql/columns';
import { toTableName } from '../../nodes/Wherobots/service/tables/names';
import {
	castCells,
	type Cells,
	toRowLine,
	toRowText,
	toStoredRows,
	toValues,
	type RowSource,
	buildInsert,
	buildMerge,
	MISSING_KEY,
	type Merge,
} from '../../nodes/Wherobots/service/tables/writeRows';
import { cellReader, isSame, sqlOf, textSql, types, valuesOf, type Type } from './nested';
import { describeWithSpark, suiteWithService } from './suite';

/** How many random tables are written in both ways, and how many of them one statement compares. */
const TABLES = Number(process.env.N8N_NODES_WHEROBOTS_TABLES ?? 10_000);
const IN_A_STATEMENT = 200;
/** Of these, the values are compared, too: a statement with many types takes seconds. */
const CAST_TABLES = 200;
const CAST_IN_A_STATEMENT = 20;
const [COLUMNS, ROWS] = [3, 6];

const columnsOf = (fields: Record<string, Type>): Column[] =>
	parseColumns({
		schema: { fields: Object.entries(fields).map(([name, type]) => ({ name, type })) } as never,
	});

const reader = cellReader();

/** The cells of values that the package takes; null for others. */
const cellOf = (column: Column, value: unknown): string | null => {
	try {
		return reader.read(column, value);
	} catch {
		return null;
	}
};

describeWithSpark('Rows that are written', () => {
	const { outcomeOf, run } = suiteWithService();
	let folder: string;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'rows-'));
	});

	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	const stored = async (rows: Cells[]): Promise<RowSource> => {
		const file = path.join(folder, `${Math.random()}.jsonl`);
		await writeFile(file, rows.map(toRowLine).join(''));
		return toStoredRows(file);
	};
	const given = (rows: Cells[]): RowSource => toValues(rows.map(toRowText), rows[0].length);

	/** A random table; the last cell of its rows is their number. */
	const tableOf = (chosen: Type[], at: number) => {
		const own = chosen.slice(at * COLUMNS, (at + 1) * COLUMNS);
		const columns = columnsOf(Object.fromEntries(own.map((type, of) => [`c${of}`, type])));
		const values = own.map((type) => fc.sample(valuesOf(type), { numRuns: ROWS, seed: at }));
		const rows = Array.from({ length: ROWS }, (_, row) => [
			...columns.map((column, of) => cellOf(column, values[of][row])),
			String(at * ROWS + row),
		]);
		return { own, columns, rows };
	};

	it(`have the same cells from a statement and from a file, in ${TABLES} random tables`, async () => {
		const chosen = fc.sample(types, { numRuns: TABLES * COLUMNS, seed: 1 });
		const names = Array.from({ length: COLUMNS + 1 }, (_, at) => `c${at}`);
		const read = ({ from, getCell }: RowSource) =>
			`(SELECT ${names.map((name, at) => `${getCell(at)} AS ${name}`).join(', ')} FROM ${from})`;
		const isEqual = names.map((name) => `a.${name} <=> b.${name}`).join(' AND ');
		for (let begin = 0; begin < TABLES; begin += IN_A_STATEMENT) {
			const tables = Array.from({ length: Math.min(IN_A_STATEMENT, TABLES - begin) }, (_, at) =>
				tableOf(chosen, begin + at),
			);
			const rows = tables.flatMap((table) => table.rows);
			const found = await run(
				`SELECT count(*) AS same FROM ${read(given(rows))} AS a JOIN ${read(await stored(rows))} AS b ON ${isEqual}`,
			);
			expect([begin, found]).toEqual([begin, [{ same: rows.length }]]);
		}
	}, 3_600_000);

	it(`have the same values from a statement and from a file, in ${CAST_TABLES} random tables`, async () => {
		const chosen = fc.sample(types, { numRuns: CAST_TABLES * COLUMNS, seed: 1 });
		let compared = 0;
		for (let begin = 0; begin < CAST_TABLES; begin += CAST_IN_A_STATEMENT) {
			const queries: string[] = [];
			for (let at = begin; at < begin + CAST_IN_A_STATEMENT; at++) {
				const { own, columns, rows } = tableOf(chosen, at);
				const texts = own.map((type, of) => textSql(type, `c${of}`)).join(', ');
				const all = [...columns, ...columnsOf({ row: 'string' })];
				for (const [way, source] of [given(rows), await stored(rows)].entries()) {
					const cells = castCells(all, source).map((each, of) => `${each} AS c${of}`);
					queries.push(
						`SELECT ${at} AS t, ${way} AS way, c${COLUMNS} AS row, to_json(array(${texts})) AS text FROM (SELECT ${cells.join(', ')} FROM ${source.from})`,
					);
				}
			}
			const found = await run(queries.join(' UNION ALL '));
			const texts = new Map(found.map(({ t, way, row, text }) => [`${t} ${way} ${row}`, text]));
			expect(texts.size).toBe(2 * CAST_IN_A_STATEMENT * ROWS);
			for (const [name, text] of texts) {
				expect([name, texts.get(name.replace(/ \d /, ' 1 '))]).toEqual([name, text]);
				if (text !== null) compared++;
			}
		}
		expect(compared).toBe(2 * CAST_TABLES * ROWS);
	}, 3_600_000);

	it('are inserted from a file by one statement, all or none', async () => {
		const columns = columnsOf({ id: 'long', name: 'string', uuid: 'uuid', geometry: 'geometry' });
		await run('CREATE NAMESPACE IF NOT EXISTS ice.w');
		await run('CREATE TABLE ice.w.many (id BIGINT, name STRING, uuid STRING) USING iceberg');
		const rows = Array.from({ length: 50_000 }, (_, id) => [`${id}`, `it's\n\u2028 ${id}`, null]);
		const table = toTableName('ice', 'w', 'many');
		await run(buildInsert(table, columns.slice(0, 3), await stored(rows)));
		const [all] = await run(`SELECT count(*) AS n, count(DISTINCT name) AS names FROM ${table}`);
		expect(all).toEqual({ n: 50_000, names: 50_000 });
		const snapshots = await run(`SELECT operation FROM ${table}.snapshots`);
		expect(snapshots).toEqual([{ operation: 'append' }]);
		const broken = path.join(folder, 'broken.jsonl');
		await writeFile(broken, rows.map(toRowLine).join('').slice(0, -9));
		const cut = await outcomeOf(buildInsert(table, columns.slice(0, 3), toStoredRows(broken)));
		expect(cut.error?.message).toContain('statement failed');
		expect(await run(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 50_000 }]);
		const none = await outcomeOf(buildInsert(table, columns.slice(0, 3), toStoredRows('/none')));
		expect(none.error?.context?.data).toMatchObject({
			cause: expect.stringContaining('PATH_NOT_FOUND') as string,
		});
	});

	it('may be as many in a statement as fit into 500 kB', async () => {
		const columns = columnsOf({ id: 'long', name: 'string', uuid: 'string' });
		const rows = Array.from({ length: 40_000 }, (_, id) => [`${id}`, null, null]);
		await run('CREATE TABLE ice.w.small (id BIGINT, name STRING, uuid STRING) USING iceberg');
		await run(buildInsert('ice.w.small', columns, given(rows)));
		expect(await run('SELECT count(*) AS n FROM ice.w.small')).toEqual([{ n: 40_000 }]);
	});

	describe('by their keys', () => {
		const KEYS: Record<string, [Type, string, string]> = {
			int: ['int', '7', '-8'],
			long: ['long', '9007199254740993', '9007199254740992'],
			boolean: ['boolean', 'true', 'false'],
			string: ['string', "it's `a` \n", ''],
			date: ['date', '1950-01-31', '9999-12-31'],
			timestamp: ['timestamp', '2026-01-31T09:00:00.000001', '2026-01-31T09:00:00'],
			timestamptz: ['timestamptz', '1950-01-31T09:00:00.000001Z', '2026-01-31T09:00:00Z'],
			decimal: ['decimal(38, 20)', '123456789012345678.00000000000000000001', '1.5'],
			binary: ['binary', 'AQI=', '////'],
			'fixed[2]': ['fixed[2]', 'AQI=', 'AAA='],
		};
		const NAMES = ['__proto__', 'select', 'a `b` c', 'Größe'];

		/** Makes a table of these columns, in SQL, with these rows. */
		const create = async (table: string, list: string, columns: Column[], ...rows: Cells[]) => {
			await run(`CREATE TABLE ${table} (${list}) USING iceberg`);
			if (rows.length > 0) await run(buildInsert(table, columns, given(rows)));
		};
		const merging = (
			columns: Column[],
			how: Merge,
			...rows: Array<[cells: Cells, isGiven: string]>
		) => ({
			cells: rows.map(([cells, isGiven], at): Cells => [...cells, String(at), isGiven]),
			build: (table: string, source: RowSource) => buildMerge(table, columns, source, how),
		});
		const namesIn = async (table: string) =>
			(await run(`SELECT name FROM ${table} ORDER BY id`)).map(({ name }) => name);
		const insertOr = (updated: number[], isPartial = false): Merge => ({
			...{ keys: [0], ifMissing: 'insert' },
			updated: updated.map((at) => ({ at, isPartial })),
		});

		it.each(Object.keys(KEYS))('of the type %s are updated and inserted, once', async (kind) => {
			const [type, one, other] = KEYS[kind];
			const [name, value] = [NAMES[Object.keys(KEYS).indexOf(kind) % NAMES.length], 'the `value`'];
			const columns = columnsOf(JSON.parse(JSON.stringify({ [value]: 'string' })) as never);
			columns.unshift({ ...columnsOf({ k: type })[0], name });
			const table = toTableName('ice', 'w', `key ${kind}`);
			const [keyName, valueName] = [name, value].map((each) => `\`${each.replaceAll('`', '``')}\``);
			await run('CREATE NAMESPACE IF NOT EXISTS ice.w');
			const list = `${keyName} ${sqlOf(type)}, ${valueName} STRING`;
			await create(table, list, columns, [one, 'before'], [null, 'no key']);
			const rows: Array<[Cells, string]> = [
				[[one, 'after'], '11'],
				[[other, 'new'], '11'],
			];
			const { cells, build } = merging(columns, insertOr([1]), ...rows);
			for (const source of [given(cells), await stored(cells), await stored(cells)]) {
				await run(build(table, source));
				const read = await run(`SELECT ${valueName} AS v FROM ${table} ORDER BY v`);
				expect(read.map(({ v }) => v)).toEqual(['after', 'new', 'no key']);
			}
			const text = textSql(type, keyName);
			const keys = await run(`SELECT ${text} AS k FROM ${table} WHERE ${valueName} = 'after'`);
			expect([keys[0].k, isSame(type, one, String(keys[0].k))]).toEqual([keys[0].k, true]);
		});

		it('keep what a row has no value for, and get NULL where that is the value', async () => {
			const columns = columnsOf({
				id: 'int',
				name: 'string',
				tags: { type: 'list', element: 'int' },
			});
			const list = 'id INT, name STRING, tags ARRAY<INT>';
			await create('ice.w.mask', list, columns, ['1', 'a', '["1"]'], ['2', 'b', '["2"]']);
			const { cells, build } = merging(
				columns,
				insertOr([1, 2], true),
				[['1', null, null], '110'],
				[['2', null, '["7"]'], '101'],
				[['3', null, null], '100'],
			);
			await run(build('ice.w.mask', given(cells)));
			expect(await run('SELECT * FROM ice.w.mask ORDER BY id')).toEqual([
				{ id: 1, name: null, tags: [1] },
				{ id: 2, name: 'b', tags: [7] },
				{ id: 3, name: null, tags: null },
			]);
		});

		it('are all left as they are when one has to be there and is not', async () => {
			const columns = columnsOf({ id: 'int', name: 'string' });
			const list = 'id INT NOT NULL, name STRING';
			await create('ice.w.fail', list, columns, ['1', 'a'], ['2', 'b']);
			const how: Merge = { ...insertOr([1]), ifMissing: 'fail' };
			const rows = (id: string) => merging(columns, how, [['1', 'x'], '11'], [[id, 'y'], '11']);
			for (const make of [given, stored]) {
				const { cells, build } = rows('9');
				const { error } = await outcomeOf(build('ice.w.fail', await make(cells)));
				expect(String(error?.context?.data && (error.context.data as IDataObject).cause)).toContain(
					`${MISSING_KEY}1`,
				);
			}
			expect(await namesIn('ice.w.fail')).toEqual(['a', 'b']);
			const { cells, build } = rows('2');
			await run(build('ice.w.fail', await stored(cells)));
			expect(await namesIn('ice.w.fail')).toEqual(['x', 'y']);
		});

		it('are inserted once by two statements at the same moment', async () => {
			const columns = columnsOf({ id: 'int', name: 'string' });
			await create('ice.w.race', 'id INT, name STRING', columns);
			const { cells, build } = merging(
				columns,
				insertOr([1]),
				[['1', 'x'], '11'],
				[['2', 'x'], '11'],
			);
			const source = given(cells);
			// Both have read the table before one of them commits.
			const slow = `(SELECT * FROM ${source.from.replace(' AS v(', ' AS w(')} WHERE (SELECT count(*) FROM range(300000000) WHERE id * id % 7 = 3) >= 0) AS v`;
			const text = build('ice.w.race', { ...source, from: slow });
			const outcomes = await Promise.all([outcomeOf(text), outcomeOf(text)]);
			expect(outcomes.map(({ error }) => error?.message)).toContain(undefined);
			expect(await run('SELECT id FROM ice.w.race ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
		});

		it('fail where two have one key, which the package refuses before', async () => {
			const columns = columnsOf({ id: 'int', name: 'string' });
			await create('ice.w.twice', 'id INT, name STRING', columns, ['1', 'a']);
			const { cells, build } = merging(
				columns,
				insertOr([1]),
				[['1', 'x'], '11'],
				[['1', 'y'], '11'],
			);
			const { error } = await outcomeOf(build('ice.w.twice', given(cells)));
			expect(error?.message).toContain('multiple rows of the source table');
			expect(await namesIn('ice.w.twice')).toEqual(['a']);
		});
	});
});

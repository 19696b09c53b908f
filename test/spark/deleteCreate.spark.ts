/** Statements that Delete Rows and Create write, carried out by a real Spark with Iceberg, which holds no geometry. */
import type { IDataObject } from 'n8n-workflow';

import { detectColumns } from '../../nodes/Wherobots/actions/tables/detectColumns';
import { parseColumns, type Column } from '../../nodes/Wherobots/service/sql/columns';
import { toFilterText, type Operator } from '../../nodes/Wherobots/service/tables/conditions';
import {
	buildCreate,
	isType,
	parsePartitions,
	toTypeText,
} from '../../nodes/Wherobots/service/tables/createTable';
import { findDeletion } from '../../nodes/Wherobots/service/tables/deletions';
import { toRowText, toValues } from '../../nodes/Wherobots/service/tables/rowSource';
import { buildInsert } from '../../nodes/Wherobots/service/tables/writeRows';
import { toTableName } from '../../nodes/Wherobots/service/tables/names';
import { cellReader } from './nested';
import { describeWithSpark, suiteWithService } from './suite';

const column = (name: string, sqlType: string): Column => ({
	...{ name, type: 'any', sqlType },
	isRequired: false,
});

describeWithSpark('Rows that are deleted, tables that are created', () => {
	const suite = suiteWithService();
	const run = async (query: string) => await suite.run(query, { readOnly: false });

	beforeAll(async () => void (await run('CREATE NAMESPACE IF NOT EXISTS ice.made')));

	/** The snapshots as the details of a table list them. */
	const detailsOf = async (table: string): Promise<IDataObject> => {
		const rows = await run(
			`SELECT CAST(snapshot_id AS STRING) AS id, CAST(parent_id AS STRING) AS parent, operation, to_json(summary) AS summary FROM ${table}.snapshots ORDER BY committed_at`,
		);
		const [main] = await run(
			`SELECT CAST(snapshot_id AS STRING) AS id FROM ${table}.refs WHERE name = 'main'`,
		);
		return {
			snapshots: rows.map(({ id, parent, operation, summary }) => ({
				...{ 'snapshot-id': id, 'parent-snapshot-id': parent },
				summary: { ...(JSON.parse(String(summary)) as object), operation },
			})),
			refs: { main: { 'snapshot-id': main.id } },
		};
	};

	const numberIn = async (from: string) =>
		Number((await run(`SELECT count(*) AS n FROM ${from}`))[0].n);

	/** Deletes, and returns how many rows there were to delete, are gone, and are said to be gone. */
	const deleted = async (table: string, where: string) => {
		const before = await detailsOf(table);
		const all = await numberIn(table);
		const matching = await numberIn(`${table} WHERE ${where}`);
		await run(`DELETE FROM ${table} WHERE ${where}`);
		const current = String((before.refs as { main: IDataObject }).main['snapshot-id']);
		const found = findDeletion(await detailsOf(table), current);
		expect(found?.previousSnapshotId).toBe(current);
		return { matching, gone: all - (await numberIn(table)), said: found?.rows, current };
	};

	it('are those that their condition finds, of every type and with missing values', async () => {
		const table = toTableName('ice', 'made', 'every type');
		const columns = {
			...{ id: 'BIGINT', name: 'STRING', size: 'DOUBLE', single: 'FLOAT', count: 'INT' },
			...{ day: 'DATE', seen: 'TIMESTAMP', local: 'TIMESTAMP_NTZ', price: 'DECIMAL(10, 2)' },
			...{ flag: 'BOOLEAN', bytes: 'BINARY', tags: 'ARRAY<STRING>' },
		};
		const all = Object.entries(columns).map(([name, sqlType]) => column(name, sqlType));
		await run(
			buildCreate(
				table,
				all.map(({ name, sqlType = '', isRequired }) => ({ name, type: sqlType, isRequired })),
				[],
			),
		);
		await run(`INSERT INTO ${table} SELECT /*+ COALESCE(1) */ * FROM VALUES
			(1L, "it's 50%", 2.5D, 2.5F, 3, DATE '2026-01-31', TIMESTAMP '2026-01-31T08:00:00Z', TIMESTAMP_NTZ '2026-01-31T09:00:00.5', CAST(1.50 AS DECIMAL(10, 2)), TRUE, X'0102', ARRAY('a')),
			(2L, '', 0D, CAST('NaN' AS FLOAT), 0, DATE '1950-01-31', TIMESTAMP '1950-01-31T08:00:00Z', TIMESTAMP_NTZ '1950-01-31T09:00:00', CAST(0 AS DECIMAL(10, 2)), FALSE, X'', ARRAY()),
			(3L, NULL, CAST('NaN' AS DOUBLE), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
			(4L, 'IT', -1e300D, 1F, -2147483648, DATE '9999-12-31', TIMESTAMP '2026-01-31T08:00:00.000001Z', TIMESTAMP_NTZ '0001-01-01T00:00:00', CAST(-99999999.99 AS DECIMAL(10, 2)), TRUE, X'FF', ARRAY(NULL))`);
		const cases: Array<[keyof typeof columns, Operator, string, number]> = [
			['id', 'equals', '9223372036854775807', 0],
			['id', 'notEquals', '1', 3],
			['name', 'startsWith', "it's", 1],
			['name', 'notEquals', '', 3],
			['name', 'isEmpty', '', 2],
			['name', 'isNotEmpty', '', 2],
			['size', 'greater', '2.4', 2],
			['single', 'notEquals', 'NaN', 3],
			['count', 'less', '0', 1],
			['day', 'greaterOrEqual', '2026-01-31', 2],
			['seen', 'notEquals', '2026-01-31T08:00:00Z', 3],
			['local', 'less', '1950-01-31T09:00:00', 1],
			['price', 'equals', '1.5', 1],
			['flag', 'notEquals', 'true', 2],
			['bytes', 'equals', 'AQI=', 1],
			['tags', 'isNotEmpty', '', 3],
		];
		for (const [name, operator, text, rows] of cases) {
			const conditions = [{ column: column(name, columns[name]), operator, text }];
			const where = toFilterText({ conditions, isAny: false }) ?? '';
			const { current, ...found } = await deleted(table, where);
			expect([where, found]).toEqual([where, { matching: rows, gone: rows, said: rows }]);
			// As the docs say it.
			await run(`CALL ice.system.rollback_to_snapshot('made.\`every type\`', ${current})`);
			expect(await numberIn(table)).toBe(4);
		}
	});

	it.each([
		['copy-on-write', 2],
		['merge-on-read', 2],
		['merge-on-read', 3],
	])('are counted in a table with %s in version %i, or not at all', async (mode, version) => {
		const table = toTableName('ice', 'made', `${mode} ${version}`);
		await run(
			`CREATE TABLE ${table} (id BIGINT, part INT) PARTITIONED BY (part) TBLPROPERTIES ('write.delete.mode' = '${mode}', 'format-version' = '${version}')`,
		);
		for (const part of [0, 1]) {
			await run(
				`INSERT INTO ${table} SELECT /*+ COALESCE(1) */ 10 * ${part} + id, ${part} FROM range(10)`,
			);
		}
		const steps: Array<[where: string, rows: number]> = [
			['id = 999', 0],
			['id % 100 = 99', 0],
			['id < 3', 3],
			['id = 3 OR id = 14', 2],
			['part = 0', 6],
			['id % 2 = 1', 5],
			['id >= 0', 4],
			['id >= 0', 0],
		];
		let [known, wrong] = [0, 0];
		for (const [where, rows] of steps) {
			const { matching, gone, said } = await deleted(table, where);
			expect([where, matching, gone]).toEqual([where, rows, rows]);
			if (said !== undefined) known++;
			if (said !== undefined && said !== rows) wrong++;
		}
		expect(wrong).toBe(0);
		expect(known).toBeGreaterThanOrEqual(mode === 'copy-on-write' ? steps.length : 5);
	});

	const described = async (table: string) => {
		const rows = await run(`DESCRIBE ${table}`);
		const end = rows.findIndex(({ col_name: name }) => name === '' || /^# /.test(String(name)));
		return rows
			.slice(0, end < 0 ? undefined : end)
			.map(({ col_name: name, data_type: type }) => [name, type]);
	};

	it('have the types and names that they are given', async () => {
		const table = toTableName('ice', 'made', 'types');
		const types: Record<string, [given: string, stored: string]> = {
			...{ a: ['BIGINT', 'bigint'], b: ['BINARY', 'binary'], c: ['BOOLEAN', 'boolean'] },
			...{
				d: ['DATE', 'date'],
				e: ['DOUBLE', 'double'],
				f: ['INT', 'int'],
				g: ['STRING', 'string'],
			},
			...{ h: ['TIMESTAMP', 'timestamp'], i: ['TIMESTAMP_NTZ', 'timestamp_ntz'] },
			...{ j: ['decimal(10, 2)', 'decimal(10,2)'], k: ['array<string>', 'array<string>'] },
			l: ['map<string, array<int>>', 'map<string,array<int>>'],
			m: ['struct<`a b`: int, c:double, d string>', 'struct<a b:int,c:double,d:string>'],
			...{
				n: ['varchar(5)', 'string'],
				o: ['float', 'float'],
				p: ['array<array<int>>', 'array<array<int>>'],
			},
			...{ select: ['INT', 'int'], __proto__x: ['INT', 'int'], 'a.b': ['INT', 'int'] },
			...{ 'a`b': ['INT', 'int'], ' x ': ['INT', 'int'], "it's; --": ['INT', 'int'] },
		};
		const columns = Object.entries(types).map(([name, [type]]) => {
			expect([type, isType(type)]).toEqual([type, true]);
			return { name, type, isRequired: name === 'a' };
		});
		await run(buildCreate(table, columns, []));
		expect(await described(table)).toEqual(
			Object.entries(types).map(([name, [, stored]]) => [name, stored]),
		);
		await expect(run(`INSERT INTO ${table} (a) VALUES (NULL)`)).rejects.toThrow();
		const again = buildCreate(`IF NOT EXISTS ${table}`, columns.slice(0, 1), []);
		await run(again);
		expect(await described(table)).toHaveLength(columns.length);
	});

	it('have partitions by columns and all transforms', async () => {
		const table = toTableName('ice', 'made', 'partitions');
		const columns = [
			...['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'TIMESTAMP' })),
			...['id', 'a b', 'größe'].map((name) => ({ name, type: 'STRING' })),
		].map((each) => ({ ...each, isRequired: false }));
		const text = 'years(a), months( b ), Days(c), hours(d), bucket(16, id), truncate(4,a b), größe';
		const partitions = parsePartitions(
			text,
			columns.map(({ name }) => name),
		);
		await run(buildCreate(table, columns, partitions as string[]));
		const rows = await run(`DESCRIBE ${table}`);
		const parts = rows.filter(({ col_name: name }) => /^Part \d/.test(String(name)));
		expect(parts.map(({ data_type: type }) => type)).toEqual([
			...['years(a)', 'months(b)', 'days(c)', 'hours(d)', 'bucket(16, id)'],
			...['truncate(4, `a b`)', '`größe`'].map(
				(each) => expect.stringContaining(each.slice(1, 4)) as string,
			),
		]);
	});

	it('hold the items that their columns were inferred from', async () => {
		const table = toTableName('ice', 'made', 'inferred');
		const items: IDataObject[] = [
			{
				...{ id: 9007199254740991, size: 1, ok: true, day: '2026-01-31', zip: '01067' },
				...{ seen: '2026-01-31T09:00:00.5Z', tags: ['a'], nothing: null, mixed: 1 },
				...{ of: { a: 1, 'b c': [{ d: 2.5 }] } },
			},
			{ id: -1, size: 2.5, seen: '2026-02-01', tags: [], mixed: 'x', of: { e: 'f' } },
		];
		const { columns } = detectColumns(items, 'UTC', 4326);
		const named = columns.map((each) => ({ ...each, type: toTypeText(each) }));
		await run(buildCreate(table, named, []));
		const cells = cellReader('UTC');
		const rows = items.map((item) =>
			toRowText(columns.map((each) => cells.read(each, item[each.name]))),
		);
		await run(buildInsert(table, columns, toValues(rows, columns.length)));
		const [first, second] = await run(`SELECT * FROM ${table} ORDER BY id DESC`);
		expect(first).toMatchObject({
			...{ id: 9007199254740991, size: 1, ok: true, day: '2026-01-31', zip: '01067' },
			...{ seen: expect.stringMatching(/^2026-01-31T09:00:00\.5/) as string, tags: ['a'] },
			...{ nothing: null, mixed: '1', of: { a: 1, 'b c': [{ d: 2.5 }], e: null } },
		});
		expect(second).toMatchObject({ size: 2.5, tags: [], mixed: 'x', of: { a: null, e: 'f' } });
		// What the details of the table then say is what was wanted.
		expect(named.map(({ type }) => isType(type))).toEqual(named.map(() => true));
		expect(parseColumns({ schema: { fields: [] } })).toEqual([]);
	});
});

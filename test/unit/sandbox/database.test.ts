import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IWorkflowBase } from 'n8n-workflow';

import { EXAMPLE_QUERIES } from '../../../nodes/Wherobots/actions/sql/fields';
import {
	toRowLine,
	toRowText,
	toStoredRows,
	toValues,
	buildInsert,
	buildMerge,
	MISSING_KEY,
	type IfMissing,
} from '../../../nodes/Wherobots/service/tables/writeRows';
import { parseColumns } from '../../../nodes/Wherobots/service/sql/columns';
import { toFilterText, type Operator } from '../../../nodes/Wherobots/service/tables/selectRows';
import { buildCreate, toTableName } from '../../../nodes/Wherobots/service/tables/names';
import { spatialTables } from '../../sandbox/seed/spatial';
import type { CreatedTable } from '../../sandbox/sql/createdTable';
import { SpatialDatabase } from '../../sandbox/sql/database';

/** Files by their S3 addresses. */
const stored = new Map<string, Buffer>();

const database = new SpatialDatabase(
	spatialTables(Date.parse('2026-01-31T12:00:00Z')),
	(address) => new Map([...stored].filter(([file]) => file === address)),
);

/** It compiles half a minute's worth of WebAssembly on a slow machine. */
const STARTED_MS = 600_000;

const execute = async (statement: string) => {
	const answer = database.answer(statement);
	return answer.later ? await answer.later() : answer;
};

beforeAll(async () => await database.start(), STARTED_MS);

afterAll(async () => await database.stop());

it.each([
	['a name in two parts', 'SELECT name FROM demo.cities WHERE population > 10000000 ORDER BY 1', 3],
	['a name in three parts', 'SELECT COUNT(*) AS n FROM `org_catalog`.`noaa`.`hail`;', 1],
	[
		'functions of Sedona',
		"SELECT name, location FROM demo.cities WHERE ST_Intersects(location, ST_GeomFromWKT('POLYGON ((5 47, 12 47, 12 52, 5 52, 5 47))', 4326)) ORDER BY ST_DistanceSphere(location, ST_Point(7.1, 50.7))",
		3,
	],
	[
		'what Get Rows asks for rows that were added since a snapshot',
		'SELECT * FROM (SELECT * FROM `org_catalog`.`demo`.`cities` VERSION AS OF 12 WHERE _file IN (SELECT data_file.file_path FROM `org_catalog`.`demo`.`cities`.all_entries WHERE status = 1 AND data_file.content = 0 AND snapshot_id IN (11, 12))) LIMIT 2',
		2,
	],
	[
		'distances as Get Rows measures them',
		'SELECT name FROM demo.cities WHERE IF(ST_IsEmpty(location), NULL, LEAST(ST_DistanceSphere(ST_Affine(location, 1.0D, 0D, 0D, 1D, 0D, 0D), ST_Point(7.1D, 50.7D)), 1e9D)) <= 10000',
		1,
	],
	['texts of Spark', `SELECT 'it\\'s' AS a, "b" AS b, CAST(1 AS STRING) AS c`, 1],
	['lists of tables', 'SHOW TABLES IN demo', 1],
	['the first example of the form', EXAMPLE_QUERIES[0], 10],
	['the second example of the form', EXAMPLE_QUERIES[1], 2],
])('the database of the demo understands %s', async (_, statement, rows) => {
	expect(await execute(statement)).toMatchObject({ rows: { length: rows } });
});

it('the first query of the docs has the states of a country', async () => {
	const page = readFileSync(path.join(__dirname, '../../../docs/first-query.md'), 'utf8');
	const [, query] = /```sql\n(.*?)```/s.exec(page) ?? [];
	const { rows, geometryColumns } = await execute(query);
	expect([rows?.length, geometryColumns]).toEqual([49, ['geometry']]);
});

const EXAMPLES = path.join(__dirname, '../../../examples');

/** The queries that recipes send unchanged, but for their parameters: agents write their own. */
const queries = readdirSync(EXAMPLES)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => {
		const { nodes } = JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as IWorkflowBase;
		return nodes
			.filter(({ parameters }) => parameters.resource === 'sql')
			.map(({ parameters }) => [file, String(parameters.query)] as const)
			.filter(([, query]) => !query.startsWith('='));
	});
const DAYS: Record<string, string> = {
	monday: '2026-01-19',
	next_monday: '2026-01-26',
	day: '2026-01-25',
};

it.each(queries)('the demo has rows for the query of %s', async (_, query) => {
	const { rows } = await execute(query.replace(/:(\w+)/g, (__, name: string) => `'${DAYS[name]}'`));
	expect(rows?.length).toBeGreaterThan(0);
});

it('keeps a name in which something is like a number', async () => {
	const { columns } = await execute('SELECT 4D AS `8423-499d-bb0b`');
	expect(columns).toEqual(['8423-499d-bb0b']);
});

it('has more rows in a table than a query returns as items by default', async () => {
	const { rows, geometryColumns } = await execute('SELECT * FROM org_catalog.noaa.hail');
	expect(rows?.length).toBeGreaterThan(1_000);
	expect(geometryColumns).toEqual(['geometry']);
});

it.each([
	['SELECT * FROM nowhere', '[TABLE_OR_VIEW_NOT_FOUND] The table or view `nowhere`'],
	['SELECT * FROM demo.citys', '[TABLE_OR_VIEW_NOT_FOUND] The table or view `demo`.`citys`'],
	[
		'SELECT * FROM `org_catalog`.`noaa`.`hial`',
		'[TABLE_OR_VIEW_NOT_FOUND] The table or view `org_catalog`.`noaa`.`hial` cannot be found.',
	],
	[
		'SELECT * FROM org_catlog.noaa.hail',
		'[REQUIRES_SINGLE_PART_NAMESPACE] spark_catalog requires a single-part namespace, but got `org_catlog`.`noaa`.',
	],
	['SELECT nothing FROM demo.cities', '[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION]'],
	[
		'SELECT nam FROM demo.cities',
		'[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `nam` cannot be resolved. Did you mean one of the following? [`name`]. SQLSTATE: 42703',
	],
	[
		'SELECT c.nam FROM demo.cities AS c',
		'with name `c`.`nam` cannot be resolved. Did you mean one of the following? [`c`.`name`].',
	],
	['SELECT FROM WHERE', "[PARSE_SYNTAX_ERROR] Syntax error at or near 'WHERE'"],
	['SELECT 1; SELECT 2', "[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELECT': extra input"],
])('words the error of %s as the service does', async (statement, error) => {
	expect((await execute(statement)).error).toContain(error);
});

it('says which table a statement has written to', async () => {
	const written: unknown[] = [];
	database.onWritten = (...each) => written.push(each);
	await execute("INSERT INTO demo.cities (id, name) VALUES (CAST('99' AS BIGINT), 'Ulm')");
	const change = { addedRows: 1, deletedRows: 0, operation: 'append' };
	expect(written).toEqual([['org_catalog.demo.cities', change]]);
});

it('has the rows that snapshots have added', async () => {
	const countAdded = async (ids: string) => {
		const files = `SELECT data_file.file_path FROM demo.cities.all_entries WHERE snapshot_id IN (${ids})`;
		const { rows } = await execute(
			`SELECT count(*) FROM demo.cities VERSION AS OF 22 WHERE _file IN (${files})`,
		);
		return (rows as unknown[][])[0][0];
	};
	let snapshot = 20;
	database.onWritten = () => String(++snapshot);
	await execute("INSERT INTO demo.cities (id, name) VALUES (100, 'Bonn')");
	await execute("INSERT INTO demo.cities (id, name) VALUES (101, 'Trier'), (102, 'Kiel')");
	expect(await countAdded('22')).toBe(2n);
	expect(await countAdded('21, 22')).toBe(3n);
	expect(await countAdded('11, 22')).toBeGreaterThan(3n);
});

describe('rows with keys', () => {
	const columns = parseColumns({
		schema: {
			fields: [
				...[
					{ name: 'id', type: 'long' },
					{ name: 'name', type: 'string' },
				],
				...[
					{ name: 'country', type: 'string' },
					{ name: 'location', type: 'geometry' },
				],
			],
		} as never,
	});
	const table = toTableName('org_catalog', 'demo', 'cities');
	const rows = [
		['7001', 'Alt', 'DE', 'POINT (1 2)', '0', '1111'],
		['7002', 'Neu', null, null, '1', '1100'],
	];
	const updated = [1, 2, 3].map((at) => ({ at, isPartial: at > 1 }));
	const found = async () =>
		(await execute('SELECT id, name, country FROM demo.cities WHERE id > 7000 ORDER BY id')).rows;
	const merge = async (values: string[][], ifMissing: IfMissing) => {
		const source = toValues(values.map(toRowText), 6);
		return await execute(buildMerge(table, columns, source, { keys: [0], updated, ifMissing }));
	};

	it('are merged as Insert or Update Rows does it, and again without a change', async () => {
		stored.set('s3://bucket/rows.jsonl', Buffer.from(rows.map(toRowLine).join('')));
		const source = toStoredRows('s3://bucket/rows.jsonl');
		const statement = buildMerge(table, columns, source, {
			keys: [0],
			updated,
			ifMissing: 'insert',
		});
		for (const time of ['first', 'second']) {
			expect([time, await execute(statement)]).toEqual([time, {}]);
			expect(await found()).toEqual([
				[7001n, 'Alt', 'DE'],
				[7002n, 'Neu', null],
			]);
		}
		await merge([['7001', 'Anders', null as never, null as never, '0', '1100']], 'leave');
		expect(await found()).toContainEqual([7001n, 'Anders', 'DE']);
	});

	it('are left as they are when one of them has to be there and is not', async () => {
		const before = await found();
		const { error } = await merge(
			[
				['7001', 'x', 'x', 'POINT (1 2)', '0', '1111'],
				['7009', 'x', 'x', 'POINT (1 2)', '1', '1111'],
			],
			'fail',
		);
		expect(error).toContain(`${MISSING_KEY}1`);
		expect(await found()).toEqual(before);
	});

	it('are not read from a file that is not there', async () => {
		const { error } = await execute(
			buildInsert(table, columns, toStoredRows('s3://bucket/none.jsonl')),
		);
		expect(error).toContain('[PATH_NOT_FOUND]');
	});
});

it('holds the rows that Insert Rows writes, whatever is in them', async () => {
	const columns = [
		{ name: 'address', type: 'string', sqlType: 'STRING', isRequired: false },
		{ name: 'reported_at', type: 'timestamptz', sqlType: 'TIMESTAMP', isRequired: false },
		{ name: 'location', type: 'geometry', isRequired: false },
	];
	const time = '2026-01-31T09:00:00.000Z';
	const rows = [
		["Kaş'); DROP TABLE reports; --", time, 'POINT (29.6417 36.2018)'],
		['Nowhere', null, null],
	];
	const table = toTableName('org_catalog', 'surveys', 'reports');
	const { error } = await execute(
		buildInsert(table, columns, toValues(rows.map(toRowText), columns.length)),
	);
	expect(error).toBeUndefined();
	const found = await execute('SELECT address, location FROM org_catalog.surveys.reports');
	expect(found.rows).toEqual([
		[rows[0][0], { type: 'Point', coordinates: [29.6417, 36.2018] }],
		['Nowhere', null],
	]);
});

describe('a table that a statement creates', () => {
	const table = toTableName('org_catalog', 'surveys', 'Trees');
	const columns = [
		...[
			['id', 'BIGINT'],
			['größe (mm)', 'DOUBLE'],
			['name', 'STRING'],
			['seen', 'TIMESTAMP'],
		],
		...[
			['price', 'decimal(10, 2)'],
			['tags', 'array<string>'],
			['shape', 'GEOMETRY(4326)'],
		],
	].map(([name, type]) => ({ name, type, isRequired: name === 'id' }));

	it('is told to the catalog, which may refuse it', async () => {
		const created: CreatedTable[] = [];
		database.onCreated = (each) => {
			created.push(each);
			return created.length > 1 ? '[SCHEMA_NOT_FOUND] No.' : undefined;
		};
		const text = buildCreate(table, columns, ['days(`seen`)']);
		expect(await execute(text)).toEqual({});
		expect(created[0]).toMatchObject({
			path: ['org_catalog', 'surveys', 'Trees'],
			mayExist: false,
		});
		const read = parseColumns({ schema: { fields: created[0].fields } });
		expect(read.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
			...[
				['id', 'long', true],
				['größe (mm)', 'double', false],
				['name', 'string', false],
			],
			...[
				['seen', 'timestamptz', false],
				['price', 'decimal(10, 2)', false],
			],
			...[
				['tags', 'list', false],
				['shape', 'geometry(4326)', false],
			],
		]);
		expect(await execute(buildCreate(`IF NOT EXISTS ${table}`, columns, []))).toEqual({});
		expect((await execute(text)).error).toContain('[SCHEMA_NOT_FOUND]');
	});

	it('takes rows, counts them, and deletes the same ones', async () => {
		const rows = [
			['1', '2.5', "it's", '2026-01-31T09:00:00Z', 'POINT (7.1 50.7)'],
			['2', '1', null, null, null],
			['3', null, 'oak', '2026-01-30T09:00:00Z', 'POINT (8 50)'],
		];
		const named = ['id', 'größe (mm)', 'name', 'seen', 'shape'];
		const types: Record<string, string> = {
			...{ id: 'long', 'größe (mm)': 'double', name: 'string', seen: 'timestamptz' },
			shape: 'geometry(4326)',
		};
		const fields = named.map((name) => ({ name, type: types[name] }));
		const of = parseColumns({ schema: { fields } });
		const source = toValues(rows.map(toRowText), of.length);
		expect((await execute(buildInsert(table, of, source))).error).toBeUndefined();
		const column = (name: string) => of.find((each) => each.name === name)!;
		const cases: Array<[string, Operator, string, number]> = [
			['name', 'notEquals', 'oak', 2],
			['name', 'startsWith', "it'", 1],
			['name', 'contains', 'a', 1],
			['größe (mm)', 'less', '2', 1],
			['seen', 'greaterOrEqual', '2026-01-31T09:00:00Z', 1],
			['shape', 'isEmpty', '', 1],
		];
		for (const [name, operator, text, count] of cases) {
			const filter = toFilterText({
				conditions: [{ column: column(name), operator, text }],
				isAny: false,
			});
			const counted = await execute(`SELECT count(*) AS \`rows\` FROM ${table} WHERE ${filter}`);
			expect([name, operator, counted.rows]).toEqual([name, operator, [[BigInt(count)]]]);
		}
		const written: unknown[] = [];
		database.onWritten = (...each) => written.push(each);
		const box = toFilterText({
			...{ conditions: [], isAny: false },
			spatial: { column: column('shape'), box: [7, 50, 7.5, 51] },
		});
		expect(await execute(`DELETE FROM ${table} WHERE ${box}`)).toEqual({});
		const change = { addedRows: 0, deletedRows: 1, operation: 'delete' };
		expect(written).toEqual([['org_catalog.surveys.trees', change]]);
		expect((await execute(`SELECT id FROM ${table} ORDER BY id`)).rows).toEqual([[2n], [3n]]);
	});
});

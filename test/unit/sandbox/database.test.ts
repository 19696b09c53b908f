import { EXAMPLE_QUERIES } from '../../../nodes/Wherobots/actions/sql/fields';
import { toFilterText, type Operator } from '../../../nodes/Wherobots/service/tables/selectRows';
import { spatialTables } from '../../sandbox/seed/spatial';
import { SpatialDatabase } from '../../sandbox/sql/database';
import { read, recipes } from '../../support/repository';

const tables = spatialTables(Date.parse('2026-01-31T12:00:00Z'));
const database = new SpatialDatabase(tables);

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

const AREAS = 'wherobots_open_data.overture_maps_foundation.divisions_division_area';

it.each<
	[table: string, column: string, sqlType: string, operator: Operator, text: string, rows: number]
>([
	[AREAS, 'region', 'STRING', 'notEquals', 'US-CO', 50],
	[AREAS, 'region', 'STRING', 'startsWith', 'US-W', 4],
	[AREAS, 'region', 'STRING', 'contains', 'S-C', 3],
	[AREAS, 'geometry', 'GEOMETRY', 'isEmpty', '', 0],
	['demo.cities', 'population', 'BIGINT', 'less', '100000', 2],
	['noaa.hail', 'observed_at', 'TIMESTAMP', 'greaterOrEqual', '2026-01-19T12:00:00Z', 2_244],
])(
	'the database of the demo finds rows of %s as Get Rows does: %s, a %s, %s %s',
	async (...row) => {
		const [table, name, sqlType, operator, text, count] = row;
		const column = { name, type: sqlType.toLowerCase(), sqlType, isRequired: false };
		const where = toFilterText({ conditions: [{ column, operator, text }], isAny: false });
		const { rows } = await execute(`SELECT count(*) FROM ${table} WHERE ${where}`);
		expect(rows).toEqual([[BigInt(count)]]);
	},
);

it('the first query of the docs has the states of a country', async () => {
	const [, query] = /```sql\n(.*?)```/s.exec(read('docs/first-query.md')) ?? [];
	const { rows, geometryColumns } = await execute(query);
	expect([rows?.length, geometryColumns]).toEqual([49, ['geometry']]);
});

/** The queries that recipes send unchanged, but for their parameters: agents write their own. */
const queries = recipes.flatMap(({ file, nodes }) =>
	nodes
		.filter(({ parameters }) => parameters.resource === 'sql')
		.map(({ parameters }) => [file, String(parameters.query)] as const)
		.filter(([, query]) => !query.startsWith('=')),
);
const DAYS: Record<string, string> = {
	monday: '2026-01-19',
	next_monday: '2026-01-26',
	day: '2026-01-25',
	next_day: '2026-01-26',
};

it.each(queries)('the demo has rows for the query of %s', async (_, query) => {
	const { rows } = await execute(query.replace(/:(\w+)/g, (__, name: string) => `'${DAYS[name]}'`));
	expect(rows?.length).toBeGreaterThan(0);
});

it.each(tables.filter(({ rows }) => rows).map(({ path: names }) => names.join('.')))(
	'%s has nothing in two columns',
	async (table) => {
		const { rows = [] } = await execute(`SELECT * FROM ${table}`);
		const values = rows.map((row) => Object.values(row).map(String));
		const columns = values[0].map((_, at) => values.map((row) => row[at]).join());
		expect(new Set(columns).size).toBe(columns.length);
	},
);

it('has more rows in a table than a query returns as items by default', async () => {
	const { rows, geometryColumns } = await execute('SELECT * FROM org_catalog.noaa.hail');
	expect(rows?.length).toBeGreaterThan(1_000);
	expect(geometryColumns).toEqual(['geometry']);
});

const NO_TABLE = '[TABLE_OR_VIEW_NOT_FOUND] The table or view';

it.each([
	['SELECT * FROM nowhere', `${NO_TABLE} \`nowhere\``],
	['SELECT * FROM demo.citys', `${NO_TABLE} \`demo\`.\`citys\``],
	[
		'SELECT * FROM `org_catalog`.`noaa`.`hial`',
		`${NO_TABLE} \`org_catalog\`.\`noaa\`.\`hial\` cannot be found.`,
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
	['SELECT value FROM text.`s3://b/a.jsonl`', '[PATH_NOT_FOUND] Path does not exist: s3://b/a'],
	['CREATE TABLE `demo`.`t` (`a` VARCHAR2) USING iceberg', 'Unsupported data type "VARCHAR2"'],
	['SELECT 1; SELECT 2', "[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELECT': extra input"],
])('words the error of %s as the service does', async (statement, error) => {
	expect((await execute(statement)).error).toContain(error);
});

import type { INodeParameters } from 'n8n-workflow';

import type { SqlAnswer } from '../../../sandbox';
import { by } from '../../../support/files';
import { ok, type NodeOptions } from '../../harness';
import { at } from '../parameters';
import { NAME, suiteWithTable } from './tables';

const { suite, run, lose } = suiteWithTable();

const FILE = 's3://acme-jobs/in/places.csv';

const load = async (more: INodeParameters = {}, options?: NodeOptions) =>
	await run(
		'loadFile',
		{ storageId: by('id', 'stor-acme'), files: by('path', 'in/places.csv'), ...more },
		options,
	);

const texts = () => suite.sql.taken().map(({ text }) => text);
const writes = () => texts().filter((text) => text.startsWith('INSERT'));

/** The session has files with these columns, and loads them; each load is a snapshot. */
function files(columns: Record<string, string>, answer: SqlAnswer = {}): void {
	const { catalogs } = suite.store;
	const rows = Object.entries(columns).map(([col_name, data_type]) => ({ col_name, data_type }));
	suite.sql.answer(/^(CREATE OR REPLACE TEMPORARY|DROP) VIEW/, {});
	suite.sql.answer(/^DESCRIBE /, { rows });
	suite.sql.answer(/^(INSERT|CREATE TABLE)/, {
		changes: () => {
			const table = catalogs.tableNamed(NAME);
			if (table) catalogs.commit(table, { addedRows: 3 });
		},
		...answer,
	});
}

const TEXT = { id: 'string', name: 'string' };

const MISFIT =
	"WHEN raise_error(concat('Nothing was loaded: the column id (long) cannot hold the value in ', input_file_name(), ': ', coalesce(left(CAST(`id` AS STRING), 100), 'NULL'))) IS NULL THEN NULL END";

const toText = (name: string, column = name, type = 'string') =>
	`CASE WHEN \`${name}\` IS NULL THEN NULL WHEN NOT contains(\`${name}\`, CAST(X'EFBFBD' AS STRING)) THEN \`${name}\` WHEN raise_error(concat('Nothing was loaded: the column ${column} (${type}) cannot hold the value in ', input_file_name(), ': ', coalesce(left(CAST(\`${name}\` AS STRING), 100), 'NULL'))) IS NULL THEN NULL END`;

const VALUES = `CASE WHEN \`id\` RLIKE '^.*$' AND try_cast(\`id\` AS BIGINT) IS NOT NULL THEN try_cast(\`id\` AS BIGINT) ${MISFIT} AS \`id\`, ${toText('name')} AS \`name\`, NULL AS \`size\`, NULL AS \`count\`, NULL AS \`day\`, NULL AS \`seen\`, NULL AS \`price\`, NULL AS \`tags\`, NULL AS \`geometry\``;

const COLUMNS = '`id`, `name`, `size`, `count`, `day`, `seen`, `price`, `tags`, `geometry`';

describe('load file', () => {
	it('reads the file as a view of the session, and loads it with one statement', async () => {
		files(TEXT);
		const { json, hints } = ok(await load());
		const [, view] = /VIEW (`[\da-f-]{36}`)/.exec(texts()[0]) ?? [];
		expect(texts()).toEqual([
			`CREATE OR REPLACE TEMPORARY VIEW ${view} USING csv OPTIONS (mode 'FAILFAST', multiLine 'true', escape '"', enforceSchema 'false', ignoreLeadingWhiteSpace 'false', ignoreTrailingWhiteSpace 'false', nullValue '5b1f4a52-8f0c-4f7e-9a43-0f6c2f7d1e90', header 'true', sep ',', path '${FILE}')`,
			`DESCRIBE ${view}`,
			`INSERT INTO ${NAME} (${COLUMNS}) SELECT ${VALUES} FROM ${view}`,
			`DROP VIEW IF EXISTS ${view}`,
		]);
		expect(new Set(suite.sql.taken().map(({ sessionId }) => sessionId)).size).toBe(1);
		const [{ id: executionId, sessionId }] = suite.sql.taken(/^INSERT/);
		expect(json).toEqual([
			{
				...{ executionId, sessionId, state: 'succeeded', table: NAME, source: FILE },
				...{ rows: 3, columns: ['id', 'name'] },
			},
		]);
		expect(hints.join()).not.toContain('Statement');
	});

	it.each(['append', 'replace'])(
		'does not replace what another item has loaded: %s',
		async (mode) => {
			files(TEXT);
			const input = [{ mode }, { mode: 'replace' }];
			expect((await load({ loadMode: '={{ $json.mode }}' }, { input })).error?.message).toContain(
				"'Mode' must be Append when several items load into one table",
			);
			expect(texts()).toEqual([]);
		},
	);

	it('adds rows once for a deduplication key', async () => {
		files(TEXT);
		const keyed = { options: { deduplicationKey: 'monday' } };
		ok(await load(keyed));
		const { json } = ok(await load(keyed));
		expect(json).toEqual([{ skipped: true, deduplicationKey: 'monday' }]);
		expect(writes()).toHaveLength(1);
		ok(await load({ ...keyed, loadMode: 'replace' }));
		expect(writes()).toHaveLength(2);
	});

	it('does not add rows again for a deduplication key when they may be there', async () => {
		files(TEXT);
		lose({ skip: 2 });
		const keyed = { options: { deduplicationKey: 'monday' } };
		expect((await load(keyed)).error).toBeDefined();
		expect((await load(keyed)).error?.message).toContain('not certain whether');
		expect(writes()).toHaveLength(0);
	});

	it('replaces all rows with one statement, and creates a table', async () => {
		files(TEXT);
		ok(await load({ loadMode: 'replace' }));
		expect(writes()[0]).toContain(`INSERT INTO ${NAME} REPLACE WHERE TRUE SELECT CASE`);
		const place = at('cat-org', 'surveys', 'new "table"');
		const { json, hints } = ok(await load({ ...place, loadMode: 'create' }));
		expect(texts().at(-2)).toContain(
			`CREATE TABLE \`org_catalog\`.\`surveys\`.\`new "table"\` AS SELECT ${toText('id')} AS \`id\`, ${toText('name')} AS \`name\` FROM `,
		);
		expect(json).toMatchObject([{ rows: null }]);
		expect(hints.join()).toContain('snapshots do not show how many rows were loaded');
	});

	it.each([
		['in/a.parquet', 'USING parquet OPTIONS (mergeSchema'],
		['in/a.SHP', 'USING shapefile OPTIONS (path'],
		['in/*.csv', "path 's3://acme-jobs/in/*.csv'"],
		["in/it's.csv", `path "s3://acme-jobs/in/it's.csv"`],
		['s3a://other/`a`.csv', "path 's3a://other/`a`.csv'"],
	])('reads %s', async (path, part) => {
		files(TEXT);
		ok(await load({ files: by('path', path) }));
		expect(texts()[0]).toContain(part);
	});

	it('knows other names of columns only by their case, and leaves out others if so configured', async () => {
		files({ ID: 'string', Name: 'string', other: 'string' });
		const { error } = await load();
		expect(error?.message).toBe("'Files' has columns that the table does not have: other");
		expect(error?.description).toContain('Their columns are ID, Name, other.');
		expect(writes()).toEqual([]);
		expect(texts().at(-1)).toMatch(/^DROP VIEW/);
		const { json } = ok(await load({ options: { ignoreExtraColumns: true } }));
		expect(json).toMatchObject([{ columns: ['ID', 'Name'] }]);
	});

	it.each([
		[{}, 'The files are empty: choose others.'],
		[{ 'id;name': 'string' }, "Their columns are id;name. Check 'CSV Separator' under 'Options'."],
		[{ a: 'int', b: 'int' }, 'Their columns are a, b. The table requires it: rename one of them.'],
	])('says what to do about a column that is missing: %j', async (columns, advice) => {
		files(columns);
		const { error } = await load();
		expect(error?.message).toBe("'Files' must have a column id");
		expect(error?.description).toBe(advice);
	});

	it("takes the table's columns in their order where a file has no header", async () => {
		files({ _c0: 'string', _c1: 'string' });
		ok(await load({ options: { csvHeader: false } }));
		expect(writes()[0]).toContain(`${toText('_c1', 'name')} AS \`name\``);
	});

	it.each<[Record<string, string>, INodeParameters, string]>([
		[{ name: 'string' }, {}, "'Files' must have a column id"],
		[
			{ id: 'double' },
			{},
			"has a column id (double) that does not fit the table's column id, whose type is whole number (BIGINT)",
		],
		[{ id: 'decimal(20,0)' }, {}, 'has a column id (decimal(20,0)) that does not fit'],
		[{ id: 'int', count: 'bigint' }, {}, 'has a column count (bigint) that does not fit'],
		[
			{ id: 'int', seen: 'timestamp_ntz' },
			{},
			'has a column seen (timestamp_ntz) that does not fit',
		],
		[{ id: 'int', tags: 'array<int>' }, {}, 'has a column tags (array<int>) that does not fit'],
		[{ id: 'int', geometry: 'double' }, {}, 'has a column geometry (double) that does not fit'],
		// It belongs to the column of its name, not to the only geometry.
		[{ id: 'int', name: 'binary' }, {}, 'has a column name (binary) that does not fit'],
		[
			TEXT,
			{ options: { longitudeColumn: 'x', latitudeColumn: 'y' } },
			'\'Latitude Column\' is "y", which the files do not have',
		],
		[
			TEXT,
			{ options: { longitudeColumn: 'x' } },
			"'Latitude Column' must be set as well, because 'Longitude Column' is set",
		],
		[TEXT, { files: by('path', 'https://x/a.csv?b') }, "'Files' must be a path in the storage"],
		[
			TEXT,
			{ storageId: by('id', ''), files: by('path', 'https://x/a.csv') },
			"'Files' must be a path in the storage such as jobs/2026, not a web address",
		],
		[TEXT, { files: by('path', 'a/b[1].csv') }, "'Files' must not contain ["],
		[TEXT, { files: by('list', 'a/b*.csv') }, "'Files' must not contain *"],
		[TEXT, { files: by('path', 'folder/') }, "'Files' is a folder: choose 'File Format'"],
		[TEXT, { files: by('path', 'in/*') }, "'Files' has no extension: choose 'File Format'"],
		[TEXT, { storageId: by('id', 'nothing') }, "'Storage' has no known S3 path: the list"],
	])('loads nothing of %j with %j', async (columns, more, message) => {
		files(columns);
		expect((await load({ files: by('path', 'in/a.csv'), ...more })).error?.message).toContain(
			message,
		);
		expect(writes()).toEqual([]);
	});

	it('names the formats where the extension is of none', async () => {
		const { error } = await load({ files: by('path', 'in/a.xlsx') });
		expect(error?.message).toBe("'Files' has the unsupported extension .xlsx: convert it first");
		expect(error?.description).toBe(
			"Supported formats are CSV, GeoJSON, GeoParquet, JSON Lines, Parquet, Shapefile. n8n's Extract from File and Convert to File nodes turn spreadsheets into CSV.",
		);
	});

	it('creates no table that is there, before a session is requested', async () => {
		expect((await load({ loadMode: 'create' })).error?.message).toBe(
			"'Mode' must be Append or Replace: there is already a table with this name",
		);
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it.each([
		['in/a.csv', "Check 'CSV Separator' under 'Options'."],
		['in/a.json', undefined],
	])('says what to check where records are malformed: %s', async (path, advice) => {
		const error =
			'[MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records are detected in record parsing: Invalid Opening Quote. Parse Mode: FAILFAST. SQLSTATE: 22023';
		files(TEXT, { error });
		suite.sql.answer(/^SELECT to_json/, { rows: [{ names: '["id"]' }] });
		const description = (await load({ files: by('path', path) })).error?.description;
		if (advice === undefined) expect(description).not.toContain('CSV');
		else expect(description).toContain(advice);
	});

	it.each([
		[{ id: 'int' }, 'CASE WHEN `id` IS NOT NULL THEN CAST(`id` AS BIGINT) WHEN'],
		[{ id: 'int', price: 'decimal(8,1)' }, 'CAST(`price` AS DECIMAL(10, 2)) AS `price`'],
		[{ id: 'int', size: 'float' }, 'CAST(`size` AS DOUBLE) AS `size`'],
		[{ id: 'int', tags: 'array<string>' }, '`tags` AS `tags`'],
		// Its texts are in UTF-8, whatever they contain.
		[{ id: 'int', name: 'string' }, '`name` AS `name`'],
		[{ id: 'int', wkb: 'binary' }, 'ST_SetSRID(ST_GeomFromWKB(`wkb`), 4326)'],
	])('widens types of Parquet: %j', async (columns, part) => {
		files(columns as Record<string, string>);
		ok(await load({ files: by('path', 'a.parquet') }));
		expect(writes()[0]).toContain(part);
	});

	it.each([
		['3.5', 'java.lang.RuntimeException: ', '\n\tat org.apache.spark'],
		['4', '[USER_RAISED_EXCEPTION] ', ' SQLSTATE: P0001'],
	])('says which value does not fit, in which file, on Spark %s', async (_, before, after) => {
		const misfit = `Nothing was loaded: the column id (long) cannot hold the value in ${FILE}: abc`;
		const error = `Job aborted due to stage failure: ${before}${misfit}${after}`;
		files(TEXT, { error });
		const failed = (await load()).error;
		expect(failed?.message).toBe(misfit);
		expect(failed?.context?.data).toMatchObject({
			statement: expect.stringMatching(/^INSERT INTO/) as string,
		});
		expect(texts().at(-1)).toMatch(/^DROP VIEW/);
	});

	it.each([
		['append', 1, 'it is not certain what the statement changed'],
		['replace', 2, undefined],
	])(
		'is sent again by Retry On Fail only where that is safe: %s',
		async (loadMode, count, message) => {
			files(TEXT);
			const fault = { kind: 'die' } as const;
			suite.sql.addFault({ at: 'statement', statement: /^INSERT/, times: 1, fault });
			const { error } = await load({ loadMode }, { maxTries: 2 });
			expect(writes()).toHaveLength(count);
			if (message === undefined) expect(error).toBeUndefined();
			else expect(error?.message).toContain(message);
		},
	);

	it('tries again what came before the load', async () => {
		files(TEXT);
		const fault = { kind: 'die' } as const;
		suite.sql.addFault({ at: 'statement', statement: /^DESCRIBE/, times: 1, fault });
		expect(ok(await load({}, { maxTries: 2 })).json).toMatchObject([{ rows: 3 }]);
		expect(writes()).toHaveLength(1);
	});

	it('counts the rows of each item, and asks once for the storages of all', async () => {
		files(TEXT);
		const { json } = ok(await load({}, { input: [{}, {}] }));
		expect(json.map(({ rows }) => rows)).toEqual([3, 3]);
		expect(writes()).toHaveLength(2);
		expect(suite.requests.of('listStorages')).toHaveLength(1);
	});

	it('does not count rows that others have added meanwhile', async () => {
		const { catalogs } = suite.store;
		const changes = () => {
			const table = catalogs.tableNamed(NAME);
			if (table) for (const addedRows of [3, 4]) catalogs.commit(table, { addedRows });
		};
		files(TEXT, { changes });
		expect(ok(await load()).json).toMatchObject([{ rows: null }]);
	});
});

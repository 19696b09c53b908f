import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import { ok, type NodeOptions } from '../../harness';
import { callsOf } from '../../harness/tools';
import { by } from '../../../support/files';
import { cities, SELECT, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

const place = { storageId: by('id', 'stor-acme'), targetFolder: by('path', 'exports/a') };
const store = async (query: string, more: INodeParameters = {}, options?: NodeOptions) =>
	await run(
		query,
		{ output: 'storage', readOnly: true, storedFormat: 'csv', ...place, ...more },
		options,
	);

const rows = [{ id: 1, name: 'a' }];
const writes = () => suite.sql.taken(/^INSERT/).map(({ text }) => text);

describe('files in a storage', () => {
	beforeEach(() => suite.sql.answer(SELECT, { rows }));

	it('are written by the session, and are the items', async () => {
		const { json } = ok(await store(`${SELECT}; -- all of them`));
		const [{ id: executionId, sessionId, text, store: stored }] = suite.sql.taken(/^INSERT/);
		expect(stored).toBeUndefined();
		expect(text).toBe(
			`INSERT OVERWRITE DIRECTORY 's3://acme-jobs/exports/a/' USING csv OPTIONS (header 'true', escape '"', ignoreLeadingWhiteSpace 'false', ignoreTrailingWhiteSpace 'false', timestampFormat "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", timestampNTZFormat "yyyy-MM-dd'T'HH:mm:ss.SSSSSS") SELECT /*+ COALESCE(1) */ * FROM (${SELECT}\n)`,
		);
		const [{ name }] = json as Array<{ name: string }>;
		expect(name).toMatch(/^part-00000.*\.csv$/);
		expect(json).toEqual([
			expect.objectContaining({
				...{
					storageId: 'stor-acme',
					name,
					path: `exports/a/${name}`,
					size: 12,
					executionId,
					sessionId,
				},
				destination: `s3://acme-jobs/exports/a/${name}`,
			}),
		]);
		const file = suite.storage().files.get(`exports/a/${name}`);
		expect(String(file?.content)).toBe('id,name\n1,a\n');
	});

	it.each([
		['geoparquet', 'USING geoparquet SELECT * FROM ('],
		['parquet', 'USING parquet SELECT * FROM ('],
		['geojson', "USING geojson OPTIONS (ignoreNullFields 'false', timestampFormat"],
	])('may be %s, and several', async (storedFormat, part) => {
		const shapes = { rows: cities, geometryColumns: ['at'] };
		suite.sql.answer(SELECT, storedFormat === 'parquet' ? { rows } : shapes);
		ok(await store(SELECT, { storedFormat, oneFile: false }));
		expect(writes()[0]).toContain(part);
	});

	it.each([
		[
			'SHOW TABLES',
			"'Query' must begin with SELECT, WITH, FROM, TABLE or VALUES and only read, because 'Output' is 'Files in Storage'",
		],
		['DESCRIBE cities', 'must begin with SELECT'],
		['EXPLAIN SELECT 1', 'must begin with SELECT'],
		['INSERT INTO a SELECT 1', 'must only read'],
	])('are not written of %s', async (query, message) => {
		expect((await store(query)).error?.message).toContain(message);
		const { error } = await store(query, { readOnly: false });
		expect(error?.message).toContain('must begin with SELECT');
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it.each([true, false])('are not written of two statements (Read Only: %s)', async (readOnly) => {
		expect((await store('SELECT 1; SELECT 2', { readOnly })).error?.message).toBe(
			"'Query' must be a single statement: use a separate node or item for each",
		);
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it.each([
		[{ targetFolder: by('path', '/') }, "'Folder for Files' must be a folder, not the root"],
		[{ targetFolder: by('path', 'a/*') }, "'Folder for Files' must not contain *"],
		[{ targetFolder: by('path', 'a{b}') }, "'Folder for Files' must not contain {"],
		[{ targetFolder: by('path', 'a/${b}') }, "'Folder for Files' must not contain $"],
		[{ targetFolder: by('path', 's3://') }, "'Folder for Files' must be an S3 location"],
		[{ storageId: by('id', 'nothing') }, "'Storage' has no known S3 path: the list"],
	])('need a folder that means only itself: %j', async (more, message) => {
		expect((await store(SELECT, more)).error?.message).toContain(message);
		expect(writes()).toEqual([]);
	});

	it('go to a folder that is empty or not there, because it is emptied', async () => {
		const { storages } = suite.store;
		storages.put('stor-acme', 'exports/a/b/c.txt', 'kept');
		expect((await store(SELECT)).error?.message).toContain("'Folder for Files' must be empty");
		expect(suite.sql.taken()).toEqual([]);
		suite.storage().files.delete('exports/a/b/c.txt');
		suite.storage().folders.add('exports/a/');
		ok(await store(SELECT));
	});

	it('do not go where a file is, which S3 would take for the folder', async () => {
		suite.store.storages.put('stor-acme', 'exports/a', 'kept');
		const { error } = await store(SELECT);
		expect(error?.message).toBe("'Folder for Files' must be a folder, but a file has this path");
		expect(suite.sql.taken()).toEqual([]);
	});

	it('go to S3 only where nothing is, as the session sees it', async () => {
		const targetFolder = by('path', 's3://elsewhere/a');
		const listing = /binaryFile.`s3:\/\/elsewhere\/a\/`$/;
		suite.sql.answer(/^INSERT OVERWRITE DIRECTORY 's3:\/\/elsewhere\/a\/'/, {});
		suite.sql.answer(listing, { columns: ['destination'], rows: [] });
		const { error } = await store(SELECT, { targetFolder });
		expect(error?.message).toContain('must be one that does not exist');
		expect(writes()).toEqual([]);
		let looks = 0;
		const found = { rows: [{ destination: 's3://elsewhere/a/part-1.csv', size: 3n }] };
		const missing = { error: '[PATH_NOT_FOUND] Path does not exist: s3://elsewhere/a.' };
		suite.sql.answer(listing, () => (looks++ === 0 ? missing : found));
		const { json } = ok(await store(SELECT, { targetFolder }));
		expect(json).toMatchObject([{ destination: 's3://elsewhere/a/part-1.csv', size: 3 }]);
		expect(suite.requests.of('listDirectory')).toEqual([]);
	});

	describe('with links', () => {
		const options = { includeLinks: true };

		it('have what File: Get Link returns, and without the option none', async () => {
			const { json } = ok(await store(SELECT, { options }));
			const [{ url, expiresAt }] = json;
			expect(Date.parse(String(expiresAt))).toBeGreaterThan(suite.clock.now());
			const { data } = await axios.get<string>(String(url), { responseType: 'text' });
			expect(data).toBe('id,name\n1,a\n');
			const more = { targetFolder: by('path', 'exports/b') };
			const plain = ok(await store(SELECT, more)).json;
			expect(plain[0]).not.toHaveProperty('url');
			expect(plain[0]).not.toHaveProperty('expiresAt');
		});

		it('are refused at an S3 path before anything is written', async () => {
			const targetFolder = by('path', 's3://elsewhere/a');
			expect((await store(SELECT, { options, targetFolder })).error?.message).toBe(
				"'Include Links' needs a folder in a storage: files at an S3 path have no links",
			);
			expect(suite.requests.of('createSqlSession')).toEqual([]);
		});

		it('are items without one where it cannot be made', async () => {
			suite.fails('createDownloadUrl', 403, { times: 1 });
			const { json, hints } = ok(await store(SELECT, { options }));
			expect(json).toEqual([expect.objectContaining({ size: 12, state: 'succeeded' })]);
			expect(json[0]).not.toHaveProperty('url');
			expect(hints).toEqual([expect.stringMatching(/^exports\/a\/part-.*\.csv has no link: /)]);
			expect(writes()).toHaveLength(1);
		});
	});

	it('are not written again by Retry On Fail when listing them fails', async () => {
		suite.fails('listDirectory', 403, { skip: 2, times: 1 });
		const { json } = ok(await store(SELECT, {}, { maxTries: 2 }));
		expect(json).toHaveLength(1);
		expect(writes()).toHaveLength(1);
	});

	it('are written by Retry On Fail when it could not be seen before whether the folder is empty', async () => {
		suite.fails('listDirectory', 403, { times: 1 });
		ok(await store(SELECT, {}, { maxTries: 2 }));
		expect(writes()).toHaveLength(1);
	});

	it('are written by Retry On Fail when there was no session', async () => {
		suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		suite.fails('createSqlSession', 403, { times: 1 });
		ok(await store(SELECT, { storedFormat: 'geojson' }, { maxTries: 2 }));
		expect(writes()).toHaveLength(1);
	});

	it('are looked for in the folder that the error names when the connection is lost', async () => {
		suite.sql.addFault({ at: 'statement', statement: /^INSERT/, fault: { kind: 'die' } });
		const { error } = await store(SELECT, {}, { maxTries: 2 });
		expect(writes()).toHaveLength(1);
		expect(error?.message).toContain('it is not certain what the statement changed');
		expect(error?.description).toContain('The folder is s3://acme-jobs/exports/a/');
		expect(error?.context?.data).toMatchObject({ destination: 's3://acme-jobs/exports/a/' });
	});

	it.each([
		['csv', 'CSV'],
		['parquet', 'Parquet'],
	])(
		'as %s: a geometry, of which Spark writes its own bytes, is refused before',
		async (storedFormat, name) => {
			suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
			const { error } = await store(SELECT, { storedFormat });
			expect(error?.message).toContain(
				`'File Format' cannot be ${name}, because \`at\` is a geometry`,
			);
			expect(error?.description).toContain('ST_AsText(`at`)');
			expect(writes()).toEqual([]);
		},
	);

	it('as GeoParquet: they need a geometry, and nothing is written without one', async () => {
		const { error } = await store(SELECT, { storedFormat: 'geoparquet' });
		expect(error?.message).toBe(
			"'File Format' cannot be GeoParquet, because the query returns no geometry",
		);
		expect(error?.description).toBe(
			"Nothing was written. Select a geometry column, or set 'File Format' to CSV or Parquet.",
		);
		expect(writes()).toEqual([]);
	});

	it('as GeoJSON: the error says that they need a geometry column', async () => {
		suite.sql.answer(/^INSERT OVERWRITE/, { error: 'No geometry column found' });
		expect((await store(SELECT, { storedFormat: 'geojson' })).error?.description).toContain(
			"Select a geometry column, or set 'File Format' to CSV or Parquet.",
		);
	});
});

it('files in a storage are for no tool of an agent', async () => {
	const node = { resource: 'sql', operation: 'executeQuery', query: SELECT, output: 'storage' };
	const call = callsOf(suite.sandbox, { ...node, ...place, storedFormat: 'csv' }, {});
	expect(String(await call().catch((error: Error) => error.message))).toContain(
		"'Output' must not be 'Files in Storage' when an AI agent uses the node",
	);
	expect(writes()).toEqual([]);
});

/** More rows than a statement holds: they are sent as a file, which is gone afterwards, or as several statements. */
import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../support/until';
import { errorOf, ok, startNode } from '../../harness';
import { at } from '../parameters';
import { numberedRows, stagedFiles, suiteWithTable, takeInserts } from './tables';

const { suite, run, lose } = suiteWithTable();

/** Four of them are more than a statement holds. */
const large = (count: number) => numberedRows(count, { name: "it's \n x".repeat(20_000) });
const idsOf = (count: number) => numberedRows(count).map(({ id }) => id);
const statements = () => suite.sql.taken().map(({ text }) => text);

afterEach(() => expect(stagedFiles(suite)).toEqual([]));

describe('many rows', () => {
	it('are one statement that reads a file in managed storage', async () => {
		const state = takeInserts(suite);
		const { json } = ok(await run('insertRows', {}, { input: large(5) }));
		expect(state.ids).toEqual(idsOf(5));
		const [statement, ...others] = statements();
		expect(others).toEqual([]);
		const address =
			/text\.`s3:\/\/wbts-wbc-\w+\/\w+\/data\/customer-\w+\/staging\/[\da-f-]{36}\.jsonl`/;
		expect(statement).toMatch(address);
		expect(statement).toContain('SELECT CAST(v[0] AS BIGINT), v[1], CAST(v[2] AS DOUBLE)');
		expect(json[4].wherobots).toMatchObject({ rows: 5, state: 'succeeded' });
	});

	it('may be any number', async () => {
		const state = takeInserts(suite);
		ok(await run('insertRows', {}, { input: numberedRows(12_000) }));
		expect(statements()).toHaveLength(1);
		expect(state.ids).toEqual(idsOf(12_000));
	});

	it('are sent again as another file by Retry On Fail', async () => {
		const state = takeInserts(suite);
		state.failOn = 1;
		ok(await run('insertRows', {}, { input: large(5), maxTries: 2 }));
		expect(new Set(statements()).size).toBe(2);
		expect(state.ids).toEqual(idsOf(5));
	});
});

describe('a file of rows', () => {
	it('is in the region of the session where there is one', async () => {
		takeInserts(suite);
		const east = {
			id: 'east',
			name: 'East',
			path: 's3://east',
			type: 'MANAGED',
			region: 'aws-us-east-1',
		} as const;
		suite.store.storages.create(east);
		const region = { __rl: true, mode: 'name', value: 'aws-us-east-1' };
		ok(await run('insertRows', { region }, { input: large(4) }));
		expect(statements()[0]).toContain('text.`s3://east/staging/');
	});

	it.each([
		['breaks off', { kind: 'cut', bytes: 1_000 }],
		['is stored, but its response is lost', { kind: 'lost' }],
		['is refused', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
	] as const)('is not left behind when its upload %s: no row is inserted', async (_, fault) => {
		const state = takeInserts(suite);
		suite.presigned.addFault({ method: 'PUT', fault });
		const { error } = await run('insertRows', {}, { input: large(5) });
		expect(error?.description).toContain('No row was inserted.');
		expect(error?.description).toContain("set 'Send Rows As' to Statements");
		expect(suite.requests.of('createSqlSession')).toEqual([]);
		expect(state.ids).toEqual([]);
	});

	it('is removed when the execution is stopped while it is read', async () => {
		suite.sql.answer(/^INSERT/, { seconds: 3_600 });
		const node = {
			resource: 'table',
			operation: 'insertRows',
			...at('cat-org', 'surveys', 'places'),
		};
		const running = startNode(suite.sandbox, node, { input: large(5) });
		await until(() => statements().length > 0);
		expect(stagedFiles(suite)).toHaveLength(1);
		running.cancel();
		await running.result;
		await until(() => stagedFiles(suite).length === 0);
		await until(() => suite.sql.taken()[0].cancels > 0);
	});

	it('is named where it cannot be removed', async () => {
		const state = takeInserts(suite);
		suite.fails('deleteFile', 403);
		const { hints } = ok(await run('insertRows', {}, { input: large(5) }));
		expect(state.ids).toEqual(idsOf(5));
		const [left] = stagedFiles(suite);
		expect(hints.join()).toContain(`could not be removed. Delete it (File: Delete): ${left}`);
		expect(suite.requests.of('deleteFile')).toHaveLength(1);
		suite.storage('stor-managed').files.delete(left);
	});

	it.each([
		['java.nio.file.AccessDeniedException: FILE: getFileStatus on FILE: 403', 'could not'],
		['AmazonS3Exception: Access Denied (Status Code: 403)', 'may be unable to'],
		['AccessDeniedException: s3a://bucket/data/00000.parquet: 403', 'may be unable to'],
		['[PATH_NOT_FOUND] Path does not exist: FILE. SQLSTATE: 42K03', 'could not'],
		['UnsupportedFileSystemException: No FileSystem for scheme "s3"', 'could not'],
		['[UNSUPPORTED_DATASOURCE_FOR_DIRECT_QUERY] Unsupported data source: text', 'could not'],
	])('that the session cannot read is what the error names: %s', async (message, could) => {
		suite.sql.answer(/^INSERT/, (statement) => {
			const [, file = ''] = /FROM text\.`([^`]*)`/.exec(statement) ?? [];
			return { error: message.replaceAll('FILE', file) };
		});
		const { error } = await run('insertRows', {}, { input: large(5) });
		expect(error?.description).toMatch(
			new RegExp(
				`The SQL session ${could} read the file with the rows, s3:.*jsonl\\. .*set 'Send Rows As' to Statements\\.`,
			),
		);
		expect(error?.description).toContain('No row was inserted.');
	});

	it('needs managed storage', async () => {
		takeInserts(suite);
		const { storages } = suite.store;
		for (const each of storages.all()) if (each.draft.type === 'MANAGED') storages.delete(each);
		const { error } = await run('insertRows', {}, { input: large(5) });
		expect(error?.message).toContain('There is no managed storage');
		expect(error?.description).toContain("set 'Send Rows As' to Statements");
	});

	it('leaves open whether all rows are in when the connection is lost', async () => {
		lose();
		takeInserts(suite);
		const { error } = await run('insertRows', {}, { input: large(5), maxTries: 3 });
		expect(error?.description).toContain('Either all 5 rows or none of them are in the table.');
		expect(statements()).toEqual([]);
		expect(suite.presigned.requests).toHaveLength(1);
	});
});

describe('rows that are sent as statements', () => {
	const options = { sendRowsAs: 'statements' };

	it('are as many statements as it takes, without a file', async () => {
		const state = takeInserts(suite);
		const { json } = ok(await run('insertRows', { options }, { input: large(5) }));
		expect(statements()).toHaveLength(5);
		expect(state.ids).toEqual(idsOf(5));
		expect(new Set(json.map(({ wherobots }) => (wherobots as IDataObject).executionId)).size).toBe(
			5,
		);
		expect(suite.presigned.requests).toEqual([]);
	});

	it('may be larger than a statement usually is', async () => {
		const state = takeInserts(suite);
		const [first] = numberedRows(1, { name: 'x'.repeat(600_000) });
		ok(await run('insertRows', { options }, { input: [first, { id: 1 }, { id: 2 }] }));
		expect(statements()).toHaveLength(2);
		expect(state.ids).toEqual([0, 1, 2]);
	});

	it('stay where a later statement fails, which the error says', async () => {
		const state = takeInserts(suite);
		state.failOn = 3;
		const { error } = await run('insertRows', { options }, { input: large(5) });
		expect(error?.description).toContain('In the table: items 0 to 1. Not in the table: items 2.');
		expect(state.ids).toEqual([0, 1]);
	});

	it('are sent once by Retry On Fail, and never again where the outcome is lost', async () => {
		lose({ skip: 3 });
		const state = takeInserts(suite);
		state.failOn = 2;
		const { error } = await run('insertRows', { options }, { input: large(5), maxTries: 4 });
		expect(error?.description).toContain(
			'In the table: items 0 to 1. May be in the table: items 2.',
		);
		expect(error?.description).toContain('Retry On Fail did not send it again');
		expect(state.ids).toEqual([0, 1]);
	});

	it('cost only their own items if the node continues on failure', async () => {
		const state = takeInserts(suite);
		state.failOn = 2;
		const more = { input: large(4), onError: 'continueRegularOutput' as const };
		const { items } = await run('insertRows', { options }, more);
		expect(items.map((item) => errorOf(item) !== undefined)).toEqual([false, true, false, false]);
		expect(state.ids).toEqual([0, 2, 3]);
	});

	it('are at most 10,000', async () => {
		expect(
			(await run('insertRows', { options }, { input: numberedRows(10_001) })).error?.message,
		).toBe("'Send Rows As' can be Statements for at most 10,000 rows, not 10001");
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});
});

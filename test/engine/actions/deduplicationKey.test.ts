/** Deduplication Key, with n8n's own helper on a store in place of its database. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetThrottles, RATE_LIMIT } from '../../../nodes/Wherobots/transport/throttle';
import { by } from '../../support/files';
import { until } from '../../support/until';
import { errorOf, type NodeOptions, ok, startNode } from '../harness';
import { troubleNotes } from '../harness/notes';
import { at } from './parameters';
import { suiteWithTable, takeInserts } from './tables/tables';

const { suite, run, lose } = suiteWithTable();

const KEY = '={{ $json.order }}';
const input = [{ order: 'a' }];

describe.each([
	{
		endpoint: 'createApiKey',
		node: {
			resource: 'apiKey',
			operation: 'create',
			name: 'key',
			options: { deduplicationKey: KEY },
		},
	},
	{
		endpoint: 'runTask',
		node: {
			...{ resource: 'taskRun', operation: 'create', options: { deduplicationKey: KEY } },
			taskName: by('list', 'predict_mosaic_geometries_recipe'),
			inputsFrom: 'json',
			inputsJson: '{"aoi": "s3://sandbox-bucket/aoi.parquet", "text_prompt": ["roofs"]}',
		},
	},
] as const)('$endpoint', ({ endpoint, node }) => {
	const sent = () => suite.requests.of(endpoint).length;

	it('is sent once in two executions, and for each other key', async () => {
		const [first] = (await suite.run(node, { input })).json;
		expect(first).not.toHaveProperty('skipped');
		expect((await suite.run(node, { input })).json).toEqual([
			{ skipped: true, deduplicationKey: 'a' },
		]);
		await suite.run(node, { input: [{ order: 'b' }] });
		expect(sent()).toBe(2);
	});

	it.each([undefined, null, ' '])('is not sent, for no item, with the key %j', async (order) => {
		const { error } = await suite.run(node, { input: [...input, { order } as never] });
		expect(error?.message).toBe("'Deduplication Key' must not be empty");
		expect(sent()).toBe(0);
	});

	it('is sent by the next execution when it certainly was not carried out', async () => {
		suite.fails(endpoint, 403, { times: 1 });
		expect((await suite.run(node, { input })).error).toBeDefined();
		expect((await suite.run(node, { input })).error).toBeUndefined();
	});

	it('is sent by the next execution when it is stopped while it waits for the rate', async () => {
		jest.replaceProperty(RATE_LIMIT, 'requests', 1);
		suite.fails('listRuns', { kind: 'hang' });
		const first = startNode(suite.sandbox, { resource: 'jobRun', operation: 'getAll' });
		await until(() => suite.requests.of('listRuns').length > 0);
		const waiting = startNode(suite.sandbox, node, { input });
		await sleep(200);
		for (const running of [waiting, first]) {
			running.cancel();
			await running.result;
		}
		forgetThrottles();
		expect(sent()).toBe(0);
		expect((await suite.run(node, { input })).error).toBeUndefined();
		expect(sent()).toBe(1);
	});

	it('is not sent when it may have been carried out, and the error says so each time', async () => {
		suite.fails(endpoint, { kind: 'reset', when: 'after' }, { times: 1 });
		await suite.run(node, { input });
		const before = sent();
		for (let executions = 0; executions < 2; executions++) {
			const { error } = await suite.run(node, { input });
			expect(error?.message).toContain('not certain whether this was already done');
			expect(error?.message).toContain('"a"');
		}
		expect(sent()).toBe(before);
	});
});

describe('a statement', () => {
	const query = (text: string, more = {}) => ({
		...{ resource: 'sql', operation: 'executeQuery', query: text },
		...{ readOnly: false, options: { deduplicationKey: KEY }, ...more },
	});

	it('needs a key if it changes something', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ one: 1 }] });
		const { error } = await suite.run(query('DELETE FROM t'));
		expect(error?.message).toBe("'Deduplication Key' must not be empty");
		expect((await suite.succeeds(query('SELECT 1'))).json).toEqual([{ one: 1 }]);
		expect(suite.sql.taken()).toHaveLength(1);
	});

	it('that changes something is executed once in two executions', async () => {
		suite.sql.answer(/^DELETE/, {});
		for (const skipped of [undefined, true]) {
			const { json } = await suite.succeeds(query('DELETE FROM t'), { input });
			expect(json[0].skipped).toBe(skipped);
		}
		expect(suite.sql.taken()).toHaveLength(1);
	});

	it('is not executed again when it may have changed something', async () => {
		suite.sql.answer(/^DELETE/, {});
		lose();
		await suite.run(query('DELETE FROM t'), { input });
		const { error } = await suite.run(query('DELETE FROM t'), { input });
		expect(error?.message).toContain('not certain whether this was already done');
	});

	it('that only reads is executed each time', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ one: 1 }] });
		for (let executions = 0; executions < 2; executions++) {
			expect((await suite.succeeds(query('SELECT 1'), { input })).json).toEqual([{ one: 1 }]);
		}
	});
});

describe('rows', () => {
	const rows = [
		{ id: 1, order: 'a' },
		{ id: 2, order: 'a' },
	];
	const insert = async (
		items: IDataObject[],
		more: INodeParameters = {},
		options?: NodeOptions,
	) => {
		const keyed = { deduplicationKey: KEY, ignoreUnknownFields: true, ...more };
		return await run('insertRows', { options: keyed }, { input: items, ...options });
	};

	it('of one key are inserted once in two executions, and those of another key', async () => {
		const table = takeInserts(suite);
		ok(await insert(rows));
		const wherobots = { skipped: true, deduplicationKey: 'a' };
		expect(ok(await insert(rows)).json).toEqual(rows.map((row) => ({ ...row, wherobots })));
		ok(await insert([{ id: 3, order: 'b' }]));
		expect(table.ids).toEqual([1, 2, 3]);
	});

	it.each<[string, IDataObject[], INodeParameters]>([
		['have different keys', [...rows, { id: 3, order: 'b' }], {}],
		['go to different sessions', rows, { queryTimeoutSeconds: '={{ $json.id + 60 }}' }],
		['may be sent in several statements', rows, { sendRowsAs: 'statements' }],
		['have a number that n8n has rounded', [{ id: 3, order: 2 ** 53 }], {}],
	])('are not inserted with a key if they %s', async (_, input, options) => {
		const table = takeInserts(suite);
		expect((await insert(input, options)).error?.message).toContain("'Deduplication Key'");
		expect(table.ids).toEqual([]);
	});

	it('are all inserted or none, so that none is skipped that was not sent', async () => {
		const table = takeInserts(suite);
		const again = { onError: 'continueRegularOutput', maxTries: 2 } as const;
		const { items } = await insert([...rows, { id: 'x', order: 'a' }], {}, again);
		expect(errorOf(items[0])?.message).toContain('1 of 3 cannot be sent');
		ok(await insert([...rows, { id: 3, order: 'a' }], {}, again));
		expect(table.ids).toEqual([1, 2, 3]);
	});

	it('are inserted by the next execution when it is stopped before they are sent', async () => {
		const table = takeInserts(suite);
		suite.edits('getSqlSession', (session: IDataObject) => ({ ...session, status: 'PENDING' }));
		const place = {
			resource: 'table',
			operation: 'insertRows',
			...at('cat-org', 'surveys', 'places'),
		};
		const running = startNode(
			suite.sandbox,
			{ ...place, options: { deduplicationKey: KEY, ignoreUnknownFields: true } },
			{ input: rows },
		);
		await until(() => suite.requests.of('getSqlSession').length > 0);
		running.cancel();
		await running.result;
		suite.sandbox.faults.clear();
		ok(await insert(rows));
		expect(table.ids).toEqual([1, 2]);
	});

	it('are inserted though it is not known whether their table was created', async () => {
		suite.sql.answer(/^INSERT/, {});
		suite.sql.answer(/^CREATE TABLE IF NOT EXISTS/, {});
		lose({ times: 3 });
		const options = { createMissingTable: true, deduplicationKey: KEY };
		const place = { ...at('cat-org', 'surveys', 'trees'), options };
		const { error } = await run('insertRows', place, { input: rows });
		expect(error?.description).toContain('No row was inserted.');
		ok(await run('insertRows', place, { input: rows }));
		expect(suite.sql.taken(/^INSERT/)).toHaveLength(1);
	});

	it.each(['overwrites', 'restores', 'looks'] as const)(
		'are skipped when they are in the table though another execution meddles: it %s',
		async (trouble) => {
			const table = takeInserts(suite);
			if (trouble !== 'looks') troubleNotes(trouble);
			ok(await insert(rows));
			if (trouble === 'looks') troubleNotes(trouble);
			ok(await insert(rows));
			ok(await insert(rows));
			expect(table.ids).toEqual([1, 2]);
		},
	);

	it("are inserted by the next execution when n8n's database is locked", async () => {
		const table = takeInserts(suite);
		troubleNotes('locked');
		const { error } = await insert(rows);
		expect(error?.message).toContain("n8n's database could not keep the deduplication key");
		expect(error?.description).toContain('database is locked');
		ok(await insert(rows));
		expect(table.ids).toEqual([1, 2]);
	});

	it('are inserted by the next execution when the session refused them', async () => {
		const table = takeInserts(suite);
		table.failOn = 1;
		expect((await insert(rows)).error?.description).toContain('No row was inserted.');
		ok(await insert(rows));
		expect(table.ids).toEqual([1, 2]);
	});

	it('are not inserted when they may be in the table, and no error denies that', async () => {
		const table = takeInserts(suite);
		lose();
		const lost = await insert(rows);
		expect(lost.error?.description).toContain('all 2 rows or none of them are in the table.');
		const { error } = await insert(rows);
		expect(error?.message).toContain('not certain whether this was already done');
		for (const each of [lost.error, error]) {
			expect(each?.description).not.toContain('No row was inserted');
			expect(each?.context?.data).toMatchObject({ ambiguous: true, deduplicationKey: 'a' });
		}
		expect(table.ids).toEqual([]);
	});
});

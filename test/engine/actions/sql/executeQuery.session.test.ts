import type { NodeEgressFilter } from 'n8n-workflow';

import { by } from '../../../support/files';
import { until } from '../../../support/until';
import { errorOf, startNode, ok } from '../../harness';
import { INSERT, SELECT, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

describe('a connection', () => {
	beforeEach(() => suite.sql.answer(SELECT, { rows: [{ a: 1 }] }));

	it('carries the key in a header, and nothing secret in its address', async () => {
		await run(SELECT);
		const [{ path, headers }] = suite.sql.handshakes;
		expect(path).toMatch(/\/1\.0\.0$/);
		expect(headers['x-api-key']).toBe(suite.credentials.admin.apiKey);
		expect(headers['user-agent']).toMatch(/^n8n-nodes-wherobots/);
	});

	it('needs a Node.js with sockets, and starts no session without one', async () => {
		const real = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket') ?? {};
		Object.defineProperty(globalThis, 'WebSocket', { configurable: true, value: undefined });
		const { error } = await run(SELECT);
		Object.defineProperty(globalThis, 'WebSocket', real);
		expect(error?.message).toBe('SQL needs n8n on Node.js 22 or later');
		expect(error?.description).toMatch(/No session was started.*Node\.js 22/);
		expect(suite.requests.count).toBe(0);
	});

	describe('with an address filter of n8n', () => {
		/** A filter that allows the first so many connections. */
		const filterAfter = (count: number) => {
			const asked: string[] = [];
			const validateUrl = async (url: string | URL) => {
				const isAllowed = asked.push(String(url)) <= count;
				const error = Object.assign(new Error('10.0.0.1 is blocked'), {
					name: 'SsrfBlockedIpError',
				});
				return await Promise.resolve(isAllowed ? { ok: true } : { ok: false, error });
			};
			return { asked, filter: { validateUrl } as unknown as NodeEgressFilter };
		};

		it('is not made to an address that is not allowed', async () => {
			const { filter } = filterAfter(0);
			const { error } = await run(SELECT, {}, { egressFilter: filter });
			expect(error?.message).toBe('This n8n does not allow connections to the SQL session');
			expect(error?.description).toMatch(/Session ID: [^]*10\.0\.0\.1 is blocked[^]*administrator/);
			expect(suite.sql.handshakes).toEqual([]);
		});

		it('is made again only when the address is still allowed', async () => {
			const { asked, filter } = filterAfter(2);
			suite.sql.addFault({ at: 'statement', times: 1, fault: { kind: 'cut', taken: true } });
			await run(SELECT, {}, { egressFilter: filter });
			expect(asked).toHaveLength(2);
			expect(suite.sql.handshakes).toHaveLength(2);
			expect(asked.map((url) => new URL(url).pathname)).toEqual(
				suite.sql.handshakes.map(({ path }) => path),
			);
		});
	});

	it('is closed, and the statement cancelled, when the execution is stopped', async () => {
		suite.sql.answer(SELECT, { rows: [{ a: 1 }], seconds: 600 });
		const running = startNode(suite.sandbox, {
			...{ resource: 'sql', operation: 'executeQuery', query: SELECT },
		});
		await until(() => suite.sql.taken().length > 0);
		running.cancel();
		await running.result;
		await until(() => suite.sql.taken()[0].cancels === 1);
		await until(() => suite.sql.sessions.all()[0].clients === 0);
	});
});

describe('a session', () => {
	beforeEach(() => suite.sql.answer(SELECT, { rows: [{ a: 1 }] }));

	const posts = () => suite.requests.of('createSqlSession');

	it('is shared by items, and by executions', async () => {
		await run(SELECT, {}, { input: [{}, {}, {}] });
		await run(SELECT);
		expect(posts().map(({ body }) => body)).toEqual(Array(2).fill({ sessionType: 'multi' }));
		expect(suite.sql.sessions.all()).toHaveLength(1);
	});

	it.each(['single', 'new'])('is started once for each execution (%s)', async (sessionType) => {
		const sessionOptions = { sessionType };
		await run(SELECT, { sessionOptions }, { input: [{}, {}] });
		expect(suite.sql.sessions.all()).toHaveLength(1);
		await run(SELECT, { sessionOptions });
		expect(suite.sql.sessions.all()).toHaveLength(2);
	});

	it.each([
		['single', 'single', 2],
		['new', 'multi', 1],
	])('is shared afterwards, or not (%s)', async (sessionType, sent, count) => {
		for (const each of [sessionType, 'multi']) {
			await run(SELECT, { sessionOptions: { sessionType: each } });
		}
		expect(posts()[0].body).toEqual({ sessionType: sent });
		expect(suite.sql.sessions.all()).toHaveLength(count);
	});

	it('is requested again when the response was lost, if it may be shared', async () => {
		suite.fails('createSqlSession', { kind: 'reset', when: 'after' }, { times: 1 });
		const { json } = ok(await run(SELECT));
		expect(json).toEqual([{ a: 1 }]);
		expect(suite.sql.sessions.all()).toHaveLength(1);
	});

	it('is not requested again when the response was lost, if it may not be shared', async () => {
		suite.fails('createSqlSession', { kind: 'reset', when: 'after' }, { times: 1 });
		const sessionOptions = { sessionType: 'single' };
		const { error } = await run(SELECT, { sessionOptions }, { maxTries: 3 });
		expect(error?.description).toContain('look for a new SQL session (SQL Session: Get Many)');
		expect(error?.context?.data).toMatchObject({ ambiguous: true });
		expect(posts()).toHaveLength(1);
	});

	it('that is deleted meanwhile is not waited for', async () => {
		const { sql, requests } = suite;
		requests.listen(({ endpoint }) => {
			if (endpoint === 'getSqlSession') sql.sessions.end(sql.sessions.all()[0]);
		});
		const { items } = await run(SELECT, {}, { onError: 'continueRegularOutput' });
		expect(errorOf(items[0])).toMatchObject({
			message: 'The SQL session was shut down before the statement was sent',
			description: expect.stringContaining('Run the node again.') as string,
			sessionId: sql.sessions.all()[0].id,
		});
	});
});

it('a session is requested with every option of the form', async () => {
	const sessionOptions = {
		...{ version: 'preview', idleTimeoutMinutes: 10, unusedTimeoutMinutes: 2 },
		environmentPresetId: by('list', 'preset-1'),
		environmentOverridePresetId: by('id', 'preset-2'),
	};
	suite.sql.answer(SELECT, { rows: [{ a: 1 }] });
	ok(await run(SELECT, { sessionOptions }));
	expect(suite.sql.sessions.all()[0].payload).toEqual({
		...{ version: 'preview', idleTimeoutMinutes: 10, shutdownAfterInactiveSeconds: 120 },
		...{ environmentPresetId: 'preset-1', environmentOverridePresetId: 'preset-2' },
		sessionType: 'multi',
	});
});

describe('a session', () => {
	beforeEach(() => {
		suite.sql.answer(SELECT, { rows: [{ a: 1 }] });
		suite.sql.answer(INSERT, {});
	});

	const sessionIds = () => suite.sql.taken().map(({ sessionId }) => sessionId);

	it('is only shared with queries that have the same key', async () => {
		for (const sessionKey of ['one', 'two', 'one', '']) {
			await run(SELECT, { sessionOptions: sessionKey ? { sessionKey } : {} });
		}
		const [first, second, third, fourth] = sessionIds();
		expect(third).toBe(first);
		expect(new Set([first, second, fourth]).size).toBe(3);
	});

	it('that is shared because of a quota is noted for a query that reads', async () => {
		await run(SELECT);
		suite.variants.sqlSessionQuota = 1;
		const { json, hints } = await run(SELECT, { sessionOptions: { sessionType: 'new' } });
		expect(json).toEqual([{ a: 1 }]);
		expect(hints).toEqual([expect.stringMatching(/used another one of yours.*quota/)]);
		expect(new Set(sessionIds()).size).toBe(1);
	});

	it.each(['new', 'single'])(
		'that is shared because of a quota gets no statement that writes (%s)',
		async (sessionType) => {
			await run(SELECT);
			suite.variants.sqlSessionQuota = 1;
			const { error } = await run(INSERT, { sessionOptions: { sessionType } }, { maxTries: 2 });
			expect(error?.message).toBe(
				'The service shared an existing session instead of starting a new one',
			);
			expect(error?.description).toMatch(/quota.*was not sent[^]*Session ID: /);
			expect(suite.sql.taken(INSERT)).toEqual([]);
			// With another key the query did not ask for a session of its own.
			const keyed = await run(INSERT, { sessionOptions: { sessionKey: 'x' } });
			expect([keyed.json.length, keyed.hints.length]).toEqual([1, 1]);
		},
	);

	it('says how long it took to start', async () => {
		const first = await run(SELECT, {}, { input: [{}, {}] });
		expect(first.work).toEqual([
			expect.stringMatching(/^The SQL session took \d+ seconds to start\.$/),
		]);
		expect((await run(SELECT)).work).toEqual([]);
	});
});

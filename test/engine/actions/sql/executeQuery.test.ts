import type { INodeParameters } from 'n8n-workflow';

import { sha256, useFileStore } from '../../../support/files';
import { errorOf, runNode, startNode, type NodeOptions } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { until } from '../../../support/until';
import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/transport/sql/runStatement';
import { SOCKET_LIMITS } from '../../../../nodes/Wherobots/transport/sql/socket';

const suite = suiteWithSandbox();
const limits = { statement: { ...STATEMENT_LIMITS }, socket: { ...SOCKET_LIMITS } };

afterEach(() => {
	Object.assign(STATEMENT_LIMITS, limits.statement);
	Object.assign(SOCKET_LIMITS, limits.socket);
	expect(suite.sandbox.sql.violations).toEqual([]);
});

const SELECT = 'SELECT * FROM cities';
const INSERT = 'INSERT INTO cities SELECT * FROM more';

async function run(query: string, more: INodeParameters = {}, options?: NodeOptions) {
	return await runNode(
		suite.sandbox,
		{ resource: 'sql', operation: 'executeQuery', query, ...more },
		options,
	);
}

const point = { type: 'Point', coordinates: [7.1, 50.7] };
const cities = [
	{ id: 9007199254740993n, name: 'Köln 🏙', height: 52.5, active: true, at: point, tags: ['a'] },
	{ id: 2n, name: null, height: 1, active: false, at: null, tags: [] },
];

describe('rows', () => {
	beforeEach(() => {
		suite.sandbox.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
	});

	const expected = [
		{
			...{ id: '9007199254740993', name: 'Köln 🏙', height: 52.5, active: true, tags: ['a'] },
			at: 'POINT (7.1 50.7)',
		},
		{ id: 2, name: null, height: 1, active: false, at: null, tags: [] },
	];

	it.each([
		{},
		{ sqlFrames: 'text' },
		{ sqlFrames: 'text', sqlTextPayload: 'utf8' },
		{ sqlFrames: 'binary' },
		{ sqlStates: 'twice', sqlNoise: true },
		{ sqlStates: 'last', sqlNoise: true },
		{ sqlRowLayout: 'lines' },
		{ sqlRowLayout: 'split' },
		{ sqlCompression: 'gzip' },
		{ sqlSessionLocation: 'relative', sqlUnknownSession: 'notFound' },
		{ sqlMetaWhileStarting: 'url' },
		{ sqlMetaWhileStarting: 'null' },
	] as const)('come as items with their types (%j)', async (variants) => {
		Object.assign(suite.sandbox.variants, variants);
		const { json, error, hints } = await run(SELECT);
		expect(error).toBeUndefined();
		expect(json).toEqual(expected);
		expect(hints).toEqual([]);
		expect(suite.sandbox.sql.taken()).toHaveLength(1);
	});

	it.each(['text', 'object'] as const)('come with geometries as GeoJSON (%s)', async (layout) => {
		suite.sandbox.variants.sqlRowGeoJson = layout;
		const { json, error } = await run(SELECT, { geometryFormat: 'geojson' });
		expect(error).toBeUndefined();
		expect(json.map(({ at }) => at)).toEqual([point, null]);
	});

	it('say what else to do when the session packs them', async () => {
		suite.sandbox.variants.sqlCompression = 'brotli';
		const { json, error } = await run(SELECT);
		// Node.js 24 can read them.
		if (error) expect(error.description).toContain('CSV or GeoJSON file');
		else expect(json).toEqual(expected);
	});

	it.each(['empty', 'null'] as const)('may be none (%s)', async (way) => {
		suite.sandbox.variants.sqlNoRows = way;
		suite.sandbox.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
		const { json, error, hints } = await run('SELECT 0');
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
		expect(hints).toEqual(['There are no rows in the result of the query.']);
	});

	it('say when there are more than the service sends', async () => {
		const rows = Array.from({ length: 1_001 }, (_, n) => ({ n }));
		suite.sandbox.sql.answer('SELECT n', { rows });
		const { json, hints } = await run('SELECT n');
		expect(json).toHaveLength(1_000);
		expect(hints).toEqual([expect.stringContaining('the service sends no more')]);
		const few = await run('SELECT n', { options: { maxRows: 10 } });
		expect(few.json).toEqual(rows.slice(0, 10));
		expect(few.hints).toEqual([expect.stringContaining("'Max Rows'")]);
	});

	it.each([
		[
			'SELECT x',
			'[{"d": 1234567890123456789.01, "n": NaN}]',
			{ d: '1234567890123456789.01', n: 'NaN' },
		],
	])('keep what JavaScript numbers lose', async (query, json, row) => {
		suite.sandbox.sql.answer(query, { columns: ['d', 'n'], rows: [{}], json });
		expect((await run(query)).json).toEqual([row]);
	});

	it('are not taken for whole when they are cut', async () => {
		suite.sandbox.sql.addFault({ at: 'frame', fault: { kind: 'shorten', bytes: 40 } });
		const { error, json } = await run(SELECT);
		expect(json).toEqual([]);
		expect(error?.message).toBe('The rows that the SQL session sent cannot be read');
		expect(error?.description).toContain('not all of them arrived');
	});
});

describe('a statement without rows', () => {
	it('gives one item', async () => {
		suite.sandbox.sql.answer(INSERT, {});
		const { json, error } = await run(INSERT, { output: 'csv' });
		expect(error).toBeUndefined();
		const [{ id, sessionId, store }] = suite.sandbox.sql.taken();
		expect(json).toEqual([{ executionId: id, sessionId, state: 'succeeded' }]);
		expect(store).toBeUndefined();
	});

	it('fails in the words of the service, with what there is to find it', async () => {
		const { error } = await run('DROP TABLE nothing');
		expect(error?.message).toMatch(/^The statement failed: \[TABLE_OR_VIEW_NOT_FOUND\]/);
		const [{ id, sessionId }] = suite.sandbox.sql.taken();
		expect(error?.description).toContain(`Session ID: ${sessionId}\nExecution ID: ${id}`);
		expect(error?.context?.facts).toMatchObject({ executionId: id, sessionId, state: 'failed' });
	});

	it.each(['before', 'never'] as const)('fails (the reason comes %s)', async (when) => {
		suite.sandbox.variants.sqlErrorEvent = when;
		STATEMENT_LIMITS.explanationMs = 50;
		const { error } = await run('DROP TABLE nothing');
		expect(error?.message).toMatch(/^The statement failed/);
	});
});

describe('parameters', () => {
	it('are bound by value', async () => {
		suite.sandbox.sql.answer(/./, { rows: [{ a: 1 }] });
		const queryParameters = {
			parameter: [
				{ name: 'size', type: 'number', value: '={{ 2.50 }}' },
				{ name: ':name', type: 'text', value: "x' OR ':size'" },
				{ name: 'since', type: 'timestamp', value: '2026-01-31T09:00:00+01:00' },
				{ name: 'ids', type: 'list', value: '[1, "b", null]' },
				{ name: 'no', type: 'null', value: '' },
				{ name: 'yes', type: 'boolean', value: 'true' },
			],
		};
		const { error } = await run(
			"SELECT ':size', :size, :name, :since, id IN :ids, :no, :yes -- :size",
			{ queryParameters },
		);
		expect(error).toBeUndefined();
		const [{ text }] = suite.sandbox.sql.taken();
		expect(text).toBe(
			"SELECT ':size', 2.5, CAST(X'7827204F5220273A73697A6527' AS STRING), " +
				"TIMESTAMP '2026-01-31T08:00:00Z', id IN (1, 'b', NULL), NULL, TRUE -- :size",
		);
	});

	it.each([
		[[{ name: 'a b' }], '\'Query Parameters\' has the name "a b"'],
		[[{ name: 'a', type: 'number', value: '1 OR 1' }], "'Query Parameters' has a value for :a"],
		[[{ name: 'a', type: 'list', value: '[]' }], "'Query Parameters' has a value for :a"],
		[[{ name: 'a', type: 'list', value: '[{}]' }], "'Query Parameters' has a value for :a"],
		[[{ name: 'a', type: 'date' }], "'Query Parameters' must have one of the types"],
		[[{ name: 'a' }, { name: ':a' }], "'Query Parameters' has two values for :a"],
		[[{ name: 'b' }], "'Query Parameters' has no value for :a"],
	])('are checked: %j', async (parameter, message) => {
		const { error } = await run('SELECT :a', { queryParameters: { parameter } });
		expect(error?.message).toContain(message);
		expect(suite.sandbox.requests.count).toBe(0);
	});

	it.each([
		['-- nothing', "'Query' must not be empty"],
		['SELECT {{ $json.a }}', "'Query' contains {{, which is no SQL"],
	])('are what to use: %s', async (query, message) => {
		const { error } = await run(query);
		expect(error?.message).toContain(message);
	});

	it('with Read Only nothing is changed', async () => {
		const { error } = await run(INSERT, { readOnly: true });
		expect(error?.message).toBe("'Query' must only read, because 'Read Only' is on");
		expect(suite.sandbox.requests.count).toBe(0);
	});
});

describe('a file', () => {
	const rows = [
		{ id: 1, name: 'a "b"\nc' },
		{ id: 2, name: '' },
	];
	const csv = 'id,name\n1,"a ""b""\nc"\n2,""\n';

	it('has all rows, and is what the session wrote', async () => {
		suite.sandbox.sql.answer(SELECT, { rows });
		const store = await useFileStore();
		const { items, error, hints } = await run(SELECT, { output: 'csv' });
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		const [{ id, sessionId, store: asked }] = suite.sandbox.sql.taken();
		expect(asked).toEqual({
			format: 'csv',
			single: 'true',
			generate_presigned_url: 'true',
			options: { header: 'true', escape: '"' },
		});
		const [{ json, binary }] = items;
		expect(json).toEqual({
			...{ executionId: id, sessionId, state: 'succeeded', fileName: 'query-result.csv' },
			...{ bytes: csv.length, sha256: sha256(csv) },
		});
		expect(binary?.data).toMatchObject({ fileName: 'query-result.csv', mimeType: 'text/csv' });
		expect(String(await store.read(binary?.data as never))).toBe(csv);
		await store.dispose();
		const [{ headers }] = suite.sandbox.presigned.requests;
		expect(Object.keys(headers).filter((name) => /^x-|authorization/.test(name))).toEqual([]);
	});

	it('may be GeoJSON, with a name of its own', async () => {
		suite.sandbox.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		const options = { fileName: 'cities.geojson', binaryPropertyName: 'map' };
		const { items, error } = await run(SELECT, { output: 'geojson', options });
		expect(error).toBeUndefined();
		const file = items[0].binary?.map;
		expect(file).toMatchObject({ fileName: 'cities.geojson', mimeType: 'application/geo+json' });
		const [first] = Buffer.from(file?.data ?? '', 'base64')
			.toString()
			.split('\n');
		expect(JSON.parse(first)).toMatchObject({ type: 'Feature', geometry: point });
	});

	it.each(['absent', 'null'] as const)(
		'is not made up when there are no rows (%s)',
		async (way) => {
			suite.sandbox.variants.sqlResultUri = way;
			suite.sandbox.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
			const { items, error } = await run('SELECT 0', { output: 'csv' });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ state: 'succeeded', rows: 0 });
			expect(items[0].binary).toBeUndefined();
		},
	);

	it('with geometries in CSV is refused with what helps', async () => {
		suite.sandbox.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		const { error } = await run(SELECT, { output: 'csv' });
		expect(error?.description).toContain('ST_AsText');
	});

	it('is fetched again when the transfer breaks, and never shows its address', async () => {
		suite.sandbox.sql.answer(SELECT, { rows });
		const broken = { method: 'GET', times: 1, fault: { kind: 'cut', bytes: 5 } } as const;
		suite.sandbox.presigned.addFault(broken);
		const again = await run(SELECT, { output: 'csv' });
		expect(again.error).toBeUndefined();
		const refuse = { kind: 'refuse', status: 403, code: 'AccessDenied' } as const;
		suite.sandbox.presigned.addFault({ method: 'GET', fault: refuse });
		const { error, run: left } = await run(SELECT, { output: 'csv' });
		expect(error?.message).toBe('The storage did not give the file');
		expect(error?.description).toContain('The statement succeeded');
		for (const secret of suite.sandbox.presigned.secrets) {
			expect(JSON.stringify([error, left])).not.toContain(secret);
		}
		// The statement was not executed again for it.
		expect(suite.sandbox.sql.taken()).toHaveLength(2);
	});

	it.each(['silence', 'lost message'])('is found after a %s', async (what) => {
		STATEMENT_LIMITS.silenceMs = 50;
		suite.sandbox.sql.answer(SELECT, { rows });
		suite.sandbox.sql.addFault(
			what === 'silence'
				? { at: 'statement', fault: { kind: 'silence' } }
				: { at: 'frame', frame: 'state_updated', state: 'succeeded', fault: { kind: 'lose' } },
		);
		const { error, items } = await run(SELECT, { output: 'csv' });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ bytes: csv.length });
	});
});

describe('what is lost', () => {
	beforeEach(() => {
		STATEMENT_LIMITS.silenceMs = 50;
		suite.sandbox.sql.answer(SELECT, { rows: [{ a: 1 }] });
		suite.sandbox.sql.answer(INSERT, {});
	});

	it.each([true, false])('is open for a statement that changes (taken: %s)', async (taken) => {
		suite.sandbox.sql.addFault({ at: 'statement', fault: { kind: 'cut', taken, code: 1011 } });
		const { error } = await run(INSERT, {}, { maxTries: 3 });
		expect(error?.message).toBe(
			'The connection to the SQL session was lost: it is not certain what the statement has done',
		);
		expect(error?.description).toContain('Close code 1011');
		expect(error?.description).toContain('Retry on Fail has not sent the statement again');
		expect(error?.context?.facts).toMatchObject({ ambiguous: true, state: 'unknown' });
		expect(suite.sandbox.sql.taken().length).toBe(taken ? 1 : 0);
		expect(suite.sandbox.sql.handshakes).toHaveLength(1);
	});

	it('is read again by Retry on Fail', async () => {
		suite.sandbox.sql.addFault({ at: 'statement', times: 1, fault: { kind: 'cut', taken: true } });
		const { error, json } = await run(SELECT, {}, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(json).toEqual([{ a: 1 }]);
		expect(suite.sandbox.sql.taken()).toHaveLength(2);
	});

	it('does not keep what failed from being tried again', async () => {
		let tries = 0;
		suite.sandbox.sql.answer(INSERT, () => (++tries === 1 ? { error: 'conflict' } : {}));
		const { error } = await run(INSERT, {}, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(suite.sandbox.sql.taken()).toHaveLength(2);
	});

	it('does not repeat what another item has done', async () => {
		let tries = 0;
		suite.sandbox.sql.answer('INSERT 2', () => (++tries === 1 ? { error: 'conflict' } : {}));
		suite.sandbox.sql.answer('INSERT 1', {});
		const input = [{ n: 1 }, { n: 2 }];
		const { error, json } = await run('=INSERT {{ $json.n }}', {}, { input, maxTries: 2 });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(suite.sandbox.sql.taken().map(({ text }) => text)).toEqual([
			...['INSERT 1', 'INSERT 2', 'INSERT 2'],
		]);
	});

	it('is asked for: a message, or all of them', async () => {
		suite.sandbox.sql.addFault({ at: 'statement', times: 1, fault: { kind: 'silence' } });
		suite.sandbox.sql.addFault({ at: 'retrieve', times: 2, fault: { kind: 'running' } });
		const { error, json } = await run(SELECT);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ a: 1 }]);
		expect(suite.sandbox.sql.taken()).toHaveLength(1);
	});

	it.each([
		[INSERT, 'The SQL session no longer knows the statement: it is not certain'],
		[SELECT, 'The SQL session no longer knows the statement'],
	])('may be forgotten: %s', async (query, message) => {
		suite.sandbox.sql.addFault({ at: 'statement', fault: { kind: 'silence' } });
		suite.sandbox.sql.addFault({ at: 'retrieve', fault: { kind: 'forgotten' } });
		const { error } = await run(query);
		expect(error?.message).toContain(message);
	});

	it('may be the whole session', async () => {
		suite.sandbox.sql.addFault({ at: 'statement', fault: { kind: 'die', message: 'evicted' } });
		const { error } = await run(INSERT);
		expect(error?.message).toContain('it is not certain what the statement has done');
	});

	it('in garbage says so', async () => {
		suite.sandbox.sql.addFault({
			at: 'frame',
			frame: 'state_updated',
			fault: { kind: 'replace', data: Buffer.from([0xff]) },
		});
		const { error } = await run(SELECT);
		expect(error?.message).toBe('The SQL session sent a message that cannot be read');
		expect(error?.description).toContain('It only reads, so it can be run again.');
	});
});

describe('a connection', () => {
	beforeEach(() => suite.sandbox.sql.answer(SELECT, { rows: [{ a: 1 }] }));

	it('carries the key in a header, and nothing in its address', async () => {
		await run(SELECT);
		const [{ path, headers }] = suite.sandbox.sql.handshakes;
		expect(path).toMatch(/\/1\.0\.0$/);
		expect(headers['x-api-key']).toBe(suite.sandbox.credentials.admin.apiKey);
		expect(headers['user-agent']).toMatch(/^n8n-nodes-wherobots/);
	});

	it('is tried again, because nothing was sent', async () => {
		const fault = { kind: 'refuse', status: 503 } as const;
		suite.sandbox.sql.addFault({ at: 'handshake', times: 2, fault });
		const { error, json } = await run(SELECT);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ a: 1 }]);
	});

	it.each(['refuse', 'reset', 'hang'] as const)('that does not open says so: %s', async (kind) => {
		SOCKET_LIMITS.openMs = 100;
		const fault = kind === 'refuse' ? { kind, status: 401 } : { kind };
		suite.sandbox.sql.addFault({ at: 'handshake', fault });
		const { error } = await run(SELECT);
		expect(error?.message).toBe('Could not connect to the SQL session');
		expect(error?.description).toContain('The statement was not sent');
		expect(suite.sandbox.sql.handshakes).toHaveLength(3);
	});

	it.each(['wss://sql.example.com/s', 'https://cloud.wherobots.com/s', 'ftp://127.0.0.1'])(
		'is not opened to %s',
		async (url) => {
			suite.sandbox.sql.planSessions({ url });
			const { error } = await run(SELECT);
			expect(error?.message).toContain('the key must not be sent to');
			expect(suite.sandbox.sql.handshakes).toEqual([]);
		},
	);

	it('needs a Node.js that has sockets, and starts no session without', async () => {
		const real = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket') ?? {};
		Object.defineProperty(globalThis, 'WebSocket', { configurable: true, value: undefined });
		const { error } = await run(SELECT);
		Object.defineProperty(globalThis, 'WebSocket', real);
		expect(error?.message).toBe('SQL needs n8n on Node.js 22 or later');
		expect(suite.sandbox.requests.count).toBe(0);
	});

	it('is closed, and the statement cancelled, when the execution is stopped', async () => {
		suite.sandbox.sql.answer(SELECT, { rows: [{ a: 1 }], seconds: 600 });
		const running = startNode(suite.sandbox, {
			...{ resource: 'sql', operation: 'executeQuery', query: SELECT },
		});
		await until(() => suite.sandbox.sql.taken().length > 0);
		running.cancel();
		await running.result;
		await until(() => suite.sandbox.sql.taken()[0].cancels === 1);
		await until(() => suite.sandbox.sql.sessions.all()[0].clients === 0);
	});

	it('is closed in any case', async () => {
		await run(SELECT);
		await run('SELECT nothing');
		await until(() => suite.sandbox.sql.sessions.all().every(({ clients }) => clients === 0));
	});

	it('cancels what takes too long', async () => {
		suite.sandbox.sql.answer(INSERT, { seconds: 600 });
		const { error } = await run(INSERT, { options: { queryTimeoutSeconds: 1 } });
		expect(error?.message).toBe('The statement took too long and was cancelled');
		expect(error?.context?.facts).toMatchObject({ state: 'cancelled' });
	});
});

describe('a session', () => {
	beforeEach(() => suite.sandbox.sql.answer(SELECT, { rows: [{ a: 1 }] }));

	const posts = () => suite.sandbox.requests.of('createSqlSession');

	it('is shared by items, and by executions', async () => {
		await run(SELECT, {}, { input: [{}, {}, {}] });
		await run(SELECT);
		expect(posts().map(({ body }) => body)).toEqual(Array(2).fill({ sessionType: 'multi' }));
		expect(suite.sandbox.sql.sessions.all()).toHaveLength(1);
	});

	it.each([{ sessionType: 'single' }, { startNewSession: true }])(
		'is started once for each execution (%j)',
		async (options) => {
			await run(SELECT, { options }, { input: [{}, {}] });
			expect(suite.sandbox.sql.sessions.all()).toHaveLength(1);
			await run(SELECT, { options });
			expect(suite.sandbox.sql.sessions.all()).toHaveLength(2);
		},
	);

	it('is asked for as the form says', async () => {
		await run(SELECT, {
			runtime: { __rl: true, mode: 'name', value: 'tiny' },
			region: { __rl: true, mode: 'name', value: 'aws-us-west-2' },
			options: { shutdownAfterInactiveSeconds: 60, startNewSession: true },
		});
		expect(posts()).toMatchObject([
			{
				query: { region: 'aws-us-west-2', force_new: 'true' },
				body: { runtimeId: 'tiny', sessionType: 'multi', shutdownAfterInactiveSeconds: 60 },
			},
		]);
	});

	it.each([{}, { sessionType: 'single' }])(
		'is found when the response to the request for it was lost (%j)',
		async (options) => {
			const fault = { kind: 'reset', when: 'after' } as const;
			suite.sandbox.faults.add({ endpoint: 'createSqlSession', times: 1, fault });
			const { error, json } = await run(SELECT, { options });
			expect(error).toBeUndefined();
			expect(json).toEqual([{ a: 1 }]);
			expect(suite.sandbox.sql.sessions.all()).toHaveLength(1);
		},
	);

	it('that does not start says why, and which it is', async () => {
		suite.sandbox.sql.planSessions({ outcome: 'INIT_FAILED', message: 'No capacity\nfor it' });
		const { error } = await run(SELECT);
		expect(error?.message).toBe('The SQL session did not start: No capacity');
		const [{ id }] = suite.sandbox.sql.sessions.all();
		expect(error?.description).toContain(`Its status is INIT_FAILED. Session ID: ${id}`);
		expect(error?.context?.facts).toMatchObject({ sessionId: id, status: 'INIT_FAILED' });
	});

	it('that is never ready is named', async () => {
		suite.sandbox.sql.planSessions({ outcome: 'never' });
		const { error } = await run(SELECT, { options: { sessionWaitSeconds: 60 } });
		expect(error?.message).toBe('The SQL session was not ready within 60 seconds');
		expect(error?.description).toContain(suite.sandbox.sql.sessions.all()[0].id);
	});

	it('that is deleted meanwhile is not waited for', async () => {
		const { sql, requests } = suite.sandbox;
		requests.listen(({ endpoint }) => {
			if (endpoint === 'getSqlSession') sql.sessions.end(sql.sessions.all()[0]);
		});
		const { items } = await run(SELECT, {}, { onError: 'continueRegularOutput' });
		expect(errorOf(items[0])).toMatchObject({
			message: 'The SQL session was shut down before it took the statement',
			sessionId: sql.sessions.all()[0].id,
		});
	});
});

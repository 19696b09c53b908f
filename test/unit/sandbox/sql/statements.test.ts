import { until } from '../../../support/until';
import { closeAll } from '../open';
import { openSession, plain, type Client } from './socket';

afterEach(closeAll);

const CITIES = {
	rows: [
		{ id: 9007199254740993n, name: 'Bonn', at: { type: 'Point', coordinates: [7.1, 50.7] } },
		{ id: 2n, name: 'Kaş, "TR"', at: null },
	],
	geometryColumns: ['at'],
};

const rowsOf = ({ results }: Record<string, unknown>) =>
	(results as { result_bytes: Buffer }).result_bytes.toString();

describe('handshakes', () => {
	it.each([
		['without a key', {}, '/1.0.0', 401],
		['with a wrong key', { 'X-API-Key': 'x' }, '/1.0.0', 401],
		['with the key of another person', { 'X-API-Key': 'sandbox-user-key-000002' }, '/1.0.0', 403],
		['without a version', undefined, '', 404],
		['with another version', undefined, '/2.0.0', 404],
		['with a query', undefined, '/1.0.0?token=x', 404],
	])('are refused %s', async (_, headers, path, status) => {
		const { connect, sandbox } = await openSession();
		expect(await connect(headers as Record<string, string> | undefined, path)).toBe(status);
		expect(sandbox.sql.handshakes.at(-1)?.status).toBe(status);
	});

	it('are accepted with a token', async () => {
		const { connect, sandbox } = await openSession();
		const { bearerToken } = sandbox.credentials.admin;
		expect(typeof (await connect({ Authorization: `Bearer ${bearerToken}` }))).toBe('object');
	});

	it('are refused while the only client of a single session is connected', async () => {
		const { connect, client, sandbox } = await openSession({}, { sessionType: 'single' });
		expect(await connect()).toBe(409);
		client.socket.close();
		await until(() => sandbox.sql.sessions.all()[0].clients === 0);
		expect(typeof (await connect())).toBe('object');
	});

	it('are refused when the session is not ready', async () => {
		const { connect, admin, sandbox, id } = await openSession();
		await admin.delete(`/sql/session/${id}`);
		expect(await connect()).toBe(503);
		expect(sandbox.sql.handshakes).toHaveLength(2);
	});
});

describe('statements', () => {
	it('report their states, and their rows in a binary message', async () => {
		const { client, sandbox } = await openSession();
		sandbox.sql.answer('SELECT * FROM cities', CITIES);
		const id = client.execute('SELECT * FROM cities');
		await client.next('state_updated', 'pending');
		await client.next('state_updated', 'running');
		const done = await client.next('state_updated', 'succeeded');
		expect(done).toEqual({ kind: 'state_updated', execution_id: id, state: 'succeeded' });
		client.retrieve(id, { geometry: 'wkt' });
		const result = await client.next('execution_result', 'succeeded');
		expect(result.results).toMatchObject({
			format: 'json',
			compression: 'none',
			geometry: 'wkt',
			geo_columns: ['at'],
		});
		expect(rowsOf(result)).toBe(
			'[{"id":9007199254740993,"name":"Bonn","at":"POINT (7.1 50.7)"},' +
				'{"id":2,"name":"Kaş, \\"TR\\"","at":null}]',
		);
		expect(client.binary).toEqual([false, false, false, true]);
		expect(sandbox.sql.taken()).toEqual([
			expect.objectContaining({
				id,
				text: 'SELECT * FROM cities',
				state: 'succeeded',
				retrievals: 1,
			}),
		]);
		expect(sandbox.sql.violations).toEqual([]);
	});

	it('take time, report their progress, and can be cancelled', async () => {
		const { client, sandbox, clock } = await openSession();
		sandbox.sql.answer(/slow/, { rows: [{ n: 1 }], seconds: 60 });
		const id = client.execute('SELECT slow', { enable_progress_events: true });
		await client.next('state_updated', 'running');
		clock.advance(30_000);
		let { tasks_completed: completed } = await client.next('execution_progress');
		if (completed === 0) completed = (await client.next('execution_progress')).tasks_completed;
		expect(completed).toBe(2);
		client.retrieve(id);
		expect(await client.next('execution_result')).toMatchObject({
			state: 'running',
			results: null,
		});
		client.send({ kind: 'cancel', execution_id: id });
		await client.next('state_updated', 'cancelled');
		expect(sandbox.sql.taken()).toEqual([
			expect.objectContaining({ state: 'cancelled', cancels: 1 }),
		]);
	});

	it.each(['after', 'before'] as const)('fail with a message %s the state', async (when) => {
		const { client, sandbox } = await openSession();
		sandbox.variants.sqlErrorEvent = when;
		const id = client.execute('SELECT * FROM nowhere');
		const error = await client.next('error');
		expect(error).toMatchObject({ execution_id: id });
		expect(error.message).toMatch(/TABLE_OR_VIEW_NOT_FOUND/);
		expect(sandbox.sql.taken()[0].state).toBe('failed');
	});

	it('return a thousand rows and no more', async () => {
		const { client, sandbox } = await openSession();
		sandbox.sql.answer('many', { rows: Array.from({ length: 1_200 }, (_, n) => ({ n })) });
		const id = client.execute('many');
		await client.next('state_updated', 'succeeded');
		client.retrieve(id);
		expect(JSON.parse(rowsOf(await client.next('execution_result')))).toHaveLength(1_000);
	});

	it('change something each time that they are sent', async () => {
		const { client, sandbox } = await openSession();
		let count = 0;
		sandbox.sql.answer(/^INSERT/, { changes: () => (count += 1) });
		const id = client.execute('INSERT INTO t VALUES (1)');
		await client.next('state_updated', 'succeeded');
		client.retrieve(id);
		expect(rowsOf(await client.next('execution_result'))).toBe('[]');
		client.execute('INSERT INTO t VALUES (1)');
		await client.next('state_updated', 'succeeded');
		expect([count, sandbox.sql.taken(/^INSERT/).length]).toEqual([2, 2]);
	});

	it.each([
		['a binary request', Buffer.from('{}')],
		['a request that is not JSON', 'SELECT 1'],
		['of kind', '{"kind":"ping"}'],
		['execution_id', '{"kind":"cancel","execution_id":""}'],
		['statement', '{"kind":"execute_sql","execution_id":"00000000-0000-4000-8000-000000000000"}'],
		[
			'generate_presigned_url',
			'{"kind":"execute_sql","execution_id":"00000000-0000-4000-8000-000000000000","statement":"s","store":{"format":"csv","single":true,"generate_presigned_url":"yes"}}',
		],
		[
			'requires single',
			'{"kind":"execute_sql","execution_id":"00000000-0000-4000-8000-000000000000","statement":"s","store":{"format":"csv","generate_presigned_url":"true"}}',
		],
	])('are refused as: %s', async (problem, data) => {
		const { client, sandbox } = await openSession();
		client.socket.send(data);
		expect((await client.next('error')).message).toContain(problem);
		expect(sandbox.sql.violations).toEqual([expect.stringContaining(problem)]);
		expect(sandbox.sql.taken()).toEqual([]);
	});
});

describe('files of results', () => {
	const store = (format: string, more = {}) => ({
		store: { format, single: 'true', generate_presigned_url: 'true', ...more },
	});
	const uriOf = async (client: Client, statement: string, how: object) => {
		client.execute(statement, how as Record<string, unknown>);
		return await client.next('state_updated', 'succeeded');
	};

	it('are behind an address that needs no credential, for a while', async () => {
		const { client, sandbox, clock } = await openSession();
		sandbox.sql.answer('q', {
			rows: [
				{ a: 1, b: 'x "y", z' },
				{ a: 2, b: null },
			],
		});
		const done = await uriOf(client, 'q', store('csv', { options: { header: 'true' } }));
		const uri = done.result_uri as string;
		const file = await plain.get<string>(uri);
		expect(file.data).toBe('a,b\n1,"x \\"y\\", z"\n2,\n');
		expect(done.size).toBe(Buffer.byteLength(file.data));
		expect((await plain.get(uri, { headers: { 'X-API-Key': 'k' } })).status).toBe(400);
		clock.advance(sandbox.variants.presignedSeconds * 1_000);
		expect((await plain.get(uri)).status).toBe(403);
	});

	it('do not exist for an empty result', async () => {
		const { client, sandbox } = await openSession();
		sandbox.sql.answer('q', { columns: ['a'], rows: [] });
		expect(await uriOf(client, 'q', store('csv'))).toMatchObject({ result_uri: null });
	});

	it('are GeoJSON, as one feature a line or one collection', async () => {
		const { client, sandbox } = await openSession();
		sandbox.sql.answer('q', CITIES);
		const read = async () => {
			const { result_uri: uri } = await uriOf(client, 'q', store('geojson'));
			return (await plain.get(uri as string, { responseType: 'text', transformResponse: (t) => t }))
				.data as string;
		};
		const lines = (await read()).trim().split('\n');
		expect(lines).toHaveLength(2);
		expect(lines[0]).toBe(
			'{"type":"Feature","geometry":{"type":"Point","coordinates":[7.1,50.7]},"properties":{"id":9007199254740993,"name":"Bonn"}}',
		);
		sandbox.variants.sqlGeoJsonFile = 'collection';
		expect(JSON.parse(await read()).features).toHaveLength(2);
	});

	it('are refused as CSV with geometries, and as GeoJSON without', async () => {
		const { client, sandbox } = await openSession();
		sandbox.sql.answer('q', CITIES);
		sandbox.sql.answer('plain', { rows: [{ n: 1 }] });
		client.execute('q', store('csv'));
		expect((await client.next('error')).message).toMatch(/GEOMETRY/);
		client.execute('plain', store('geojson'));
		expect((await client.next('error')).message).toMatch(/geometry/);
	});
});

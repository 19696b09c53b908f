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

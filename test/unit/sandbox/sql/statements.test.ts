import { until } from '../../../support/until';
import { closeAll } from '../open';
import { openSession } from './socket';

afterEach(closeAll);

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

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { WebSocket } from 'ws';

import { until } from '../../../support/until';
import { closeAll, open, type Open } from '../open';

/** Opens a socket, or says why not: the status of the response. */
async function connect(url: string, headers?: Record<string, string>): Promise<WebSocket | number> {
	const socket = new WebSocket(url.replace('http', 'ws'), { headers });
	return await Promise.race([
		once(socket, 'open').then(() => socket),
		once(socket, 'unexpected-response').then(([, response]) => {
			return (response as IncomingMessage).statusCode ?? 0;
		}),
	]);
}

interface OpenSession extends Open {
	id: string;
	/** `appMeta.url` of the session. */
	url: string;
	key: Record<string, string>;
	/** An open socket. */
	socket: WebSocket;
}

/** @param body the body of the request for the session */
async function openSession(body: Record<string, unknown> = {}): Promise<OpenSession> {
	const opened = await open();
	const { admin, clock, sandbox } = opened;
	const { id } = (await admin.post('/sql/session', body)).data as { id: string };
	clock.advance(sandbox.timings.sqlStartMs);
	const { url } = (await admin.get(`/sql/session/${id}`)).data.appMeta as { url: string };
	const key = { 'X-API-Key': sandbox.credentials.admin.apiKey };
	const socket = (await connect(`${url}/1.0.0`, key)) as WebSocket;
	return { ...opened, id, url, key, socket };
}

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
		const { url, key, sandbox } = await openSession();
		expect(await connect(url + path, headers ?? key)).toBe(status);
		expect(sandbox.sql.handshakes.at(-1)?.status).toBe(status);
	});

	it('are refused while the only client of a single session is connected', async () => {
		const { url, key, socket, sandbox } = await openSession({ sessionType: 'single' });
		expect(await connect(`${url}/1.0.0`, key)).toBe(409);
		socket.close();
		await until(() => sandbox.sql.sessions.all()[0].clients === 0);
		expect(await connect(`${url}/1.0.0`, key)).toBeInstanceOf(WebSocket);
	});

	it('are refused when the session is not ready', async () => {
		const { url, key, admin, id } = await openSession();
		await admin.delete(`/sql/session/${id}`);
		expect(await connect(`${url}/1.0.0`, key)).toBe(503);
	});
});

const ask = (more: object) => JSON.stringify({ kind: 'execute_sql', execution_id: 'e', ...more });

it.each([
	['a binary request', Buffer.from('{}')],
	['a request that is not JSON', 'SELECT 1'],
	['of kind', '{"kind":"ping"}'],
	['execution_id', '{"kind":"cancel","execution_id":""}'],
	['statement', ask({})],
	['generate_presigned_url', ask({ statement: 's', store: { generate_presigned_url: 'yes' } })],
	['requires single', ask({ statement: 's', store: { generate_presigned_url: 'true' } })],
])('statements are refused as: %s', async (problem, data) => {
	const { socket, sandbox } = await openSession();
	socket.send(data);
	const [answer] = (await once(socket, 'message')) as [Buffer];
	const { kind, message } = JSON.parse(answer.toString()) as Record<string, string>;
	expect([kind, message]).toEqual(['error', expect.stringContaining(problem)]);
	expect(sandbox.sql.violations).toEqual([expect.stringContaining(problem)]);
	expect(sandbox.sql.taken()).toEqual([]);
});

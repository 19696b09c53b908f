import { decode } from 'cbor-x';
import { WebSocket } from 'ws';

import type { SandboxOptions } from '../../../sandbox';
import { until } from '../../../support/until';
import { closeAll, open, type Open } from '../open';

type Message = Record<string, unknown> & { kind: string };

/** One socket, and what has arrived over it. */
class Client {
	readonly messages: Message[] = [];

	constructor(readonly socket: WebSocket) {
		socket.on('message', (data: Buffer, isBinary) => {
			this.messages.push((isBinary ? decode(data) : JSON.parse(data.toString())) as Message);
		});
		socket.on('error', () => undefined);
	}

	/** The next message of this kind. */
	async next(kind: string): Promise<Message> {
		const find = () => this.messages.findIndex((each) => each.kind === kind);
		await until(() => find() >= 0);
		return this.messages.splice(0, find() + 1).pop() as Message;
	}
}

interface OpenSession extends Open {
	id: string;
	/** `appMeta.url` of the session. */
	url: string;
	/** Opens a socket, or says why not: the status of the response. */
	connect(headers?: Record<string, string>, path?: string): Promise<Client | number>;
	/** An open socket. */
	client: Client;
}

/** @param body the body of the request for the session */
async function openSession(
	options: SandboxOptions = {},
	body: Record<string, unknown> = {},
): Promise<OpenSession> {
	const opened = await open(options);
	const { admin, clock, sandbox } = opened;
	const { id } = (await admin.post('/sql/session', body)).data as { id: string };
	clock.advance(sandbox.timings.sqlStartMs);
	const { url } = (await admin.get(`/sql/session/${id}`)).data.appMeta as { url: string };
	const key = { 'X-API-Key': sandbox.credentials.admin.apiKey };
	const connect = async (headers: Record<string, string> = key, path = '/1.0.0') => {
		const socket = new WebSocket(url.replace('http', 'ws') + path, { headers });
		const client = new Client(socket);
		return await new Promise<Client | number>((resolve) => {
			socket.on('open', () => resolve(client));
			socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
			socket.on('error', () => resolve(0));
		});
	};
	const client = (await connect()) as Client;
	return { ...opened, id, url, connect, client };
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

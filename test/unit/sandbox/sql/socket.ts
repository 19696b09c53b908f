/** A session that is ready, and a plain client for its socket. */

import { decode } from 'cbor-x';
import { WebSocket } from 'ws';

import type { SandboxOptions } from '../../../sandbox';
import { until } from '../../../support/until';
import { open, type Open } from '../open';

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
export async function openSession(
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

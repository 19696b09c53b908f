/** The origin of the sessions: handshakes, as strict as the documented protocol. */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { WebSocketServer } from 'ws';

import { ORGANIZATION_ID } from '../model/people';
import { authenticate } from '../server/auth';
import type { Environment } from '../server/environment';
import { ServiceError } from '../server/errors';
import { drop, LazyOrigin } from '../server/origin';
import { MAX_REQUEST_BYTES, SqlConnection } from './connection';
import type { SqlSession } from './sessions';

/** A request for a socket, as the tests see it. */
export interface Handshake {
	/** With its query. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** 101 when it was accepted; undefined when it was not answered. */
	status?: number;
}

type Refusal = { status: number; headers?: Record<string, string>; body?: string };

const VERSION = '1.0.0';

export class SqlServer {
	readonly connections = new Set<SqlConnection>();

	readonly handshakes: Handshake[] = [];

	private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES });

	private readonly origin: LazyOrigin;

	private readonly raw = new Set<Socket>();

	constructor(private readonly env: Environment) {
		this.origin = new LazyOrigin(env.tls, onlySockets, (server) => this.prepare(server));
	}

	/** `appMeta.url` of a session. */
	async urlOf(session: SqlSession): Promise<string> {
		return `${await this.origin.address()}/sql/${ORGANIZATION_ID}/${session.id}/ws`;
	}

	async stop(): Promise<void> {
		for (const socket of this.raw) socket.destroy();
		await this.origin.stop();
	}

	private prepare(server: Server): void {
		server.on('connection', (socket) => {
			this.raw.add(socket);
			socket.on('close', () => this.raw.delete(socket));
		});
		server.on('upgrade', (request, socket, head) => {
			socket.on('error', () => undefined);
			this.upgrade(request, socket as Socket, head);
		});
	}

	private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
		const handshake: Handshake = { path: request.url ?? '', headers: request.headers };
		this.handshakes.push(handshake);
		const fault = this.env.sql.faults.meet('handshake');
		if (fault?.kind === 'hang') return;
		if (fault?.kind === 'reset') return drop(socket);
		const found: { session: SqlSession } | Refusal = fault ?? this.admit(request);
		if (!('session' in found)) {
			handshake.status = found.status;
			return refuse(socket, found);
		}
		handshake.status = 101;
		const session = found.session;
		this.sockets.handleUpgrade(request, socket, head, (webSocket) => {
			const connection = new SqlConnection(webSocket, socket, session, this.env);
			this.connections.add(connection);
			session.clients += 1;
			webSocket.on('close', () => {
				this.connections.delete(connection);
				session.clients -= 1;
				session.leftAt = this.env.clock.now();
			});
		});
	}

	/** The requested session, or why it is refused. */
	private admit({ url = '', headers }: IncomingMessage): { session: SqlSession } | Refusal {
		const { sql, store } = this.env;
		const [, organization, id, version] =
			/^\/sql\/([^/?]+)\/([^/?]+)\/ws\/([^/?]+)$/.exec(url) ?? [];
		const session = id === undefined ? undefined : sql.sessions.get(id);
		if (organization !== ORGANIZATION_ID || version !== VERSION || !session) return { status: 404 };
		if (headers['sec-websocket-protocol'] !== undefined) return { status: 400 };
		try {
			const caller = authenticate(headers, (scheme, secret) => store.caller(scheme, secret));
			if (caller.customerId !== session.ownerId) return { status: 403 };
		} catch (error) {
			return { status: error instanceof ServiceError ? error.status : 500 };
		}
		if (sql.sessions.statusOf(session) !== 'READY') return { status: 503 };
		if (session.payload.sessionType === 'single' && session.clients > 0) return { status: 409 };
		return { session };
	}
}

function onlySockets(_request: IncomingMessage, response: ServerResponse): void {
	response.writeHead(426, { connection: 'close', 'content-type': 'text/plain' });
	response.end('Only WebSocket here\n');
}

function refuse(socket: Socket, { status, headers = {}, body = '' }: Refusal): void {
	const lines = Object.entries({
		connection: 'close',
		'content-type': 'text/plain',
		'content-length': String(Buffer.byteLength(body)),
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

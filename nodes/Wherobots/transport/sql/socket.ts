import type { SqlRequest } from '../../service/sql/messages';
import { CancelledError } from '../clock';
import { parseJson } from '../json';
import { readCbor } from './cbor';

/** Limits of a socket, in milliseconds; tests shorten them. Sessions answer in real time. */
export const SOCKET_LIMITS = {
	/** Longest time until a socket is open. */
	openMs: 30_000,
};

/** The outcome of waiting for a message. */
export type Received =
	| { kind: 'message'; message: unknown }
	/** A frame without a valid message. */
	| { kind: 'unreadable'; problem: string }
	/** Nothing arrived in time. */
	| { kind: 'silence' }
	/** The connection is over. `code` and `reason` are the other side's, or 1006 without any. */
	| { kind: 'closed'; code: number; reason: string };

/** A connection to a session, as the protocol needs it. */
export interface Channel {
	/** Sends a request; false when the connection is over, and nothing was sent. */
	send(request: SqlRequest): boolean;
	/** @throws CancelledError when the execution is cancelled */
	receive(withinMs: number): Promise<Received>;
}

/** Whether this Node.js can open sockets: from version 22 on. */
export function hasWebSocket(): boolean {
	return typeof WebSocket === 'function';
}

/** A connection to a SQL session. Its end is a result of `receive` and never thrown. */
export class SqlSocket implements Channel {
	private readonly socket: WebSocket;

	private readonly queue: Received[] = [];

	private over: Extract<Received, { kind: 'closed' }> | undefined;

	private waiting: (() => void) | undefined;

	private constructor(
		url: string,
		headers: Record<string, string>,
		private readonly signal?: AbortSignal,
	) {
		this.socket = new WebSocket(url, { headers });
		this.socket.binaryType = 'arraybuffer';
		this.socket.addEventListener('message', ({ data }) => this.take(data));
		// The platform's error event has no more information than the close event.
		this.socket.addEventListener('error', () => this.end(1006, ''));
		this.socket.addEventListener('close', ({ code, reason }) => this.end(code, reason));
	}

	/**
	 * Connects. The platform does not expose why a connection fails.
	 *
	 * @returns undefined when there is no connection
	 * @throws CancelledError when the execution is cancelled
	 */
	static async open(
		url: string,
		headers: Record<string, string>,
		signal?: AbortSignal,
	): Promise<SqlSocket | undefined> {
		const connection = new SqlSocket(url, headers, signal);
		const opened = new Promise<void>((resolve) => {
			connection.socket.addEventListener('open', () => resolve());
			connection.waiting = resolve;
			const limit = AbortSignal.timeout(SOCKET_LIMITS.openMs);
			const ends = AbortSignal.any([limit, ...(signal ? [signal] : [])]);
			ends.addEventListener('abort', () => resolve(), { once: true });
			if (ends.aborted) resolve();
		});
		await opened;
		connection.waiting = undefined;
		if (connection.socket.readyState === WebSocket.OPEN && !signal?.aborted) return connection;
		connection.close();
		if (signal?.aborted) throw new CancelledError();
		return undefined;
	}

	send(request: SqlRequest): boolean {
		if (this.over || this.socket.readyState !== WebSocket.OPEN) return false;
		this.socket.send(JSON.stringify(request));
		return true;
	}

	async receive(withinMs: number): Promise<Received> {
		if (this.queue.length === 0 && !this.over && !this.signal?.aborted) {
			await this.news(withinMs);
		}
		if (this.signal?.aborted) throw new CancelledError();
		return this.queue.shift() ?? this.over ?? { kind: 'silence' };
	}

	/** Closes the connection after pending data is sent, without waiting for the other side. */
	close(): void {
		this.end(1000, '');
		this.queue.length = 0;
		if (this.socket.readyState < WebSocket.CLOSING) this.socket.close();
	}

	/** Resolves when something has happened, or after this real time. */
	private async news(withinMs: number): Promise<void> {
		const { signal } = this;
		await new Promise<void>((resolve) => {
			const limit = AbortSignal.timeout(Math.max(0, Math.ceil(withinMs)));
			const done = () => {
				this.waiting = undefined;
				signal?.removeEventListener('abort', done);
				limit.removeEventListener('abort', done);
				resolve();
			};
			this.waiting = done;
			signal?.addEventListener('abort', done);
			limit.addEventListener('abort', done);
		});
	}

	private take(data: unknown): void {
		if (this.over) return;
		this.queue.push(readReceived(data));
		this.waiting?.();
	}

	private end(code: number, reason: string): void {
		this.over ??= { kind: 'closed', code, reason };
		this.waiting?.();
	}
}

/**
 * The message in a frame: text is JSON, bytes are CBOR. Integers that a JavaScript number cannot hold
 * arrive as strings of their digits.
 *
 * @throws SyntaxError when the frame has no valid message
 */
export function readFrame(data: unknown): unknown {
	return typeof data === 'string' ? parseJson(data) : readCbor(new Uint8Array(data as ArrayBuffer));
}

function readReceived(data: unknown): Received {
	try {
		return { kind: 'message', message: readFrame(data) };
	} catch (error) {
		return { kind: 'unreadable', problem: (error as Error).message };
	}
}

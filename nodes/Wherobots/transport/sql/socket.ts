import { decode } from 'cbor2/decoder';

import type { SqlRequest } from '../../service/sql/messages';
import { CancelledError, untilAborted } from '../clock';
import { parseJson } from '../json';
import { toResult } from '../toResult';

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

	/** Ends the wait in progress. */
	private wake: () => void = () => undefined;

	private constructor(
		url: string,
		headers: Record<string, string>,
		private readonly signal?: AbortSignal,
	) {
		this.socket = new WebSocket(url, { headers });
		this.socket.binaryType = 'arraybuffer';
		this.socket.addEventListener('open', () => this.wake());
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
		const waited = await toResult(connection.news(SOCKET_LIMITS.openMs));
		if (waited.ok && connection.socket.readyState === WebSocket.OPEN) return connection;
		connection.close();
		if (!waited.ok) throw waited.error;
		return undefined;
	}

	send(request: SqlRequest): boolean {
		if (this.over || this.socket.readyState !== WebSocket.OPEN) return false;
		this.socket.send(JSON.stringify(request));
		return true;
	}

	async receive(withinMs: number): Promise<Received> {
		await this.news(this.queue.length > 0 || this.over ? 0 : withinMs);
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
		if (withinMs > 0) {
			const happened = new Promise<void>((resolve) => {
				this.wake = resolve;
				const limit = AbortSignal.timeout(Math.ceil(withinMs));
				limit.addEventListener('abort', () => resolve());
			});
			await untilAborted(happened, this.signal);
		}
		if (this.signal?.aborted) throw new CancelledError();
	}

	private take(data: unknown): void {
		if (this.over) return;
		this.queue.push(readReceived(data));
		this.wake();
	}

	private end(code: number, reason: string): void {
		this.over ??= { kind: 'closed', code, reason };
		this.wake();
	}
}

/** Maximum depth of a message in CBOR. */
const MAX_DEPTH = 200;

/**
 * The message in a frame: text is JSON, bytes are CBOR. Integers that a JavaScript number cannot hold
 * are strings of their digits in JSON, and BigInts in CBOR.
 *
 * @throws Error when the frame has no valid message
 */
export function readFrame(data: unknown): unknown {
	if (typeof data === 'string') return parseJson(data);
	return decode(new Uint8Array(data as ArrayBuffer), { maxDepth: MAX_DEPTH });
}

function readReceived(data: unknown): Received {
	try {
		return { kind: 'message', message: readFrame(data) };
	} catch (error) {
		return { kind: 'unreadable', problem: (error as Error).message };
	}
}

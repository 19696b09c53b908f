import { decode } from 'cbor2/decoder';

import type { SqlRequest } from '../service/sql/protocol';
import { parseJson } from '../service/json';
import { CancelledError, waitUnlessAborted } from './clock';
import { settle } from './failure';

/** Longest time until a socket is open, in milliseconds; tests shorten it. */
export const SOCKET_LIMITS = { openMs: 30_000 };

/** The outcome of waiting for a message. */
export type Received =
	| { kind: 'message'; message: unknown }
	/** Nothing arrived in time. */
	| { kind: 'silence' }
	/** A frame without a valid message, or the end of the connection. */
	| { kind: 'unreadable' | 'lost'; problem: string };

/** What the protocol needs of a connection. */
export type Channel = Pick<SqlSocket, 'send' | 'receive'>;

/** A connection to a SQL session. Its end is a result of `receive` and never thrown. */
export class SqlSocket {
	private readonly socket: WebSocket;

	private readonly queue: Received[] = [];

	private over: Received | undefined;

	/** Ends the wait in progress. */
	private wake: () => void = () => undefined;

	private constructor(
		url: string,
		headers: Record<string, string>,
		private readonly signal: AbortSignal | undefined,
		clean: (received: Received) => Received,
	) {
		this.socket = new WebSocket(url, { headers });
		this.socket.binaryType = 'arraybuffer';
		this.socket.addEventListener('open', () => this.wake());
		this.socket.addEventListener('message', ({ data }) => {
			if (!this.over) this.queue.push(clean(parseFrame(data)));
			this.wake();
		});
		// The platform's error event has no more information than the close event.
		this.socket.addEventListener('error', () => this.end(1006));
		this.socket.addEventListener('close', ({ code, reason }) => this.end(code, reason));
	}

	/**
	 * Connects. The platform does not expose why a connection fails.
	 *
	 * @param clean takes out of each message what nobody may see
	 * @returns undefined when there is no connection
	 * @throws CancelledError when the execution is cancelled
	 */
	static async open(
		url: string,
		headers: Record<string, string>,
		signal: AbortSignal | undefined,
		clean: (received: Received) => Received,
	): Promise<SqlSocket | undefined> {
		const connection = new SqlSocket(url, headers, signal, clean);
		const waited = await settle(connection.news(SOCKET_LIMITS.openMs));
		if (waited.ok && connection.socket.readyState === WebSocket.OPEN) return connection;
		connection.close();
		if (!waited.ok) throw waited.error;
		return undefined;
	}

	/** Sends a request; false when the connection is over, and nothing was sent. */
	send(request: SqlRequest): boolean {
		if (this.over || this.socket.readyState !== WebSocket.OPEN) return false;
		this.socket.send(JSON.stringify(request));
		return true;
	}

	/** @throws CancelledError when the execution is cancelled */
	async receive(withinMs: number): Promise<Received> {
		await this.news(this.queue.length > 0 || this.over ? 0 : withinMs);
		return this.queue.shift() ?? this.over ?? { kind: 'silence' };
	}

	/** Closes the connection after pending data is sent, without waiting for the other side. */
	close(): void {
		this.end(1000);
		this.socket.close();
	}

	/** Resolves when something has happened, or after this real time. */
	private async news(withinMs: number): Promise<void> {
		if (withinMs > 0) {
			const limit = AbortSignal.timeout(Math.ceil(withinMs));
			const happened = new Promise<void>((resolve) => (this.wake = resolve));
			const wake = () => this.wake();
			limit.addEventListener('abort', wake);
			try {
				await waitUnlessAborted(happened, this.signal);
			} finally {
				// A timer with a listener holds it, and with it the connection and the execution, until it fires.
				limit.removeEventListener('abort', wake);
			}
		}
		if (this.signal?.aborted) throw new CancelledError();
	}

	private end(code: number, reason = ''): void {
		this.over ??= { kind: 'lost', problem: `Close code ${code}${reason && `: ${reason}`}` };
		this.wake();
	}
}

/**
 * Reads a frame: text is JSON, bytes are CBOR. Integers that a JavaScript number cannot hold are strings
 * of their digits in JSON, and BigInts in CBOR.
 */
export function parseFrame(data: unknown): Received {
	try {
		if (typeof data === 'string') return { kind: 'message', message: parseJson(data) };
		const bytes = new Uint8Array(data as ArrayBuffer);
		return { kind: 'message', message: decode(bytes) };
	} catch (error) {
		return { kind: 'unreadable', problem: (error as Error).message };
	}
}

import { CancelledError } from '../clock';
import type { StreamResponse } from '../calls';

/** Why a transfer does not count. */
export type TransferProblem =
	/** The connection ended before the response did. */
	| 'broken'
	/** Nothing arrived for too long. */
	| 'stalled'
	/** The response ended properly, but its content did not. */
	| 'incomplete'
	/** The content may be whole, but nothing would show that it is not. */
	| 'unproven'
	/** The content is wrong in the middle: no later byte would mend it. */
	| 'malformed'
	/** The response is something else: a web page, an error, another table. */
	| 'foreign';

export class TransferError extends Error {
	override readonly name = 'TransferError';

	constructor(
		readonly problem: TransferProblem,
		message: string,
		/** The beginning of the response, where it is foreign. */
		readonly excerpt = '',
	) {
		super(message);
	}
}

/** Limits of a transfer; tests shorten them. */
export const TRANSFER_LIMITS = {
	/** A transfer fails when no byte arrives for so long. */
	stallMs: 60_000,
};

/** How finely a stall is measured: in quarters of its length. */
const STALL_TICKS = 4;

/** Bytes handed on at once: few large writes cost less than many small ones. */
const BLOCK_BYTES = 128 * 1024;

/** Bytes read ahead while the consumer is busy. */
const AHEAD_BYTES = 2 * 1024 * 1024;

/**
 * For so many bytes that arrive, so many fields of short-lived objects: 8 bytes of V8's heap for each
 * byte. What arrives lies outside that heap and is freed together with small objects in it. V8
 * collects young objects when new ones need the room, and a body creates hardly any; so V8 would
 * wait until there is too much outside, and then go through the whole heap of n8n, over and over
 * (docs/adr/0003-streaming-exports.md).
 */
const SHORT_LIVED = { perBytes: 4096, fields: 4096 };

/** What is used of Node's readable stream. */
interface EventedBody {
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
	on(event: 'end' | 'close', listener: () => void): unknown;
	pause(): unknown;
	resume(): unknown;
	destroy(): unknown;
	/** False when an HTTP message ended early; not there on other streams. */
	complete?: boolean;
}

/**
 * Why a response is of no use from the start. It has to show where it ends: by its `Content-Length`,
 * by the end mark of chunks, or by a status that has no body (RFC 9112, 6.3).
 */
function unusableFrom({ status, headers }: StreamResponse): TransferError | undefined {
	if (status === 206) {
		return new TransferError(
			'incomplete',
			'Only a part was sent (HTTP 206), and nobody asked for one',
		);
	}
	const isFramed =
		headers['content-length'] !== undefined ||
		/\bchunked\b/i.test(headers['transfer-encoding'] ?? '') ||
		status === 204;
	if (isFramed) return undefined;
	return new TransferError('unproven', 'The response states neither its length nor its end');
}

/**
 * Takes the body of a response off the socket, a bounded amount ahead of the consumer, so that the
 * network and the consumer work at the same time. Its end is an end only where the response says that
 * it is: whatever comes before is an error of `next`, and nothing is ever thrown at the process.
 */
export class BodyReader {
	private readonly body: EventedBody;

	private readonly queue: Uint8Array[] = [];

	private queued = 0;

	private received = 0;

	/** Held for a moment: what nobody holds may be left out. */
	protected shortLived: unknown[] = [];

	private ended = false;

	private failure: Error | undefined;

	private waiting: (() => void) | undefined;

	private readonly onAbort = () => this.fail(new CancelledError());

	/** @param signal ends the transfer with a CancelledError */
	constructor(
		readonly response: StreamResponse,
		private readonly signal?: AbortSignal,
	) {
		this.body = response.body as unknown as EventedBody;
		// Stays for good: a stream that reports an error to nobody ends the process.
		this.body.on('error', (error) =>
			this.fail(new TransferError('broken', error.message || 'The connection was closed')),
		);
		this.body.on('data', (chunk) => this.receive(chunk));
		this.body.on('end', () => this.finish());
		this.body.on('close', () =>
			this.fail(new TransferError('broken', 'The connection was closed')),
		);
		const unusable = unusableFrom(response);
		if (unusable) this.fail(unusable);
		if (signal?.aborted) this.onAbort();
		signal?.addEventListener('abort', this.onAbort);
		this.checkStall(0, 0);
	}

	/** What ended the transfer early, if anything did. */
	get failed(): Error | undefined {
		return this.failure;
	}

	/** The next bytes, at most 128 KiB of them unless they came at once; undefined at the end. Rejects with what ended it early. */
	async next(): Promise<Uint8Array | undefined> {
		while (this.queue.length === 0 || this.failure) {
			if (this.failure) throw this.failure;
			if (this.ended) return undefined;
			await new Promise<void>((resolve) => {
				this.waiting = resolve;
			});
			this.waiting = undefined;
		}
		const block = this.takeBlock();
		if (this.queued < AHEAD_BYTES / 2 && !this.ended) this.body.resume();
		return block;
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
		for (let block = await this.next(); block; block = await this.next()) yield block;
	}

	/** Releases the connection and what was read ahead; after the end it does nothing. */
	stop(): void {
		this.fail(new Error('The transfer was stopped'));
	}

	private receive(chunk: Uint8Array): void {
		if (this.failure) return;
		this.queue.push(chunk);
		this.queued += chunk.length;
		this.received += chunk.length;
		this.makeYoungObjects(chunk.length);
		if (this.queued >= AHEAD_BYTES) this.body.pause();
		this.waiting?.();
	}

	private makeYoungObjects(bytes: number): void {
		for (let made = 0; made < bytes; made += SHORT_LIVED.perBytes) {
			this.shortLived = new Array<unknown>(SHORT_LIVED.fields);
		}
	}

	private takeBlock(): Uint8Array {
		let count = 1;
		let bytes = this.queue[0].length;
		while (count < this.queue.length && bytes + this.queue[count].length <= BLOCK_BYTES) {
			bytes += this.queue[count++].length;
		}
		const chunks = this.queue.splice(0, count);
		this.queued -= bytes;
		return count === 1 ? chunks[0] : Buffer.concat(chunks, bytes);
	}

	private finish(): void {
		if (this.ended || this.failure) return;
		const problem = this.problemAtEnd();
		if (problem) return this.fail(problem);
		this.ended = true;
		this.signal?.removeEventListener('abort', this.onAbort);
		this.waiting?.();
	}

	private problemAtEnd(): TransferError | undefined {
		if (this.body.complete === false) {
			return new TransferError('broken', 'The connection was closed');
		}
		const promised = Number(this.response.headers['content-length'] ?? this.received);
		if (promised === this.received) return undefined;
		const arrived = `${this.received} of ${promised} bytes arrived`;
		if (promised > this.received) return new TransferError('broken', arrived);
		// No connection carries more. n8n's HTTP client unpacks what is compressed, and takes it for whole
		// when it is cut off.
		return new TransferError(
			'unproven',
			`${arrived}: the response is compressed, although it was requested uncompressed, so nothing shows whether it is whole`,
		);
	}

	private fail(error: Error): void {
		if (this.ended || this.failure) return;
		this.failure = error;
		this.queue.length = 0;
		this.queued = 0;
		this.signal?.removeEventListener('abort', this.onAbort);
		this.body.destroy();
		this.waiting?.();
	}

	/**
	 * Checks after every quarter of the stall time whether something arrived. In real time, unlike
	 * the waits of the package, and without keeping n8n from ending. A full queue is no stall.
	 */
	private checkStall(receivedBefore: number, quietTicks: number): void {
		if (this.ended || this.failure) return;
		const quiet = this.received === receivedBefore && this.waiting ? quietTicks : 0;
		if (quiet > STALL_TICKS) {
			const seconds = Math.round(TRANSFER_LIMITS.stallMs / 1000);
			return this.fail(new TransferError('stalled', `No data arrived for ${seconds} seconds`));
		}
		const received = this.received;
		const tick = AbortSignal.timeout(Math.ceil(TRANSFER_LIMITS.stallMs / STALL_TICKS));
		tick.addEventListener('abort', () => this.checkStall(received, quiet + 1), { once: true });
	}
}

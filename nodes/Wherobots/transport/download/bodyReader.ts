import { piecesOf } from '../bodies';
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

/**
 * For so many bytes that arrive, so many fields of short-lived objects: 8 bytes of V8's heap for each
 * byte. What arrives lies outside that heap and is freed together with small objects in it. V8
 * collects young objects when new ones need the room, and a body creates hardly any; so V8 would
 * wait until there is too much outside, and then go through the whole heap of n8n, over and over
 * (docs/adr/0003-streaming-exports.md).
 */
const SHORT_LIVED = { perBytes: 4096, fields: 4096 };

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
 * The body of a response, piece by piece. Its end is an end only where the response says that it is:
 * whatever comes before is an error of the next read, and nothing is ever thrown at the process.
 */
export class BodyReader {
	/** What ended the transfer early, if anything did. */
	failed: Error | undefined;

	private ended = false;

	/** Held for a moment: what nobody holds may be left out. */
	protected shortLived: unknown[] = [];

	/** @param signal ends the transfer with a CancelledError */
	constructor(
		readonly response: StreamResponse,
		private readonly signal?: AbortSignal,
	) {
		const body = response.body as unknown as { on(event: 'error', listener: () => void): unknown };
		// Stays for good: a stream that reports an error to nobody ends the process.
		body.on('error', () => undefined);
	}

	/** @throws TransferError, CancelledError in its output, by which the transfer is over */
	async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
		const { stallMs } = TRANSFER_LIMITS;
		const stalled = () =>
			new TransferError('stalled', `No data arrived for ${Math.round(stallMs / 1000)} seconds`);
		let received = 0;
		try {
			if (this.failed) throw this.failed;
			const unusable = unusableFrom(this.response);
			if (unusable) throw unusable;
			for await (const piece of piecesOf(this.response.body, stallMs, stalled, this.signal)) {
				received += piece.length;
				this.makeYoungObjects(piece.length);
				yield piece;
			}
			const problem = this.problemAtEnd(received);
			if (problem) throw problem;
			this.ended = true;
		} catch (error) {
			this.failed ??= endedBy(error as Error);
			throw this.failed;
		} finally {
			this.response.body.destroy();
		}
	}

	/** Releases the connection; after the end it does nothing. */
	stop(): void {
		if (!this.ended) this.failed ??= new Error('The transfer was stopped');
		this.response.body.destroy();
	}

	private makeYoungObjects(bytes: number): void {
		for (let made = 0; made < bytes; made += SHORT_LIVED.perBytes) {
			this.shortLived = new Array<unknown>(SHORT_LIVED.fields);
		}
	}

	private problemAtEnd(received: number): TransferError | undefined {
		const { headers } = this.response;
		const promised = Number(headers['content-length'] ?? received);
		if (promised === received) return undefined;
		const arrived = `${received} of ${promised} bytes arrived`;
		if (promised > received) return new TransferError('broken', arrived);
		// No connection carries more. n8n's HTTP client unpacks what is compressed, and takes it for whole
		// when it is cut off.
		return new TransferError(
			'unproven',
			`${arrived}: the response is compressed, although it was requested uncompressed, so nothing shows whether it is whole`,
		);
	}
}

/** The error of a transfer for that of a stream. */
function endedBy(error: Error & { code?: string }): Error {
	if (error instanceof TransferError || error instanceof CancelledError) return error;
	const isClosed = error.message === '' || error.code === 'ERR_STREAM_PREMATURE_CLOSE';
	return new TransferError('broken', isClosed ? 'The connection was closed' : error.message);
}

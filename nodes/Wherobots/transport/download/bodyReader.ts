import { piecesOf } from '../bodies';
import { CancelledError } from '../clock';
import type { StreamResponse } from '../http';

/** Why a transfer is not accepted. */
export type TransferProblem =
	/** The connection ended before the response did. */
	| 'broken'
	/** Nothing arrived for too long. */
	| 'stalled'
	/** The response ended properly, but its content did not. */
	| 'incomplete'
	/** The content may be complete, but nothing proves it. */
	| 'unproven'
	/** The content is invalid, and later bytes cannot fix it. */
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
	/** Longest time without data. */
	stallMs: 60_000,
};

/**
 * Short-lived fields allocated for each number of received bytes: 8 bytes of V8's heap per byte.
 * Received data lies outside that heap and is freed together with small objects in it. V8 collects
 * young objects when new ones need space, and a body creates hardly any, so V8 would let the data pile
 * up and then repeatedly collect n8n's whole heap (docs/adr/0003-streaming-exports.md).
 */
const SHORT_LIVED = { perBytes: 4096, fields: 4096 };

/**
 * Why a response cannot be used at all. Its end must be defined: by `Content-Length`, by chunked
 * encoding, or by a status without a body (RFC 9112, 6.3).
 */
function unusableFrom({ status, headers }: StreamResponse): TransferError | undefined {
	if (status === 206) {
		return new TransferError(
			'incomplete',
			'Only a part was sent (HTTP 206), although the whole was requested',
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
 * The body of a response, piece by piece. Only the end that the response defines counts: an earlier
 * one is an error of the next read, and never an uncaught one.
 */
export class BodyReader {
	/** What ended the transfer early, if anything did. */
	failed: Error | undefined;

	private ended = false;

	/** Referenced briefly, because V8 may optimize unreferenced allocations away. */
	protected shortLived: unknown[] = [];

	/** @param signal ends the transfer with a CancelledError */
	constructor(
		readonly response: StreamResponse,
		private readonly signal?: AbortSignal,
	) {
		const body = response.body as unknown as { on(event: 'error', listener: () => void): unknown };
		// Never removed: an unhandled stream error ends the process.
		body.on('error', () => undefined);
	}

	/** @throws TransferError, CancelledError in its output, which end the transfer */
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
				this.allocateShortLived(piece.length);
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

	private allocateShortLived(bytes: number): void {
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
		// A connection never delivers more. n8n's HTTP client decompresses bodies, and takes truncated
		// ones for complete.
		return new TransferError(
			'unproven',
			`${arrived}: the response is compressed, although it was requested uncompressed, so nothing proves that it is complete`,
		);
	}
}

/** Turns a stream's error into that of a transfer. */
function endedBy(error: Error & { code?: string }): Error {
	if (error instanceof TransferError || error instanceof CancelledError) return error;
	const isClosed = error.message === '' || error.code === 'ERR_STREAM_PREMATURE_CLOSE';
	return new TransferError('broken', isClosed ? 'The connection was closed' : error.message);
}

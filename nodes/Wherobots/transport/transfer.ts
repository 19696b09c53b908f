import type { EndpointId } from '../service/endpoints';
import { readChunks } from './bytes';
import type { CallOptions, Client } from './client';
import { CancelledError } from './clock';
import { Failure, type FailureParts, settle, TRY_LATER } from './failure';
import type { StreamResponse } from './http';
import { LOST, type Tried, tryAgain } from './retry';

/** Why a transfer is not accepted, and whether another attempt may not have that problem. */
const PROBLEMS = {
	/** The connection ended before the response did. */
	broken: ['The transfer from Wherobots Cloud was interrupted', true],
	/** Nothing arrived for too long. */
	stalled: ['The transfer from Wherobots Cloud stalled', true],
	/** The response ended properly, but its content did not. */
	incomplete: ['Wherobots Cloud ended the response before it was complete', true],
	/** The content may be complete, but nothing proves it. */
	unproven: ['The response from Wherobots Cloud may be incomplete', false],
	/** The HTTP client has decompressed it, and takes truncated content for complete. */
	encoded: ['The response from Wherobots Cloud is compressed, and may be incomplete', false],
	/** The content is invalid, and later bytes cannot fix it. */
	malformed: ['The response from Wherobots Cloud is malformed', false],
	/** The response is something else: a web page, an error, another table. */
	foreign: ['The response is not the requested file', true],
} as const;

const NOT_KEPT = 'No part of it was kept.';

/** Ends a transfer that is not accepted: thrown while its bytes are read, through n8n's stores. */
export class TransferError extends Error {
	/** @param explained the response in words, where that says more than `what` alone */
	constructor(
		readonly problem: keyof typeof PROBLEMS,
		what: string,
		private readonly explained?: FailureParts,
	) {
		super(`${what}.`);
	}

	/** Whether another attempt may help. */
	get mayPass(): boolean {
		return PROBLEMS[this.problem][1];
	}

	/** @param tries the number of attempts */
	explain(tries: number): Failure {
		const { message: what, mayPass, explained } = this;
		const [message] = PROBLEMS[this.problem];
		return new Failure({
			...(explained ? { before: what, ...explained } : { message, description: what }),
			after: mayPass ? `Tried ${tries} times from the start; no part of it was kept.` : NOT_KEPT,
			nextStep: explained?.nextStep ?? (mayPass ? TRY_LATER : undefined),
		});
	}
}

/** Limits of a transfer; tests shorten them. */
export const TRANSFER_LIMITS = {
	/** Longest time without data. */
	stallMs: 60_000,
};

/**
 * Why a response cannot be used at all. Its end must be defined: by `Content-Length`, by chunked
 * encoding, or by a status without a body (RFC 9112, 6.3).
 */
function findUnusable({ status, headers }: StreamResponse): TransferError | undefined {
	if (status === 206) {
		return new TransferError(
			'incomplete',
			'Only a part was sent (HTTP 206), although the whole file was requested',
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

	/** @param signal ends the transfer with a CancelledError */
	constructor(
		readonly response: StreamResponse,
		private readonly signal?: AbortSignal,
	) {
		// Never removed: an unhandled stream error ends the process.
		response.body.on('error', () => undefined);
	}

	/** @throws TransferError, CancelledError in its output, which end the transfer */
	async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
		const { stallMs } = TRANSFER_LIMITS;
		const stalled = () =>
			new TransferError('stalled', `No data arrived for ${Math.round(stallMs / 1000)} seconds`);
		let received = 0;
		try {
			if (this.failed) throw this.failed;
			const unusable = findUnusable(this.response);
			if (unusable) throw unusable;
			for await (const piece of readChunks(this.response.body, stallMs, stalled, this.signal)) {
				received += piece.length;
				yield piece;
			}
			const problem = this.problemAtEnd(received);
			if (problem) throw problem;
			this.ended = true;
		} catch (error) {
			this.failed ??= toEndError(error as Error);
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

	private problemAtEnd(received: number): TransferError | undefined {
		const { headers } = this.response;
		const promised = Number(headers['content-length'] ?? received);
		if (promised === received) return undefined;
		// A connection never delivers more, and ends with an error when it delivers less.
		return toEncodedError(`Its ${promised} bytes became ${received}`);
	}
}

/** For a response that was decompressed although that was not requested. */
function toEncodedError(what: string): TransferError {
	return new TransferError(
		'encoded',
		`${what} when it was decompressed, although an uncompressed response was requested. A file stored with Content-Encoding cannot be downloaded: store it again without that header. Otherwise, check whether a proxy compresses responses`,
	);
}

/** Turns a stream's error into that of a transfer. */
function toEndError(error: Error & { code?: string }): Error {
	if (error instanceof TransferError || error instanceof CancelledError) return error;
	if (error.code?.startsWith('Z_')) return toEncodedError('It could not be read');
	// The HTTP client and Node.js have their own words for it.
	const isClosed =
		/^(aborted|socket hang up)?$/.test(error.message) ||
		error.code === 'ERR_STREAM_PREMATURE_CLOSE';
	return new TransferError('broken', isClosed ? 'The connection was closed' : error.message);
}

/**
 * Fetches the body of a response and passes it to `use`, again from the start when the transfer
 * breaks, stalls, ends early or is something else, as often as `tryAgain` allows.
 *
 * @param open sends the request
 * @param use reads the whole body; its result of a failed transfer is discarded
 * @throws Failure when the last attempt failed too
 * @throws CancelledError when the execution is cancelled
 */
export async function transfer<T>(
	client: Client,
	open: (number: number) => Promise<Tried<StreamResponse>>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await tryAgain(client, async (number) => {
		const opened = await open(number);
		if (!('value' in opened)) return opened;
		const reader = new BodyReader(opened.value, client.signal);
		const used = await settle(use(reader));
		const { failed } = reader;
		reader.stop();
		if (used.ok) return used;
		const { error } = used;
		// n8n's stores rethrow the error of a stream, sometimes wrapped in their own.
		const found = [error, (error as Error | undefined)?.cause, failed].find(
			(each) =>
				each instanceof TransferError || each instanceof Failure || each instanceof CancelledError,
		);
		if (found instanceof Failure) {
			throw client.clean(found.withContext({ after: NOT_KEPT }));
		}
		if (!(found instanceof TransferError)) throw found ?? error;
		const explain = () => client.clean(found.explain(number));
		return { failed: found.mayPass ? LOST : undefined, explain };
	});
}

/**
 * Reads a whole file into memory.
 *
 * @param maxBytes larger files are rejected as soon as they exceed it
 * @throws Failure, CancelledError as `transfer` does
 */
export async function fetchSmallFile(
	client: Client,
	id: EndpointId,
	options: CallOptions,
	maxBytes: number,
): Promise<Buffer> {
	const open = async () => ({ value: await client.stream(id, options) });
	return await transfer(client, open, async (reader) => {
		const blocks: Uint8Array[] = [];
		let size = 0;
		for await (const block of reader) {
			size += block.length;
			if (size > maxBytes) {
				throw new Failure({
					message: 'The file is larger than expected',
					description: `More than ${maxBytes} bytes arrived. Check 'Base URL' in the credential.`,
				});
			}
			blocks.push(block);
		}
		return Buffer.concat(blocks);
	});
}

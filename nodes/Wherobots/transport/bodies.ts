import { CancelledError, untilAborted } from './clock';

/** The part of Node's readable stream that is used: shipped code does not import its type. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroyed?: boolean;
	/** Why it ended early, if it failed. */
	errored?: Error | null;
	destroy(error?: Error): unknown;
}

/** How much of an error body is read, in bytes: enough for every problem of a large request. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** Longest wait for the body of a response with an error status. */
const ERROR_BODY_MS = 5_000;

/** Limits of a body that is read into memory; tests lower them. */
export const BODY_LIMITS = {
	/** Maximum bytes after decompression, since kilobytes of gzip can expand to gigabytes. */
	maxBytes: 64_000_000,
};

/** How many times within the limit a silence is checked. */
const LOOKS = 4;

/** A body as text; empty when it is larger than the limit. */
export interface WholeBody {
	text: string;
	/** The limit in bytes, if the body exceeded it. */
	largerThan?: number;
}

/**
 * The pieces of a body as they arrive. Ends the stream.
 *
 * @param idleTimeoutMs longest silence while a piece is awaited, in milliseconds; noticed at most a
 * quarter later
 * @param silent makes the error after a longer one
 * @throws the error of the stream when the connection ends early
 * @throws CancelledError as soon as the signal is aborted
 */
export async function* readChunks(
	body: ByteStream,
	idleTimeoutMs: number,
	silent: () => Error,
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const pieces = body[Symbol.asyncIterator]();
	/** Checks since the wait for a piece began; undefined while none is awaited. */
	let looks: number | undefined;
	// Ends only the wait immediately: destroying the stream may take a while.
	let endWait: (error: Error) => void = () => undefined;
	const cancel = () => endWait(new CancelledError());
	signal?.addEventListener('abort', cancel);
	// In real time, unlike the other waits of the package, and without keeping n8n alive. A timer for
	// each piece would cost more than reading it: most bodies end before the first tick.
	const watch = () => {
		// A consumer that gives up on a body may not end this generator.
		if (body.destroyed) return;
		// The first check may come right after the wait began.
		if (looks !== undefined && looks++ === LOOKS) return endWait(silent());
		tick = AbortSignal.timeout(Math.ceil(idleTimeoutMs / LOOKS));
		tick.addEventListener('abort', watch, { once: true });
	};
	let tick = AbortSignal.timeout(Math.ceil(idleTimeoutMs / LOOKS));
	tick.addEventListener('abort', watch, { once: true });
	try {
		for (;;) {
			if (signal?.aborted) throw new CancelledError();
			looks = 0;
			const piece = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
				endWait = reject;
				pieces.next().then(resolve, reject);
			});
			looks = undefined;
			if (piece.done) return;
			yield piece.value;
		}
	} finally {
		tick.removeEventListener('abort', watch);
		signal?.removeEventListener('abort', cancel);
		body.destroy();
	}
}

/**
 * Reads a body to its end, but never more than the limit. Ends the stream.
 *
 * @throws as `readChunks` does, CancelledError after a longer silence too
 */
export async function wholeBody(
	body: unknown,
	idleTimeoutMs: number,
	signal: AbortSignal,
): Promise<WholeBody> {
	if (!isByteStream(body)) return { text: unstreamed(body) };
	const { maxBytes } = BODY_LIMITS;
	const read: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of readChunks(body, idleTimeoutMs, () => new CancelledError(), signal)) {
		bytes += piece.length;
		if (bytes > maxBytes) return { text: '', largerThan: maxBytes };
		read.push(piece);
	}
	// Decoded in one go, ASCII takes one byte per character; piece by piece, two.
	return { text: new TextDecoder().decode(Buffer.concat(read)) };
}

/** The beginning of a body as text, as much of it as arrives in time. Ends a stream. */
export async function bodyStart(body: unknown, limit: AbortSignal): Promise<string> {
	if (!isByteStream(body)) return unstreamed(body);
	const decoder = new TextDecoder();
	let text = '';
	const read = async () => {
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length > MAX_ERROR_BYTES) break;
		}
	};
	// Part of an explanation is better than none, so a body that breaks off or stalls is used as it is.
	const timeUp = AbortSignal.any([limit, AbortSignal.timeout(ERROR_BODY_MS)]);
	await untilAborted(read(), timeUp).catch(() => undefined);
	body.destroy();
	return text;
}

/** A body that is not a stream. */
function unstreamed(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function isByteStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

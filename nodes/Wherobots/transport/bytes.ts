/** Tested by test/unit/transport/bodyReader.test.ts and test/hostile/transport/limits.test.ts. */
import { createHash } from 'crypto';

import { CancelledError, waitUnlessAborted } from './clock';

/** The part of Node's readable stream that is used: shipped code does not import its type. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroyed?: boolean;
	/** Why it ended early, if it failed. */
	errored?: Error | null;
	destroy(error?: Error): unknown;
	on(event: 'error' | 'close', listener: () => void): unknown;
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

/** For whole texts. It drops a byte order mark. */
const UTF_8 = new TextDecoder();

/** How many times within the limit a silence is checked. */
const LOOKS = 4;

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
 * @returns its text; empty when it is `largerThan` the limit in bytes
 * @throws as `readChunks` does, CancelledError after a longer silence too
 */
export async function readWholeBody(
	body: unknown,
	idleTimeoutMs: number,
	signal: AbortSignal,
): Promise<{ text: string; largerThan?: number }> {
	if (!isByteStream(body)) return { text: describeUnstreamed(body) };
	const { maxBytes } = BODY_LIMITS;
	const read: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of readChunks(body, idleTimeoutMs, () => new CancelledError(), signal)) {
		bytes += piece.length;
		if (bytes > maxBytes) return { text: '', largerThan: maxBytes };
		read.push(piece);
	}
	// Decoded in one go, ASCII takes one byte per character; piece by piece, two.
	return { text: UTF_8.decode(Buffer.concat(read)) };
}

/** The beginning of a body as text, as much of it as arrives in time. Ends a stream. */
export async function readBodyStart(body: unknown, limit?: AbortSignal): Promise<string> {
	if (!isByteStream(body)) return describeUnstreamed(body);
	const decoder = new TextDecoder();
	let text = '';
	const read = async () => {
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length > MAX_ERROR_BYTES) break;
		}
	};
	// Part of an explanation is better than none, so a body that breaks off or stalls is used as it is.
	const timeUp = AbortSignal.timeout(ERROR_BODY_MS);
	const ending = limit ? AbortSignal.any([limit, timeUp]) : timeUp;
	await waitUnlessAborted(read(), ending).catch(() => undefined);
	body.destroy();
	return text;
}

/** A body that is not a stream. */
function describeUnstreamed(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function isByteStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The part of Node's Readable that is used here. */
interface ReadableClass {
	from(source: AsyncIterable<Uint8Array>, options: object): ByteStream;
}

/**
 * A readable stream of an iterable's bytes for n8n's binary stores: all but the file store listen to a
 * stream's events. Shipped code cannot import Node's streams, but the body of a response is one, so
 * the class is found among its ancestors. Otherwise the iterable itself is returned, which is enough
 * for the file store.
 *
 * An error of the iterable ends the stream with that error, and nothing else.
 *
 * @param onClose called when the stream is closed
 */
export function toReadable(
	body: object,
	bytes: AsyncIterable<Uint8Array>,
	onClose: () => void,
): AsyncIterable<Uint8Array> {
	const readableClass = findReadable(body);
	if (!readableClass) return bytes;
	// In object mode, because queued blocks of bytes would be copied into one.
	const stream = readableClass.from(bytes, { objectMode: true, highWaterMark: 1 });
	// If a store has stopped listening, for example after its own timeout, an error would end the
	// process.
	stream.on('error', () => undefined);
	stream.on('close', onClose);
	return stream;
}

/** The topmost ancestor with a `from`: subclasses may override it. */
function findReadable(body: object): ReadableClass | undefined {
	let found: ReadableClass | undefined;
	for (let ancestor = getParent(body); ancestor; ancestor = getParent(ancestor)) {
		const candidate = ancestor.constructor as unknown as Partial<ReadableClass> | undefined;
		if (typeof candidate?.from === 'function') found = candidate as ReadableClass;
	}
	return found;
}

function getParent(object: object): object | null {
	return Object.getPrototypeOf(object) as object | null;
}

/**
 * Short-lived fields allocated for each number of bytes that pass: 4 bytes of V8's heap per byte.
 * Received data lies outside that heap and is freed together with small objects in it. V8 collects
 * young objects when new ones need space, and a file creates hardly any, so V8 would let the data pile
 * up and then repeatedly collect n8n's whole heap (docs/adr/0003-streaming-exports.md).
 */
const SHORT_LIVED = { perBytes: 4096, fields: 2048 };

/** The least that is passed on at once: n8n's file store writes each block by itself, up to this size. */
const BLOCK_BYTES = 512 * 1024;

export interface FileTally {
	bytes: number;
	/** SHA-256 of the bytes, in hexadecimal; empty until the last one has passed. */
	sha256: string;
	/** Why the bytes are not the file, if they are not. */
	problem?: string;
}

/**
 * Counts and hashes the bytes that pass through, in larger blocks. The last one is held back until
 * the source ends: the tally is complete before it, and a file of another size never is.
 *
 * @param size the number of bytes that there have to be, if it is known
 * @throws Error in its output when there are more or fewer, with the tally's `problem` set
 */
export function hash(
	source: AsyncIterable<Uint8Array>,
	size?: number,
): { output: AsyncIterable<Uint8Array>; tally: FileTally } {
	const tally: FileTally = { bytes: 0, sha256: '' };
	const fail = (problem: string) => new Error((tally.problem = problem));
	// V8 may optimize allocations away that nothing refers to.
	const shortLived: unknown[][] = [];
	async function* bytes(): AsyncGenerator<Uint8Array> {
		const hash = createHash('sha256');
		let held: Uint8Array[] = [];
		let heldBytes = 0;
		for await (const block of source) {
			if (block.length === 0) continue;
			hash.update(block);
			for (let made = 0; made < block.length; made += SHORT_LIVED.perBytes) {
				shortLived[0] = new Array<unknown>(SHORT_LIVED.fields);
			}
			tally.bytes += block.length;
			if (size !== undefined && tally.bytes > size) throw fail(`more than ${size} bytes arrived`);
			if (heldBytes >= BLOCK_BYTES) {
				yield Buffer.concat(held);
				held = [];
				heldBytes = 0;
			}
			held.push(block);
			heldBytes += block.length;
		}
		if (size !== undefined && tally.bytes < size) {
			throw fail(`${tally.bytes} of ${size} bytes arrived`);
		}
		tally.sha256 = hash.digest('hex');
		if (heldBytes > 0) yield Buffer.concat(held);
	}
	return { output: bytes(), tally };
}

/**
 * The bytes compressed with gzip by the platform. The output is the same for the same bytes and
 * version of Node.js: it contains no time or name.
 */
export async function* gzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield* ReadableStream.from(source).pipeThrough(new CompressionStream('gzip'));
}

import { CancelledError, untilAborted } from './clock';

/** The part of Node's readable stream that is used: shipped code does not import its type. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

/** How much of an error body is read, in bytes: enough for every problem of a large request. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** Longest wait for the body of a response with an error status. */
const ERROR_BODY_MS = 5_000;

/** Limits of a body that is read into memory; tests lower them. */
export const BODY_LIMITS = {
	/**
	 * Most bytes, after decompression: many times the largest response that is known. A few kilobytes
	 * of gzip can stand for gigabytes.
	 */
	maxBytes: 64_000_000,
};

/** A body as text: whole, unless it is larger than the limit. */
export interface WholeBody {
	text: string;
	/** The limit, in bytes, where there was more than that. */
	largerThan?: number;
}

/**
 * Reads a body to its end, but never more than the limit. Ends the stream.
 *
 * @param silenceMs longest silence, in milliseconds
 * @throws CancelledError after a longer silence, and when the signal is aborted
 * @throws the error of the stream when the connection ends early
 */
export async function wholeBody(
	body: unknown,
	silenceMs: number,
	signal: AbortSignal,
): Promise<WholeBody> {
	if (!isByteStream(body)) return { text: unstreamed(body) };
	let heardAt = performance.now();
	const heard = () => {
		heardAt = performance.now();
	};
	const reading = untilAborted(readWhole(body, heard), signal);
	try {
		// In real time, unlike the waits of the package. A timer for each piece would cost more than
		// reading it: most bodies are over before the first timer.
		for (let leftMs = silenceMs; leftMs > 0; leftMs = heardAt + silenceMs - performance.now()) {
			const timer = AbortSignal.timeout(Math.ceil(leftMs));
			const whole = await untilAborted(reading, timer).catch((error: unknown) => {
				if (!timer.aborted) throw error;
			});
			if (whole) return whole;
		}
		throw new CancelledError();
	} finally {
		body.destroy();
	}
}

async function readWhole(body: ByteStream, onPiece: () => void): Promise<WholeBody> {
	const { maxBytes } = BODY_LIMITS;
	const read: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body) {
		onPiece();
		bytes += piece.length;
		if (bytes > maxBytes) return { text: '', largerThan: maxBytes };
		read.push(piece);
	}
	// Decoded at once, ASCII takes a byte for each character; piece by piece, it takes two.
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
	// Part of an explanation is better than none, so one that breaks off or stalls is used as it is.
	const timeUp = AbortSignal.any([limit, AbortSignal.timeout(ERROR_BODY_MS)]);
	await untilAborted(read(), timeUp).catch(() => undefined);
	body.destroy();
	return text;
}

/** A body that came otherwise than as a stream. */
function unstreamed(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function isByteStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

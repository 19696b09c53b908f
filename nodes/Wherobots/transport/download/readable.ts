import type { ByteStream } from '../bodies';

/** The part of Node's Readable that is used here. */
interface ReadableClass {
	from(source: AsyncIterable<Uint8Array>, options: object): ByteStream & Evented;
}

interface Evented {
	on(event: 'error' | 'close', listener: () => void): unknown;
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
	for (let ancestor = parent(body); ancestor; ancestor = parent(ancestor)) {
		const candidate = ancestor.constructor as unknown as Partial<ReadableClass> | undefined;
		if (typeof candidate?.from === 'function') found = candidate as ReadableClass;
	}
	return found;
}

function parent(object: object): object | null {
	return Object.getPrototypeOf(object) as object | null;
}

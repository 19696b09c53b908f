import type { ByteStream } from '../bodies';

/** The part of Node's Readable that is used here. */
interface ReadableClass {
	from(source: AsyncIterable<Uint8Array>, options: object): ByteStream & Evented;
}

interface Evented {
	on(event: 'error' | 'close', listener: () => void): unknown;
}

/**
 * A readable stream of the bytes that an iterable gives, for n8n's binary stores: all but the file
 * store listen to a stream's events. Shipped code cannot import Node's streams, but the body of a
 * response is one, so their class is found among its ancestors. Without one the iterable itself is
 * given, which is enough for the file store.
 *
 * An error of the iterable ends the stream with this error, and never more than that.
 *
 * @param onClose called when nobody will read on
 */
export function toReadable(
	body: object,
	bytes: AsyncIterable<Uint8Array>,
	onClose: () => void,
): AsyncIterable<Uint8Array> {
	const readableClass = findReadable(body);
	if (!readableClass) return bytes;
	// As objects, because blocks of bytes that wait together would be copied into one.
	const stream = readableClass.from(bytes, { objectMode: true, highWaterMark: 1 });
	// A store that stopped listening, after a timeout of its own, say, leaves errors to the process.
	stream.on('error', () => undefined);
	stream.on('close', onClose);
	return stream;
}

/** The ancestor furthest up that has a `from`: subclasses bring others that do more. */
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

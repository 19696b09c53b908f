/** Bytes as they may arrive: so many at a time. */
export async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) {
		yield await Promise.resolve(bytes.subarray(at, at + size));
	}
}

/** All that an iterable has. */
export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const each of source) all.push(each);
	return all;
}

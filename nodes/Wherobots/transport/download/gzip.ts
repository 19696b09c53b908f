/**
 * The bytes compressed with gzip, by the platform's own compression stream. The compressed form
 * of the same bytes is the same on the same version of Node.js: it carries no time and no name.
 */
export async function* gzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield* ReadableStream.from(source).pipeThrough(new CompressionStream('gzip'));
}

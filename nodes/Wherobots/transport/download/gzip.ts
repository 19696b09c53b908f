/**
 * The bytes compressed with gzip by the platform. The output is the same for the same bytes and
 * version of Node.js: it contains no time or name.
 */
export async function* gzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield* ReadableStream.from(source).pipeThrough(new CompressionStream('gzip'));
}

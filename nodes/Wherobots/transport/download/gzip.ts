/**
 * The bytes compressed with gzip, by the platform's own compression stream. The compressed form
 * of the same bytes is the same on the same version of Node.js: it carries no time and no name.
 */
export async function* gzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const { readable, writable } = new CompressionStream('gzip');
	const reader = readable.getReader();
	// Its outcome is read at the end; until then a rejection must not count as unhandled.
	const feeding = feed(source, writable.getWriter());
	feeding.catch(() => undefined);
	let finished = false;
	try {
		for (;;) {
			const { done, value } = await reader.read().catch(async (error: Error) => {
				// Why the source ended early says more than that the compression was aborted.
				await feeding;
				throw error;
			});
			if (done) break;
			yield value as Uint8Array;
		}
		await feeding;
		finished = true;
	} finally {
		if (!finished) reader.cancel().catch(() => undefined);
	}
}

async function feed(
	source: AsyncIterable<Uint8Array>,
	writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
	writer.closed.catch(() => undefined);
	try {
		for await (const chunk of source) {
			await writer.ready;
			await writer.write(chunk);
		}
		await writer.close();
	} finally {
		// After a proper end this does nothing.
		writer.abort().catch(() => undefined);
	}
}

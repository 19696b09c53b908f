import type { FilePlace } from '../../service/files';
import type { StreamResponse } from '../http';
import type { Client } from '../client';
import { TransferError, type BodyReader } from '../download/bodyReader';
import { transfer } from '../download/transfer';
import { explainMissing } from './listing';
import { withPresignedUrl } from './withPresignedUrl';

/**
 * Requests a file and passes its bytes to `use`, again from the start when the transfer fails for a
 * temporary reason. The key is sent only to the service, not to the URL that it redirects to.
 *
 * @param use reads the whole body; its result of a failed transfer is discarded
 * @throws NodeApiError, CancelledError as `transfer` does
 */
export async function downloadFile<T>(
	client: Client,
	place: FilePlace,
	use: (bytes: AsyncIterable<Uint8Array>, reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await transfer(
		client,
		'downloadFile',
		async () => await openFile(client, place),
		async (reader) => await use(fileBytes(reader, place.path), reader),
	);
}

async function openFile(client: Client, place: FilePlace): Promise<StreamResponse> {
	const { storageId, path } = place;
	const opened = withPresignedUrl(client, 'download', async () => {
		const found = await client.locate('downloadFile', { path: { storage_id: storageId, path } });
		if (found.kind === 'stream') return found;
		return await client.sendPresigned({ method: 'GET', address: found.location });
	});
	return await explainMissing(client, place, opened);
}

/** How much of a body is checked for its type. */
const HEAD_BYTES = 4096;

/**
 * The bytes of a file. A proxy may send a web page instead, and a storage an error, both with status
 * 200.
 *
 * @param path a file with such an extension may begin like that
 * @throws TransferError in its output
 */
export async function* fileBytes(reader: BodyReader, path: string): AsyncGenerator<Uint8Array> {
	const type = reader.response.headers['content-type'] ?? '';
	let isFirst = true;
	for await (const block of reader) {
		if (isFirst) {
			const head = Buffer.from(block.subarray(0, HEAD_BYTES)).toString('latin1').trimStart();
			const isPage = /^text\/html/i.test(type) && head.startsWith('<');
			if (isPage && !/\.x?html?$/i.test(path)) {
				throw new TransferError('foreign', 'A web page was sent instead of the file');
			}
			const isError = /^(<\?xml[^>]*>\s*)?<Error>[^]*<Code>/.test(head);
			if (isError && !/\.xml$/i.test(path)) {
				throw new TransferError('foreign', 'An error was sent instead of the file');
			}
		}
		isFirst = false;
		yield block;
	}
}

import type { FilePlace } from '../../service/files';
import type { Client } from '../client';
import { TransferError, type BodyReader } from '../download/bodyReader';
import { transfer } from '../download/transfer';
import { explainMissing } from './listing';
import { requestStorage } from './storage';

/** Reads the whole body; its result of a failed transfer is discarded. */
type Use<T> = (bytes: AsyncIterable<Uint8Array>, reader: BodyReader) => Promise<T>;

/**
 * Requests a file and passes its bytes to `use`, again from the start when the transfer fails for a
 * temporary reason. The key is sent only to the service, not to the URL that it redirects to.
 *
 * @throws NodeApiError, CancelledError as `transfer` does
 */
export async function downloadFile<T>(client: Client, place: FilePlace, use: Use<T>): Promise<T> {
	const { storageId, path } = place;
	const open = async (attempt: number) => {
		const found = await client.locate('downloadFile', { path: { storage_id: storageId, path } });
		if (found.kind === 'stream') return found;
		return await requestStorage(client, { method: 'GET', address: found.location }, attempt);
	};
	const done = transfer(
		client,
		'downloadFile',
		open,
		async (reader) => await use(fileBytes(reader, path), reader),
	);
	return await explainMissing(client, place, done);
}

/** The same for the file in which a SQL session stored a result, at a presigned URL. */
export async function downloadResult<T>(client: Client, address: string, use: Use<T>): Promise<T> {
	return await transfer(
		client,
		'getSqlSession',
		async (attempt) => await requestStorage(client, { method: 'GET', address }, attempt),
		async (reader) => await use(fileBytes(reader, new URL(address).pathname), reader),
	);
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
async function* fileBytes(reader: BodyReader, path: string): AsyncGenerator<Uint8Array> {
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

import type { FilePlace } from '../../service/files';
import type { StreamResponse } from '../calls';
import type { Client } from '../client';
import type { BodyReader } from '../download/bodyReader';
import { transfer } from '../download/transfer';
import { noSuchFile } from './missing';
import { withAddress } from './withAddress';

/**
 * Asks for a file and gives its bytes to `use`, again from the start when the transfer fails in a
 * way that may pass. The key goes to the service only: the address to which it redirects is asked
 * without it.
 *
 * @param use reads the whole body; what it made of a failed transfer has to be worthless by itself
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
		async (reader) => await use(reader, reader),
	);
}

async function openFile(client: Client, place: FilePlace): Promise<StreamResponse> {
	const { storageId, path } = place;
	const opened = withAddress(client, 'download', async () => {
		const found = await client.locate('downloadFile', { path: { storage_id: storageId, path } });
		if (found.kind === 'stream') return found;
		return await client.sendPresigned({ method: 'GET', address: found.location });
	});
	return await opened.catch(async (error: Error) => {
		await noSuchFile(client, place, error);
		throw error;
	});
}

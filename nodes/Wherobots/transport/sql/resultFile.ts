import type { Client } from '../client';
import { transfer } from '../download/transfer';
import type { BodyReader } from '../download/bodyReader';
import { fileBytes } from '../files/downloadFile';
import { withAddress } from '../files/withAddress';

/**
 * Fetches the file that a session has put a result into, again from the start when the transfer
 * fails in a way that may pass. Its address authorizes by itself and is asked without the key.
 *
 * @param use reads the whole file; what it made of a failed transfer has to be worthless by itself
 * @throws NodeApiError, CancelledError as `transfer` does
 */
export async function downloadResult<T>(
	client: Client,
	address: string,
	use: (bytes: AsyncIterable<Uint8Array>, reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await transfer(
		client,
		'getSqlSession',
		async () =>
			await withAddress(client, 'download', async () => {
				return await client.sendPresigned({ method: 'GET', address });
			}),
		async (reader) => await use(fileBytes(reader, new URL(address).pathname), reader),
	);
}

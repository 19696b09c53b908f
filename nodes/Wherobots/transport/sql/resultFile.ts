import type { Client } from '../client';
import { transfer } from '../download/transfer';
import type { BodyReader } from '../download/bodyReader';
import { fileBytes } from '../files/downloadFile';
import { withPresignedUrl } from '../files/withPresignedUrl';

/**
 * Downloads the file in which a session stored a result, again from the start when the transfer fails
 * for a temporary reason. Its URL is presigned and requested without the key.
 *
 * @param use reads the whole file; its result of a failed transfer is discarded
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
			await withPresignedUrl(client, 'download', async () => {
				return await client.sendPresigned({ method: 'GET', address });
			}),
		async (reader) => await use(fileBytes(reader, new URL(address).pathname), reader),
	);
}

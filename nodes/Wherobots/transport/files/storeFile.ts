import type { FilePlace, IfExists } from '../../service/files';
import type { Client } from '../client';
import { inTurn } from '../inTurn';
import type { FileSource } from './fileSource';
import { lookUp } from './listing';
import { destinationOf, uploadFile } from './uploadFile';

/** A file that is in a storage now. */
export interface StoredFile extends FilePlace {
	/** Where it is for a job run: `s3://bucket/…`. */
	destination: string;
	/** In bytes. */
	size: number;
	/** Of what was uploaded, in hexadecimal. */
	sha256?: string;
	/** False when a file was there already and was kept. */
	uploaded: boolean;
}

/**
 * Uploads a file unless one of its path is there that is to stay. Within this process nobody else
 * uploads to the same path meanwhile; elsewhere somebody may, between the look and the upload,
 * because the service has no way to upload only what is not there.
 *
 * @throws NodeApiError, CancelledError as `lookUp` and `uploadFile` do, and when a file is there that
 *   must not be
 */
export async function storeFile(
	client: Client,
	place: FilePlace,
	source: FileSource,
	ifExists: IfExists,
): Promise<StoredFile> {
	const { storageId, path } = place;
	return await inTurn(client, `file ${storageId} ${path}`, async () => {
		const { file } = ifExists === 'replace' ? {} : await lookUp(client, storageId, path);
		if (file && ifExists === 'fail') {
			throw client.error({
				message: `A file already exists at "${path}"`,
				description: 'Nothing was uploaded.',
				codes: [],
				facts: { ...place },
			});
		}
		if (file) {
			const destination = await destinationOf(client, place);
			return { ...place, destination, size: file.size ?? 0, uploaded: false };
		}
		const { destination, sha256 } = await uploadFile(client, place, source);
		return { ...place, destination, size: source.size, sha256, uploaded: true };
	});
}

import { parentOf, type FilePlace } from '../../service/files';
import type { Client } from '../client';
import { inTurn } from '../clock';
import { isAmbiguous } from '../failures/errors';
import { toResult } from '../toResult';
import { explainMissing, lookUp } from './listing';

/** A file under its new name. */
export interface RenamedFile extends FilePlace {
	name: string;
	previousPath: string;
	/** Present when the response was lost, and the folder shows that the file was renamed. */
	recovered?: true;
}

/**
 * Renames a file within its folder. The service may replace another file of the new name, so the node
 * looks for one first. When the response is lost, the folder shows whether the file was renamed; the
 * request is not sent again.
 *
 * @throws NodeApiError, CancelledError as the client does, and when a file has the new name
 */
export async function renameFile(
	client: Client,
	place: FilePlace,
	name: string,
): Promise<RenamedFile> {
	const { storageId, path } = place;
	const target = { storageId, path: parentOf(path) + name };
	const renamed: RenamedFile = { ...target, name, previousPath: path };
	return await inTurn(client, `file ${storageId} ${target.path}`, async () => {
		if (await lookUp(client, 'file', target)) {
			throw client.error({
				message: `A file already exists at "${target.path}"`,
				description: 'Nothing was renamed.',
				facts: { ...place },
			});
		}
		const sent = client.call('renameFile', {
			path: { storage_id: storageId, path },
			query: { new_name: name },
			lookFor: `a file at "${target.path}"`,
			finishOnceSent: true,
		});
		const outcome = await toResult(explainMissing(client, place, sent));
		if (outcome.ok) return renamed;
		if (!isAmbiguous(outcome.error)) throw outcome.error;
		const found = await toResult(
			Promise.all([lookUp(client, 'file', place), lookUp(client, 'file', target)]),
		);
		if (found.ok && !found.value[0] && found.value[1]) return { ...renamed, recovered: true };
		throw outcome.error;
	});
}

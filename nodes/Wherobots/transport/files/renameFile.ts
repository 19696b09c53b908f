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

/** The progress of a request, kept by the caller while the same request may be repeated. */
export interface RenameState {
	/** Set when it is unclear whether the request was handled. */
	lost?: true;
	done?: RenamedFile;
}

/**
 * Renames a file within its folder. The service may replace another file of the new name, so the node
 * looks for one first. A request that may have been handled is not sent again before a look at the
 * folder.
 *
 * @param state the progress of the same request so far; updated
 * @throws NodeApiError, CancelledError as the client does, and when a file has the new name
 */
export async function renameFile(
	client: Client,
	place: FilePlace,
	name: string,
	state: RenameState,
): Promise<RenamedFile> {
	if (state.done) return state.done;
	const { storageId, path } = place;
	const target = { storageId, path: parentOf(path) + name };
	const renamed: RenamedFile = { ...target, name, previousPath: path };
	const isDone = async () =>
		(await lookUp(client, 'file', target)) !== undefined &&
		(await lookUp(client, 'file', place)) === undefined;
	state.done = await inTurn(client, `file ${storageId} ${target.path}`, async () => {
		if (state.lost && (await isDone())) return { ...renamed, recovered: true };
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
		state.lost = true;
		const found = await toResult(isDone());
		if (found.ok && found.value) return { ...renamed, recovered: true };
		throw outcome.error;
	});
	return state.done;
}

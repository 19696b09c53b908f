import { isMyFiles, type FilePlace } from '../../service/files';
import type { Client } from '../client';
import { amend, hasStatus } from '../failures/errors';
import { toResult } from '../toResult';

/**
 * Waits for work on a file or folder, and adds to an error of status 404 what is not there: the
 * service says the same of a file and of a storage, so its root decides, as in the service's own
 * clients.
 */
export async function explainMissing<T>(
	client: Client,
	{ storageId, path }: FilePlace,
	work: Promise<T>,
): Promise<T> {
	const done = await toResult(work);
	if (done.ok) return done.value;
	const error = done.error as Error;
	if (hasStatus(error, 404)) {
		amend(error, { facts: { storageId, path } });
		if (!(await noSuchStorage(client, storageId, error))) {
			amend(error, { before: `There is nothing at "${path}" in this storage.` });
		}
	}
	throw error;
}

/** The same of a storage alone. @returns whether the storage is what is not there */
export async function noSuchStorage(
	client: Client,
	storageId: string,
	error: Error,
): Promise<boolean> {
	if (!hasStatus(error, 404)) return false;
	const root = await toResult(
		client.call('listDirectory', {
			path: { storage_id: storageId, path: '' },
			query: { limit: 1 },
		}),
	);
	if (root.ok || !hasStatus(root.error, 404)) return false;
	amend(error, {
		before: isMyFiles(storageId)
			? "'My Files' is not available to this account in this region. Wherobots enables it for each organization."
			: 'There is no storage with this ID, or this account cannot see it.',
	});
	return true;
}

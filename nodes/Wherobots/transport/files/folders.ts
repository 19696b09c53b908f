import {
	asFolder,
	isMyFiles,
	levelsOf,
	nameOf,
	type FolderPlace,
	type Storage,
	type UploadPlace,
} from '../../service/files';
import type { Client } from '../client';
import { amend, hasStatus } from '../failures/errors';
import { text } from '../failures/plainText';
import { readList } from '../records';
import { toResult } from '../toResult';
import { explainMissing, listFolder, lookUp, NO_STORAGE } from './listing';

/**
 * Creates a folder and its ancestors, one after the other: the service creates only the last level of
 * a path. Ancestors that already exist, or that the account may not create, are skipped.
 *
 * @returns whether the folder itself was created; false when it already existed
 * @throws NodeApiError when the folder cannot be created, or a file has its name
 */
export async function createFolder(
	client: Client,
	{ storageId, folder }: FolderPlace,
): Promise<boolean> {
	for (const level of levelsOf(folder)) {
		const created = await toResult(
			client.call('createDirectory', { path: { storage_id: storageId, path: level } }),
		);
		if (created.ok) continue;
		const { error } = created;
		const isThere = hasStatus(error, 409);
		if (level !== folder && (isThere || hasStatus(error, 403))) continue;
		if (isThere) {
			const place = { storageId, path: folder };
			if (await lookUp(client, 'folder', place)) return false;
			if (await lookUp(client, 'file', place)) {
				amend(error, { before: `A file named "${nameOf(folder)}" already exists there.` });
			}
		}
		const failed = Promise.reject<boolean>(error as Error);
		return await explainMissing(client, { storageId, path: level }, failed);
	}
	return true;
}

/** Maximum number of entries named for a folder that is not empty. */
const MAX_NAMED = 3;

/**
 * Deletes a folder. The service always deletes its contents as well, so it is listed first unless
 * `recursive` is on. Entries added between the two requests are deleted, too.
 *
 * @throws NodeApiError when it is not empty and `recursive` is off
 */
export async function deleteFolder(
	client: Client,
	{ storageId, folder }: FolderPlace,
	recursive: boolean,
): Promise<void> {
	const place = { storageId, path: folder };
	if (!recursive) {
		const entries = await listFolder(client, { storageId, folder }, MAX_NAMED + 1);
		if (entries.length > 0) {
			const names = entries.slice(0, MAX_NAMED).map(({ name }) => name);
			throw client.error({
				message: `The folder "${folder}" is not empty`,
				description: `It contains ${names.join(', ')}${entries.length > MAX_NAMED ? ' and more' : ''}. Nothing was deleted. Delete its contents first, or choose to delete the folder with its contents.`,
				facts: place,
			});
		}
	}
	const path = { storage_id: storageId, path: folder };
	await explainMissing(client, place, client.call('deleteDirectory', { path }));
}

/** Deletes a file. @throws NodeApiError, CancelledError as `Client.call` does */
export async function deleteFile(client: Client, storageId: string, path: string): Promise<void> {
	const deleted = client.call('deleteFile', { path: { storage_id: storageId, path } });
	await explainMissing(client, { storageId, path }, deleted);
}

/**
 * The folder to upload a program or a dependency to: where the vendor's clients keep them, in subfolders
 * of the storage's default directory, or of its root where it has none. A program, or any other file,
 * goes directly into a given folder.
 *
 * @throws NodeApiError when the storage is not in the list of storages, as `readList` does
 */
export async function folderFor(
	client: Client,
	{ storageId, folder }: UploadPlace,
	kind: 'scripts' | 'dependencies',
): Promise<FolderPlace> {
	if (folder !== undefined) {
		return { storageId, folder: kind === 'scripts' ? folder : `${folder}${kind}/` };
	}
	const storages = await readList<Storage>(client, 'listStorages');
	const storage = storages.find(({ id }) => String(id) === storageId);
	if (!storage && !isMyFiles(storageId)) {
		throw client.error({
			message: 'The default folder of the storage is not known',
			description: `${NO_STORAGE}\nNothing was uploaded.`,
			facts: { storageId },
		});
	}
	return { storageId, folder: `${asFolder(text(storage?.defaultDirectory))}${kind}/` };
}

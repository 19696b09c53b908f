import {
	entryIn,
	isFolder,
	isMyFiles,
	nameOf,
	parentOf,
	type FileEntry,
	type FilePlace,
	type FolderPlace,
} from '../../service/files';
import type { Client } from '../client';
import { amend, hasStatus } from '../failures/errors';
import { broken, pages, type Paging } from '../pagination';
import { toResult } from '../toResult';

/** The service's own clients request a thousand; more is an error, and no size returns everything at once. */
const PAGING: Paging = {
	sizeName: 'limit',
	maxSize: 1_000,
	keyOf: (listed) => {
		// Markers of folders are all alike, so pages of nothing else come to an end.
		const { type = '', path = '' } = entryIn('', listed) ?? {};
		return `${type} ${path}`;
	},
};

/**
 * Entries directly inside a folder, up to a limit.
 *
 * @param wanted selects entries
 * @throws NodeApiError, CancelledError as `pages` does
 */
async function entriesOf(
	client: Client,
	{ storageId, folder }: FolderPlace,
	limit: number,
	wanted: (entry: FileEntry) => boolean,
): Promise<FileEntry[]> {
	const path = { storage_id: storageId, path: folder };
	const found: FileEntry[] = [];
	for await (const page of pages(client, 'listDirectory', { path, paging: PAGING })) {
		const entries = page.flatMap((listed) => entryIn(folder, listed) ?? []);
		found.push(...entries.filter(wanted));
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}

/** The same. @throws NodeApiError that says whether the folder or the storage is missing */
export async function listFolder(
	client: Client,
	place: FolderPlace,
	limit: number,
	wanted: (entry: FileEntry) => boolean = () => true,
): Promise<FileEntry[]> {
	const { storageId, folder } = place;
	const entries = entriesOf(client, place, limit, wanted);
	return await explainMissing(client, { storageId, path: folder }, entries);
}

/** S3 has no longer paths: a storage that names folders without end is noticed by it. */
const MAX_PATH = 1_024;

/**
 * The same for everything below a folder, what is near it first.
 *
 * @throws NodeApiError also when the folders do not end
 */
export async function listTree(
	client: Client,
	{ storageId, folder: start }: FolderPlace,
	limit: number,
	wanted: (entry: FileEntry) => boolean,
): Promise<FileEntry[]> {
	const found: FileEntry[] = [];
	const folders = [start];
	for (const folder of folders) {
		if (found.length >= limit) break;
		if (folder.length > MAX_PATH) throw broken(client, 'folders were found in folders without end');
		const entries = await listFolder(
			client,
			{ storageId, folder },
			limit - found.length,
			(entry) => {
				if (isFolder(entry)) folders.push(entry.path);
				return wanted(entry);
			},
		);
		for (const entry of entries) found.push(entry);
	}
	return found;
}

/**
 * The file or the folder at a path, of which both may exist. A missing folder counts as empty; the
 * next request shows whether its storage exists.
 *
 * @throws NodeApiError, CancelledError as `pages` does
 */
export async function lookUp(
	client: Client,
	kind: 'file' | 'folder',
	{ storageId, path }: FilePlace,
): Promise<FileEntry | undefined> {
	const isIt = (entry: FileEntry) =>
		entry.name === nameOf(path) && isFolder(entry) === (kind === 'folder');
	const found = await toResult(entriesOf(client, { storageId, folder: parentOf(path) }, 1, isIt));
	if (found.ok) return found.value[0];
	if (hasStatus(found.error, 404)) return undefined;
	throw found.error;
}

export const NO_STORAGE = 'There is no storage with this ID, or this account cannot see it.';

/**
 * Awaits work on a file, a folder or only a storage, and adds to a 404 error what is missing: the
 * service's error is the same for all, so the storage's root is checked, as in the service's own
 * clients.
 */
export async function explainMissing<T>(
	client: Client,
	{ storageId, path }: { storageId: string; path?: string },
	work: Promise<T>,
): Promise<T> {
	return await work.catch(async (error: Error) => {
		if (!hasStatus(error, 404)) throw error;
		const at = { path: { storage_id: storageId, path: '' }, query: { limit: 1 } };
		const root = await toResult(client.call('listDirectory', at));
		const isMissing = !root.ok && hasStatus(root.error, 404);
		const noStorage = isMyFiles(storageId)
			? "'My Files' is not available to this account in this region. Wherobots enables it for each organization."
			: NO_STORAGE;
		const nothing = path === undefined ? '' : `There is nothing at "${path}" in this storage.`;
		amend(error, {
			before: isMissing ? noStorage : nothing,
			facts: path === undefined ? {} : { storageId, path },
		});
		throw error;
	});
}

/** Maximum number of folders to read for one part of the tree, while the user waits. */
const MAX_FOLDERS = 8;
/** Number of entries to show at once. */
const ENOUGH = 50;
/** Maximum number of entries of one folder, and of folders waiting; in a larger tree, users type a path. */
const MAX_ENTRIES = 1_000;
const MAX_WAITING = 200;

/**
 * Entries of a folder and all its subfolders, breadth first, one part at a time.
 *
 * @param token returned with the previous part; undefined for the first
 * @param wanted selects entries to return
 * @throws NodeApiError when the first folder cannot be read; others that cannot are skipped
 */
export async function browse(
	client: Client,
	{ storageId, folder: start }: FolderPlace,
	token: string | undefined,
	wanted: (entry: FileEntry) => boolean,
): Promise<{ entries: FileEntry[]; token?: string }> {
	const waiting = token === undefined ? [start] : (JSON.parse(token) as string[]);
	const entries: FileEntry[] = [];
	for (let read = 0; read < MAX_FOLDERS && entries.length < ENOUGH; read++) {
		const folder = waiting.shift();
		if (folder === undefined) break;
		const place = { storageId, folder };
		const found = await toResult(entriesOf(client, place, MAX_ENTRIES, () => true));
		if (!found.ok && token === undefined && read === 0) throw found.error;
		const below = found.ok ? found.value : [];
		entries.push(...below.filter(wanted));
		const inner = below.filter(isFolder).map(({ path }) => path);
		waiting.push(...inner.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
	}
	return { entries, token: waiting.length > 0 ? JSON.stringify(waiting) : undefined };
}

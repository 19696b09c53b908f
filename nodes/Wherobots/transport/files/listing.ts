import {
	asFolder,
	isFolder,
	isMarker,
	isMyFiles,
	isNamed,
	nameOf,
	parentOf,
	type FileEntry,
	type FilePlace,
	type FolderPlace,
} from '../../service/files';
import type { Client } from '../client';
import { amend, hasStatus } from '../failures/errors';
import { pages, readPage, type Page, type Paging } from '../pagination';
import { toResult } from '../toResult';

/** The service's own clients take a thousand; more is an error, and none is everything at once. */
const PAGING: Paging<FileEntry> = {
	sizeName: 'limit',
	maxSize: 1_000,
	keyOf: ({ type, path }) => `${type} ${path}`,
};

/** Entries of a folder from a cursor on, the folder's own marker not left out. Throws as `readPage` does. */
export async function readFolderPage(
	client: Client,
	{ storageId, folder }: FolderPlace,
	cursor: string | undefined,
): Promise<Page<FileEntry>> {
	const path = { storage_id: storageId, path: folder };
	return await readPage(client, 'listDirectory', { path, cursor, size: 200, paging: PAGING });
}

/**
 * The files and folders in a folder, page by page, those of folders in it not among them.
 *
 * @throws NodeApiError, CancelledError as `pages` does
 */
export async function* folderPages(
	client: Client,
	{ storageId, folder }: FolderPlace,
): AsyncGenerator<FileEntry[]> {
	const path = { storage_id: storageId, path: folder };
	const read = pages<FileEntry>(client, 'listDirectory', { path, paging: PAGING });
	for await (const page of read) yield page.filter((entry) => !isMarker(entry, folder));
}

/**
 * Up to so many entries of a folder.
 *
 * @param wanted those that count
 * @throws NodeApiError that says whether it is the folder or the storage that is not there
 */
export async function listFolder(
	client: Client,
	place: FolderPlace,
	limit: number,
	wanted: (entry: FileEntry) => boolean = () => true,
): Promise<FileEntry[]> {
	const { storageId, folder } = place;
	const found: FileEntry[] = [];
	const read = async () => {
		for await (const page of folderPages(client, place)) {
			for (const entry of page) {
				if (!wanted(entry)) continue;
				found.push(entry);
				if (found.length >= limit) return;
			}
		}
	};
	await explainMissing(client, { storageId, path: folder }, read());
	return found;
}

/**
 * What is at a path: the file, the folder, both, or nothing. A folder that is not there holds
 * nothing; whether its storage is there, the request that follows shows.
 *
 * @throws NodeApiError, CancelledError as `pages` does
 */
export async function lookUp(
	client: Client,
	storageId: string,
	path: string,
): Promise<{ file?: FileEntry; folder?: FileEntry }> {
	const name = nameOf(path);
	const found: { file?: FileEntry; folder?: FileEntry } = {};
	const read = async () => {
		for await (const page of folderPages(client, { storageId, folder: parentOf(path) })) {
			for (const entry of page) {
				if (!isNamed(entry, name)) continue;
				if (isFolder(entry)) found.folder = entry;
				else found.file = entry;
			}
			if (found.file) return;
		}
	};
	await read().catch((error: Error) => {
		if (!hasStatus(error, 404)) throw error;
	});
	return found;
}

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

/** Most requests for one part of the tree: somebody is watching. */
const MAX_REQUESTS = 8;
/** Enough entries to show at once. */
const ENOUGH = 50;
/** Most folders that wait to be read: those of a larger tree are found by typing a path. */
const MAX_WAITING = 200;

/** A folder to read, from its beginning or from a cursor on. */
type Waiting = [folder: string, cursor?: string];

/**
 * Entries of a folder and of all folders in it, those near the top first, a part at a time.
 *
 * @param token what the part before gave; undefined for the first
 * @param wanted those to return
 * @throws NodeApiError when the first folder cannot be read; of others that cannot, nothing comes
 */
export async function browse(
	client: Client,
	{ storageId, folder: start }: FolderPlace,
	token: string | undefined,
	wanted: (entry: FileEntry) => boolean,
): Promise<{ entries: FileEntry[]; token?: string }> {
	const waiting: Waiting[] = token === undefined ? [[start]] : (JSON.parse(token) as Waiting[]);
	const entries: FileEntry[] = [];
	for (let requests = 0; requests < MAX_REQUESTS && entries.length < ENOUGH; requests++) {
		const next = waiting.shift();
		if (!next) return { entries };
		const [folder, cursor] = next;
		const page = await toResult(readFolderPage(client, { storageId, folder }, cursor));
		if (!page.ok) {
			if (token === undefined && requests === 0) throw page.error;
			continue;
		}
		const below = page.value.items.filter((entry) => !isMarker(entry, folder));
		entries.push(...below.filter(wanted));
		const folders = below
			// A folder that names one above among its own would never end.
			.filter((entry) => isFolder(entry) && asFolder(entry.path).startsWith(folder))
			.map((entry): Waiting => [asFolder(entry.path)]);
		const more = page.value.next;
		const isNew = more !== undefined && more !== cursor;
		waiting.unshift(...(isNew ? [[folder, more] as Waiting] : []));
		waiting.push(...folders.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
	}
	return { entries, token: waiting.length > 0 ? JSON.stringify(waiting) : undefined };
}

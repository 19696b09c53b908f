import {
	asFolder,
	isFolder,
	isMarker,
	isMyFiles,
	isNamed,
	nameOf,
	parentOf,
	type FileEntry,
	type FolderPlace,
} from '../../service/files';
import type { Client } from '../client';
import { amend, hasStatus } from '../failures/errors';
import { pages, readPage, type Paging } from '../pagination';
import { toResult } from '../toResult';

/** The service's own clients request a thousand; more is an error, and no size returns everything at once. */
const PAGING: Paging<FileEntry> = {
	sizeName: 'limit',
	maxSize: 1_000,
	keyOf: ({ type, path }) => `${type} ${path}`,
};

/**
 * The files and folders directly inside a folder, page by page.
 *
 * @throws NodeApiError, CancelledError as `pages` does
 */
async function* folderPages(
	client: Client,
	{ storageId, folder }: FolderPlace,
): AsyncGenerator<FileEntry[]> {
	const path = { storage_id: storageId, path: folder };
	const read = pages<FileEntry>(client, 'listDirectory', { path, paging: PAGING });
	for await (const page of read) yield page.filter((entry) => !isMarker(entry, folder));
}

/**
 * Entries of a folder, up to a limit.
 *
 * @param wanted selects entries
 * @throws NodeApiError that says whether the folder or the storage is missing
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
 * What is at a path: the file, the folder, both, or nothing. A missing folder counts as empty; the
 * next request shows whether its storage exists.
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
			: 'There is no storage with this ID, or this account cannot see it.';
		const nothing = path === undefined ? '' : `There is nothing at "${path}" in this storage.`;
		amend(error, {
			before: isMissing ? noStorage : nothing,
			facts: path === undefined ? {} : { storageId, path },
		});
		throw error;
	});
}

/** Maximum number of requests for one part of the tree, while the user waits. */
const MAX_REQUESTS = 8;
/** Number of entries to show at once. */
const ENOUGH = 50;
/** Maximum number of folders waiting to be read; in a larger tree, users type a path. */
const MAX_WAITING = 200;

/** A folder to read, from its start or from a cursor. */
type Waiting = [folder: string, cursor?: string];

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
	const waiting: Waiting[] = token === undefined ? [[start]] : (JSON.parse(token) as Waiting[]);
	const entries: FileEntry[] = [];
	for (let requests = 0; requests < MAX_REQUESTS && entries.length < ENOUGH; requests++) {
		const next = waiting.shift();
		if (!next) return { entries };
		const [folder, cursor] = next;
		const path = { storage_id: storageId, path: folder };
		const asked = { path, cursor, size: 200, paging: PAGING };
		const page = await toResult(readPage(client, 'listDirectory', asked));
		if (!page.ok) {
			if (token === undefined && requests === 0) throw page.error;
			continue;
		}
		const below = page.value.items.filter((entry) => !isMarker(entry, folder));
		entries.push(...below.filter(wanted));
		const folders = below
			// A folder that lists one of its ancestors would cause a loop.
			.filter((entry) => isFolder(entry) && asFolder(entry.path).startsWith(folder))
			.map((entry): Waiting => [asFolder(entry.path)]);
		const more = page.value.next;
		const isNew = more !== undefined && more !== cursor;
		waiting.unshift(...(isNew ? [[folder, more] as Waiting] : []));
		waiting.push(...folders.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
	}
	return { entries, token: waiting.length > 0 ? JSON.stringify(waiting) : undefined };
}

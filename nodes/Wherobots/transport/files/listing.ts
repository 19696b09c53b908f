import {
	isFolder,
	isMarker,
	isNamed,
	nameOf,
	parentOf,
	type FileEntry,
	type FolderPlace,
} from '../../service/files';
import type { Client } from '../client';
import { hasStatus } from '../failures/errors';
import { pages, readPage, type Page, type Paging } from '../pagination';
import { explainMissing } from './missing';

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

import {
	asFolder,
	isFolder,
	isMarker,
	type FileEntry,
	type FolderPlace,
} from '../../service/files';
import type { Client } from '../client';
import { toResult } from '../toResult';
import { readFolderPage } from './listing';

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

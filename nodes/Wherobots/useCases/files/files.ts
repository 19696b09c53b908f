/** Files and folders in a storage, as the service lists and changes them. */
import {
	toFolder,
	toEntry,
	isFolder,
	isMyFiles,
	listLevels,
	getName,
	getParent,
	toPathValues,
	type FileEntry,
	type Place,
	type Storage,
	type UploadPlace,
} from '../../service/files';
import { NOTHING_THERE } from '../../service/endpoints';
import type { Client } from '../../transport/client';
import { runLocked } from '../../transport/concurrency';
import { Failure, hasStatus, isAmbiguous, settle } from '../../transport/failure';
import { toListFailure, fetchPages, fetchList } from '../../transport/records';
import { joinLines, toText } from '../../transport/text';

/**
 * Entries directly inside a folder, up to a limit.
 *
 * @param wanted selects entries
 * @throws Failure, CancelledError as `fetchPages` does
 */
async function fetchEntries(
	client: Client,
	place: Place,
	limit: number,
	wanted: (entry: FileEntry) => boolean = () => true,
): Promise<FileEntry[]> {
	const found: FileEntry[] = [];
	for await (const page of fetchPages(client, 'listDirectory', { path: toPathValues(place) })) {
		const entries = page.flatMap((listed) => toEntry(place.path, listed) ?? []);
		found.push(...entries.filter(wanted));
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}

/** The wanted entries of a folder. @throws Failure that says whether the folder or the storage is missing */
export async function fetchFolder(
	client: Client,
	place: Place,
	limit: number,
	wanted?: (entry: FileEntry) => boolean,
): Promise<FileEntry[]> {
	return await explainMissing(client, place, fetchEntries(client, place, limit, wanted));
}

/** The first page of a storage's root, which shows whether there is such a storage. */
export const fetchRoot = async (client: Client, storageId: string): Promise<unknown> =>
	await client.call('listDirectory', {
		path: toPathValues({ storageId, path: '' }),
		query: { limit: 1 },
	});

/** S3 has no longer paths: a storage that names folders without end is noticed by it. */
const MAX_PATH = 1_024;

/**
 * The wanted entries of a folder and of all below it, what is near it first.
 *
 * @throws Failure also when the folders do not end
 */
export async function fetchTree(
	client: Client,
	{ storageId, path: start }: Place,
	limit: number,
	wanted: (entry: FileEntry) => boolean,
): Promise<FileEntry[]> {
	const found: FileEntry[] = [];
	const folders = [start];
	for (const path of folders) {
		if (found.length >= limit) break;
		if (path.length > MAX_PATH)
			throw toListFailure('the folders turned out to be nested without end');
		const left = limit - found.length;
		const entries = await fetchFolder(client, { storageId, path }, left, (entry) => {
			if (isFolder(entry)) folders.push(entry.path);
			return wanted(entry);
		});
		for (const entry of entries) found.push(entry);
	}
	return found;
}

const isEntry =
	(kind: 'file' | 'folder', path: string) =>
	(entry: FileEntry): boolean =>
		entry.name === getName(path) && isFolder(entry) === (kind === 'folder');

/**
 * The file or the folder at a path, of which both may exist. A missing folder counts as empty; the
 * next request shows whether its storage exists.
 *
 * @throws Failure, CancelledError as `fetchPages` does
 */
export async function findEntry(
	client: Client,
	kind: 'file' | 'folder',
	{ storageId, path }: Place,
): Promise<FileEntry | undefined> {
	const isIt = isEntry(kind, path);
	const found = await settle(fetchEntries(client, { storageId, path: getParent(path) }, 1, isIt));
	if (found.ok) return found.value[0];
	if (hasStatus(found.error, 404)) return undefined;
	throw found.error;
}

const describeNoStorage = (storageId: string) =>
	`There is no storage with the ID "${storageId}", or this account cannot see it`;
const NO_MY_FILES = "'My Files' is not available to this account in this region";

/**
 * Awaits work on a file, a folder or only a storage, and adds to a 404 error what is missing: the
 * service's error is the same for all, so its parent is looked at for what has the name, and the
 * storage's root, as in the service's own clients. Another key does not help where a folder is read-only.
 */
export async function explainMissing<T>(
	client: Client,
	{ storageId, path = '' }: UploadPlace,
	work: Promise<T>,
): Promise<T> {
	return await work.catch(async (error: Error) => {
		if (hasStatus(error, 403) && /'[^']*' is read-only\b/i.test(error.message)) {
			throw error.with({ nextStep: 'Choose another folder or storage.' });
		}
		if (!hasStatus(error, 404)) throw error;
		const [what, wanted] = path.endsWith('/')
			? (['file', 'folder'] as const)
			: (['folder', 'file'] as const);
		const parent = { storageId, path: getParent(path) };
		// The storage itself was asked for.
		const near =
			path === ''
				? ({ ok: false, error } as const)
				: await settle(fetchEntries(client, parent, 1, isEntry(what, path)));
		const isRootRead = near.ok || parent.path === '';
		const root = isRootRead ? near : await settle(fetchRoot(client, storageId));
		const isMissing = !root.ok && hasStatus(root.error, 404);
		const isOwn = isMissing && isMyFiles(storageId);
		const [other] = near.ok ? near.value : [];
		const there = other
			? `"${other.path}" is a ${what}, not a ${wanted}`
			: path === ''
				? error.message
				: `There is nothing at "${path}" in this storage`;
		const message = isOwn ? NO_MY_FILES : isMissing ? describeNoStorage(storageId) : there;
		const isSaid =
			[message, NOTHING_THERE].includes(error.message) ||
			(isMissing && error.message.startsWith('There is no storage ')) ||
			error.parts.codes?.includes('NoSuchKey');
		throw error.with({ message }).withContext({
			before: joinLines(
				isOwn && 'Wherobots enables it organization by organization.',
				!isSaid && `${error.message}.`,
			),
			facts: path === '' ? {} : { storageId, path },
		});
	});
}

async function findStorage(client: Client, storageId: string): Promise<Storage | undefined> {
	const storages = await fetchList<Storage>(client, 'listStorages');
	return storages.find(({ id }) => String(id) === storageId);
}

/** The error of a change, which a storage may refuse as a whole. @param before what it says of others */
export async function explainReadOnly(
	client: Client,
	storageId: string,
	error: unknown,
	before?: string,
): Promise<unknown> {
	if (!hasStatus(error, 403)) return error;
	const found = await settle(findStorage(client, storageId));
	return found.ok && found.value?.readOnly
		? error.with({
				message: `The storage "${found.value.name ?? storageId}" is read-only`,
				nextStep: 'Choose another storage.',
			})
		: error.withContext({ before });
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
 * @throws Failure when the first folder cannot be read; others that cannot are skipped
 */
export async function browse(
	client: Client,
	{ storageId, path: start }: Place,
	token: string | undefined,
	wanted: (entry: FileEntry) => boolean,
): Promise<{ entries: FileEntry[]; token?: string }> {
	const waiting = token === undefined ? [start] : (JSON.parse(token) as string[]);
	const entries: FileEntry[] = [];
	for (let read = 0; read < MAX_FOLDERS && entries.length < ENOUGH; read++) {
		const path = waiting.shift();
		if (path === undefined) break;
		const found = await settle(fetchEntries(client, { storageId, path }, MAX_ENTRIES));
		if (!found.ok && token === undefined && read === 0) throw found.error;
		const below = found.ok ? found.value : [];
		entries.push(...below.filter(wanted));
		const inner = below.filter(isFolder).map(({ path }) => path);
		waiting.push(...inner.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
	}
	return { entries, token: waiting.length > 0 ? JSON.stringify(waiting) : undefined };
}

/**
 * Creates a folder and its ancestors, one after the other: the service creates only the last level of
 * a path. Ancestors that already exist, or that the account may not create, are skipped.
 *
 * @returns whether the folder itself was created; false when it already existed
 * @throws Failure when the folder cannot be created, or a file has its name
 */
export async function createFolder(
	client: Client,
	{ storageId, path: folder }: Place,
): Promise<boolean> {
	for (const path of listLevels(folder)) {
		const place = { storageId, path };
		const making = client.call('createDirectory', { path: toPathValues(place) });
		const created = await settle(explainMissing(client, place, making));
		if (created.ok) continue;
		const { error } = created;
		const isThere = hasStatus(error, 409);
		if (path !== folder && (isThere || hasStatus(error, 403))) continue;
		if (isThere) {
			if (await findEntry(client, 'folder', place)) return false;
			if (await findEntry(client, 'file', place)) {
				const before = `A file named "${getName(folder)}" already exists there.`;
				throw error.withContext({ before });
			}
		}
		throw await explainReadOnly(client, storageId, error);
	}
	return true;
}

/** Maximum number of entries named for a folder that is not empty. */
const MAX_NAMED = 3;

/**
 * Deletes a folder. The service always deletes its contents as well, so it is listed first unless
 * `recursive` is on. Entries added between the two requests are deleted, too.
 *
 * @param advice what helps where it is not empty, in the words of the form
 * @throws Failure when it is not empty and `recursive` is off
 */
export async function deleteFolder(
	client: Client,
	place: Place,
	recursive: boolean,
	advice: string,
): Promise<void> {
	if (!recursive) {
		const entries = await fetchFolder(client, place, MAX_NAMED + 1);
		if (entries.length > 0) {
			const names = entries.slice(0, MAX_NAMED).map(({ name }) => name);
			throw new Failure({
				message: `The folder "${place.path}" is not empty`,
				description: `It contains ${names.join(', ')}${entries.length > MAX_NAMED ? ' and more' : ''}. Nothing was deleted. ${advice}`,
				facts: { ...place },
			});
		}
	}
	const path = toPathValues(place);
	await explainMissing(client, place, client.call('deleteDirectory', { path }));
}

/** Deletes a file. @throws Failure, CancelledError as `Client.call` does */
export async function deleteFile(client: Client, place: Place): Promise<void> {
	const path = toPathValues(place);
	await explainMissing(client, place, client.call('deleteFile', { path }));
}

/**
 * The folder to upload a program or a dependency to: where the vendor's clients keep them, in subfolders
 * of the storage's default directory, or of its root where it has none. A program, or any other file,
 * goes directly into a given folder.
 *
 * @throws Failure when the storage is not in the list of storages, as `fetchList` does
 */
export async function resolveFolder(
	client: Client,
	{ storageId, path }: UploadPlace,
	kind: 'scripts' | 'dependencies',
): Promise<Place> {
	if (path !== undefined) {
		return { storageId, path: kind === 'scripts' ? path : `${path}${kind}/` };
	}
	const storage = await findStorage(client, storageId);
	if (!storage && !isMyFiles(storageId)) {
		throw new Failure({
			message: describeNoStorage(storageId),
			description: 'Nothing was uploaded.',
			nextStep: 'Choose one from the list, or enter its ID, not its name.',
			facts: { storageId },
		});
	}
	return { storageId, path: toDefaultFolder(storage, kind) };
}

/** A folder below the default directory of a storage, or below its root where it has none. */
export const toDefaultFolder = (storage: Storage | undefined, name: string): string =>
	`${toFolder(toText(storage?.defaultDirectory))}${name}/`;

/** A file under its new name. */
export interface RenamedFile extends Place {
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
 * @throws Failure, CancelledError as the client does, and when a file has the new name
 */
export async function renameFile(client: Client, place: Place, name: string): Promise<RenamedFile> {
	const { storageId, path } = place;
	const target = { storageId, path: getParent(path) + name };
	const renamed: RenamedFile = { ...target, name, previousPath: path };
	return await runLocked(client, `file ${storageId} ${target.path}`, async () => {
		if (await findEntry(client, 'file', target)) {
			throw new Failure({
				message: `A file already exists at "${target.path}"`,
				description: 'Nothing was renamed. Choose another name.',
				facts: { ...place },
			});
		}
		const sent = client.call('renameFile', {
			path: toPathValues(place),
			query: { new_name: name },
			recoveryHint: `a file at "${target.path}"`,
		});
		const outcome = await settle(explainMissing(client, place, sent));
		if (outcome.ok) return renamed;
		if (!isAmbiguous(outcome.error)) throw outcome.error;
		const found = await settle(
			Promise.all([findEntry(client, 'file', place), findEntry(client, 'file', target)]),
		);
		if (found.ok && !found.value[0] && found.value[1]) return { ...renamed, recovered: true };
		throw outcome.error;
	});
}

/**
 * Storages and the files in them, as the public description of the service and its published
 * clients show them: they are not part of the documented interface (docs/files.md).
 */
import type { IDataObject } from 'n8n-workflow';

/** An entry of the list of storages. */
export interface Storage extends IDataObject {
	id: string;
	name?: string;
	/** Where it is: `s3://bucket/prefix`. */
	path?: string;
	region?: string;
	/** `MANAGED` for that of the service, `INTEGRATION` for a bucket of the organization. */
	type?: string;
	readOnly?: boolean;
}

/** An entry of a folder. Paths are those below the storage; those of folders end in a slash. */
export interface FileEntry extends IDataObject {
	name: string;
	path: string;
	type: string;
	/** In bytes; 0 for folders. */
	size?: number;
	lastModified?: string | null;
	protected?: boolean;
}

/** Where a file is. */
export interface FilePlace {
	storageId: string;
	/** Below the storage. */
	path: string;
}

/** Where a folder is. */
export interface FolderPlace {
	storageId: string;
	/** Below the storage, with a slash at its end; the root is empty. */
	folder: string;
}

/** What becomes of a file that is there already. */
export type IfExists = 'fail' | 'keep' | 'replace';

/** The beginning of the id that the caller's own files have as a storage, one for each region. */
const MY_FILES = 'user_files::';

/** The id of the caller's own files in a region, which the list of storages need not name. */
export function myFilesId(region: string): string {
	return MY_FILES + region;
}

/** Whether an id stands for somebody's own files. */
export function isMyFiles(storageId: string): boolean {
	return storageId.startsWith(MY_FILES);
}

// Whatever the service sends as a path or name is read as text.

/** A folder as paths have it: no slash before it, one behind it; the root is empty. */
export function asFolder(text: string): string {
	const path = String(text).replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `${path}/`;
}

/** The folder that a file or folder is in. */
export function parentOf(path: string): string {
	const plain = path.replace(/\/$/, '');
	return plain.slice(0, plain.lastIndexOf('/') + 1);
}

/** The last part of a path: the name of the file or folder. */
export function nameOf(path: string): string {
	return String(path).replace(/\/$/, '').split('/').at(-1) ?? '';
}

/** The folders that lead to a folder, itself the last: `a/`, `a/b/`. */
export function levelsOf(folder: string): string[] {
	const names = folder.split('/').filter(Boolean);
	return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

/** Whether an entry is a folder; a file and a folder of one name can exist side by side. */
export function isFolder({ type }: FileEntry): boolean {
	return type === 'FOLDER';
}

/**
 * Whether an entry is only what keeps an empty folder there, as its path tells. A name that is missing
 * tells nothing: what is taken for a marker is deleted with its folder.
 */
export function isMarker(entry: FileEntry, folder: string): boolean {
	const { path } = entry;
	return asFolder(path) === folder && (isFolder(entry) || String(path).endsWith('/'));
}

/** Whether an entry is the file or folder of this name, by its path or by its name. */
export function isNamed({ name, path }: FileEntry, wanted: string): boolean {
	return nameOf(path) === wanted || nameOf(name) === wanted;
}

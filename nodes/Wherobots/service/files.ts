/**
 * Storages and the files in them, as the public description of the service and its published
 * clients show them: they are not part of the documented interface (docs/files.md).
 */
import type { IDataObject } from 'n8n-workflow';

import { toExactText } from './records';

export interface Storage extends IDataObject {
	id: string;
	name?: string;
	/** Its location: `s3://bucket/prefix`. Paths of files are relative to it. */
	path?: string;
	/** Where the caller's own files are, below `path`. */
	defaultDirectory?: string | null;
	region?: string;
	/** `MANAGED` for the service's own, `INTEGRATION` for a bucket of the organization. */
	type?: string;
	readOnly?: boolean;
}

/** An entry of a folder, as `toEntry` reads it. Paths are relative to the storage; those of folders end with a slash. */
export interface FileEntry extends IDataObject {
	name: string;
	path: string;
	type: string;
	/** In bytes; 0 for folders. */
	size?: number;
	lastModified?: string | null;
	protected?: boolean;
}

/** Where a file or a folder is. */
export interface Place {
	storageId: string;
	/** Relative to the storage; that of a folder ends with a slash, and that of the root is empty. */
	path: string;
}

/** Its values in the paths of endpoints. */
export const toPathValues = ({ storageId, path }: Place) => ({ storage_id: storageId, path });

/** The value of a folder field for the storage's own place for such files. */
export const DEFAULT_FOLDER = 'defaultFolder';

/** Where to upload to. Without a path, it is the storage's own place for such files (`resolveFolder`). */
export type UploadPlace = Pick<Place, 'storageId'> & Partial<Place>;

/** What to do with a file that already exists. */
export type IfExists = 'fail' | 'keep' | 'replace';

/** Prefix of the storage ID of the caller's own files, which each region has. */
const MY_FILES = 'user_files::';

/** The storage ID of the caller's own files in a region; the list of storages may lack it. */
export function toMyFilesId(region: string): string {
	return MY_FILES + region;
}

/** Whether a storage ID is that of a user's own files. */
export function isMyFiles(storageId: string): boolean {
	return storageId.startsWith(MY_FILES);
}

// The service's paths and names are converted to text, because it may send other types.

/** A folder's path without a leading slash and with a trailing one; the root is empty. */
export function toFolder(text: string): string {
	const path = String(text).replace(/^\/+|(?<!\/)\/+$/g, '');
	return path === '' ? '' : `${path}/`;
}

/** The folder that a file or folder is in. */
export function getParent(path: string): string {
	const plain = path.replace(/\/$/, '');
	return plain.slice(0, plain.lastIndexOf('/') + 1);
}

/** The last part of a path: the name of the file or folder. */
export function getName(path: string): string {
	return String(path).replace(/\/$/, '').split('/').at(-1) ?? '';
}

/** A folder's ancestors and itself, from the root: `a/`, `a/b/`. */
export function listLevels(folder: string): string[] {
	const names = folder.split('/').filter(Boolean);
	return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

/** Whether an entry is a folder; a file and a folder of the same name can coexist. */
export function isFolder({ type }: FileEntry): boolean {
	return type === 'FOLDER';
}

/**
 * An entry of a listing, with the path that requests accept. It is known by the folder and its name:
 * the service may leave its path out, or give one with a prefix that no request accepts. The name of a
 * folder may end with a slash.
 *
 * @returns undefined for the marker of the folder itself, which has no name and is deleted with it
 */
export function toEntry(folder: string, listed: IDataObject): FileEntry | undefined {
	const { type, path } = listed as FileEntry;
	// A file whose name is missing counts all the same: its folder is not empty.
	const isFile = type !== 'FOLDER' && !toExactText(path).endsWith('/');
	const name =
		toExactText(listed.name).replace(/^\/+|(?<!\/)\/+$/g, '') ||
		(isFile ? getName(toExactText(path)) : '');
	if (name === '') return undefined;
	return { ...listed, name, path: `${folder}${name}${type === 'FOLDER' ? '/' : ''}`, type };
}

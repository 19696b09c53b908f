/** Storages and their files. Records: StorageSource, DirectoryListingResult, FileEntry. */
import { createHash } from 'node:crypto';

import { recordTime } from '../time';
import type { Variants } from '../variants';
import { Records } from './records';

/** Content is kept up to this size; of larger files only length and checksum. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

export interface StoredFile {
	size: number;
	sha256: string;
	lastModified: number;
	/** Absent for what is too large to keep, and for files that are generated while they are read. */
	content?: Buffer;
	contentType?: string;
}

export interface StorageDraft {
	id?: string;
	name: string;
	path: string;
	region?: string;
	type?: 'MANAGED' | 'INTEGRATION';
	readOnly?: boolean;
	/** Where its users' own files are, below `path`. */
	defaultDirectory?: string;
	/** Folders in which nothing may be changed except inside their subfolders; the root is ''. */
	protectedFolders?: string[];
	/** Whether `GET /storage` lists it. */
	listed?: boolean;
}

export class StorageRecord {
	readonly files = new Map<string, StoredFile>();

	/** Folders that were created, each with a trailing slash; others are implied by files. */
	readonly folders = new Set<string>();

	constructor(
		readonly id: string,
		readonly draft: StorageDraft,
		readonly createTime: number,
	) {}

	view(): Record<string, unknown> {
		const { name, path, region = 'aws-us-west-2', type = 'INTEGRATION' } = this.draft;
		return {
			id: this.id,
			createTime: recordTime(this.createTime),
			updateTime: recordTime(this.createTime),
			name,
			path,
			roleArn: null,
			region,
			stackName: null,
			type,
			defaultDirectory: this.draft.defaultDirectory ?? null,
			readOnly: this.draft.readOnly ?? false,
			cloudConnection: null,
		};
	}

	hasFolder(folder: string): boolean {
		if (folder === '' || this.folders.has(folder)) return true;
		return [...this.files.keys(), ...this.folders].some((path) => path.startsWith(folder));
	}

	isProtected(folder: string): boolean {
		return this.draft.readOnly === true || (this.draft.protectedFolders ?? []).includes(folder);
	}

	/** The entries of a folder: folders first, then files, both by name. */
	entries(
		folder: string,
		{ folderMarkers, folderNames, entryPaths }: Variants,
	): Array<Record<string, unknown>> {
		const below = (path: string) => path.startsWith(folder) && path.length > folder.length;
		const folders = new Set<string>();
		const files: Array<[string, StoredFile]> = [];
		for (const path of [...this.files.keys(), ...this.folders]) {
			if (!below(path)) continue;
			const slash = path.indexOf('/', folder.length);
			if (slash >= 0) folders.add(path.slice(0, slash + 1));
			const file = this.files.get(path);
			if (slash < 0 && file) files.push([path, file]);
		}
		const nameOf = (path: string) =>
			folderNames === 'slash' && path === folder
				? '/'
				: path.slice(folder.length).replace(/\/$/, folderNames === 'slash' ? '/' : '');
		const shownPath = (path: string) =>
			entryPaths === 'prefixed' ? `prefix/of/the/bucket/${path}` : path;
		const entry = (path: string, type: string, size: number, time: number | null) => ({
			name: nameOf(path),
			...(entryPaths === 'absent' ? {} : { path: shownPath(path) }),
			type,
			lastModified: time === null ? null : recordTime(time),
			size,
			protected: this.isProtected(type === 'FOLDER' ? path : folder),
		});
		return [
			...(folderMarkers && this.folders.has(folder) ? [entry(folder, 'FILE', 0, null)] : []),
			...[...folders].sort().map((path) => entry(path, 'FOLDER', 0, null)),
			...files
				.sort(([one], [other]) => (one < other ? -1 : 1))
				.map(([path, file]) => entry(path, 'FILE', file.size, file.lastModified)),
		];
	}
}

export class StorageStore extends Records<StorageRecord> {
	create(draft: StorageDraft): StorageRecord {
		const id = draft.id ?? this.parts.ids.next('storage');
		return this.add(new StorageRecord(id, draft, this.parts.clock.now()));
	}

	/** Puts a file into a storage, for tests. */
	put(id: string, path: string, content: string | Buffer, more: Partial<StoredFile> = {}): void {
		const bytes = Buffer.from(content);
		this.store(this.existing(id), path, {
			size: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
			content: bytes,
			...more,
		});
	}

	/** Puts a file of any size into a storage, which is generated while it is read. */
	putGenerated(id: string, path: string, size: number): { sha256: string } {
		const hash = createHash('sha256');
		for (const block of generatedBytes(size)) hash.update(block);
		const sha256 = hash.digest('hex');
		this.store(this.existing(id), path, { size, sha256 });
		return { sha256 };
	}

	store(storage: StorageRecord, path: string, file: Omit<StoredFile, 'lastModified'>): void {
		storage.files.set(path, { lastModified: this.parts.clock.now(), ...file });
	}
}

/** The bytes of a file: those that were kept, or generated ones that are the same each time. */
export function bytesOf({ content, size }: StoredFile): Iterable<Buffer> {
	return content ? [content] : generatedBytes(size);
}

const BLOCK = createHash('sha256').update('sandbox').digest();

function* generatedBytes(size: number): Generator<Buffer> {
	const block = Buffer.alloc(256 * 1024, BLOCK);
	for (let left = size; left > 0; left -= block.length) {
		yield left < block.length ? block.subarray(0, left) : block;
	}
}

/** Takes in an upload: its checksum, and its content unless that is too large. */
export async function takeIn(
	body: AsyncIterable<Buffer>,
): Promise<Pick<StoredFile, 'size' | 'sha256' | 'content'>> {
	const hash = createHash('sha256');
	let kept: Buffer[] | undefined = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		hash.update(chunk);
		kept?.push(chunk);
		if (size > MAX_KEPT_BYTES) kept = undefined;
	}
	return { size, sha256: hash.digest('hex'), ...(kept ? { content: Buffer.concat(kept) } : {}) };
}

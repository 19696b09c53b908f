/** Storages and files: the public description of the service, and what its published clients expect. */
import { z } from 'zod/v4';

import type { StorageRecord } from '../model/storages';
import type { Environment } from '../server/environment';
import { found, notFound, ServiceError } from '../server/errors';
import { readPage } from '../server/paging';
import { route, type Call } from '../server/route';
import { integer } from '../server/validation';
import { recordTime } from '../time';

const MY_FILES = /^user_files::/;

function findStorage({ env, params }: Pick<Call, 'env' | 'params'>): StorageRecord {
	const id = params.storage_id;
	if (MY_FILES.test(id) && env.variants.myFiles === 'missing') throw notFound('Storage', id);
	return env.store.storages.existing(id);
}

/**
 * A path as the storage has it. Its clients begin it with a slash or not, name a folder with or without
 * one at the end, and encode slashes or not. There is no empty part, and none of dots only.
 */
function checked(path: string, isFolder: boolean): string {
	const plain = path.replace(/^\//, '').replace(isFolder ? /\/$/ : /$^/, '');
	if (plain === '' && isFolder) return '';
	if (plain.split('/').some((level) => ['', '.', '..'].includes(level))) {
		throw new ServiceError(400, {
			details: `'${path}' is not a path of a ${isFolder ? 'folder' : 'file'}.`,
		});
	}
	return isFolder ? `${plain}/` : plain;
}

function checkWritable(storage: StorageRecord, folder: string): void {
	if (storage.isProtected(folder)) {
		throw new ServiceError(403, { details: `'/${folder}' is read-only.` });
	}
}

const parentOf = (path: string) => path.replace(/[^/]+\/?$/, '');

export const listStorages = route({
	at: 'GET /storage',
	handle: ({ env }) => ({
		json: env.store.storages
			.all()
			.filter((storage) => storage.draft.listed !== false || env.variants.myFiles === 'listed')
			.map((storage) => storage.view()),
	}),
});

export const listDirectory = route({
	at: 'GET /storage/{storage_id}/directories/{path}',
	query: {
		// More than a thousand is a server error, and no limit means everything.
		limit: integer.min(0).default(0),
		cursor: z.string().optional(),
	},
	handle(call) {
		const { env, params, query } = call;
		const storage = findStorage(call);
		const folder = checked(params.path, true);
		if (query.limit > 1_000) throw new ServiceError(500, { details: 'limit' });
		if (!storage.hasFolder(folder) && env.variants.missingFolder === 'notFound') {
			throw notFound('Directory', folder);
		}
		const list = storage.entries(folder, env.variants);
		const { cursor, limit } = query;
		const { items, current_page, next_page } = readPage(
			{ list, keyOf: ({ path }) => String(path), counts: () => true },
			limit > 0 ? { cursor, size: limit } : { size: list.length },
			{ pageCursors: 'offset' },
		);
		return {
			json: {
				...{ items, current_page, next_page },
				path: folder,
				name: folder.split('/').at(-2) ?? '',
				mutate_protected: storage.isProtected(folder),
				upload_protected: storage.isProtected(folder),
			},
		};
	},
});

export const createDirectory = route({
	at: 'PUT /storage/{storage_id}/directories/{path}',
	handle(call) {
		const { env, params } = call;
		const storage = findStorage(call);
		const folder = checked(params.path, true);
		const parent = parentOf(folder);
		checkWritable(storage, parent);
		const isThere = storage.hasFolder(folder);
		if (isThere && env.variants.existingFolder === 'success') return { text: 'null' };
		if (isThere || storage.files.has(folder.slice(0, -1))) {
			throw new ServiceError(409, { details: `'/${folder}' already exists.` });
		}
		if (!storage.hasFolder(parent) && env.variants.folderParents === 'required') {
			throw notFound('Directory', parent);
		}
		storage.folders.add(folder);
		return { text: 'null' };
	},
});

export const deleteDirectory = route({
	at: 'DELETE /storage/{storage_id}/directories/{path}',
	handle(call) {
		const storage = findStorage(call);
		const folder = checked(call.params.path, true);
		if (folder === '') throw new ServiceError(400, { details: 'The root cannot be deleted.' });
		checkWritable(storage, parentOf(folder));
		if (!storage.hasFolder(folder)) throw notFound('Directory', folder);
		for (const path of storage.files.keys()) {
			if (path.startsWith(folder)) storage.files.delete(path);
		}
		for (const path of storage.folders) {
			if (path.startsWith(folder)) storage.folders.delete(path);
		}
		return { text: 'null' };
	},
});

export const createUploadUrl = route({
	at: 'POST /storage/{storage_id}/file-upload-url/{path}',
	async handle(call) {
		const { env, params } = call;
		const storage = findStorage(call);
		const path = checked(params.path, false);
		checkWritable(storage, parentOf(path));
		const uploadUrl = await env.presigned.sign('PUT', storage, path);
		return { json: { destination: `${storage.draft.path}/${path}`, uploadUrl } };
	},
});

export const downloadFile = route({
	at: 'GET /storage/{storage_id}/files/{path}',
	async handle(call) {
		const { env, params } = call;
		const storage = findStorage(call);
		const path = checked(params.path, false);
		const file = storage.files.get(path);
		if (!file && env.variants.missingFile === 'notFound') throw notFound('File', path);
		if (file?.content && env.variants.fileDownload === 'body') return bodyOf(file.content);
		const location = await env.presigned.sign('GET', storage, path);
		return { status: 307, headers: { location } };
	},
});

function bodyOf(content: Buffer) {
	const headers = {
		'content-type': 'application/octet-stream',
		'content-length': String(content.length),
	};
	return { headers, stream: [content] };
}

export const createDownloadUrl = route({
	at: 'GET /storage/{storage_id}/file-download-url/{path}',
	async handle(call) {
		const { env, params, path: address } = call;
		if (env.variants.fileDownloadUrl === 'missing') throw notFound('Path', address);
		const storage = findStorage(call);
		const path = checked(params.path, false);
		if (!storage.files.has(path) && missingIsError(env)) throw notFound('File', path);
		const downloadUrl = await env.presigned.sign('GET', storage, path);
		const expiresAt = env.clock.now() + env.variants.presignedSeconds * 1000;
		return { json: { downloadUrl, expiresAt: recordTime(expiresAt) } };
	},
});

export const renameFile = route({
	at: 'POST /storage/{storage_id}/file-rename/{path}',
	query: { new_name: z.string().regex(/^[^/]+$/) },
	handle(call) {
		const storage = findStorage(call);
		const path = checked(call.params.path, false);
		checkWritable(storage, parentOf(path));
		const file = found(storage.files.get(path), 'File', path);
		// As S3 does: what has the new name is overwritten.
		storage.files.delete(path);
		storage.files.set(parentOf(path) + call.query.new_name, file);
		return { text: 'null' };
	},
});

/** Temporary credentials for an S3 location of the organization, with which clients upload large files. */
export const getStorageCredentials = route({
	at: 'POST /storage/credentials',
	body: z.strictObject({
		path: z
			.string()
			.max(1024)
			.regex(/^s3:\/\/[\w-]{3,63}(\/|$)/),
		access_mode: z.enum(['read', 'read_write']).default('read'),
	}),
	handle({ env, body }) {
		const storage = env.store.storages.all().find(({ draft }) => {
			return `${body.path}/`.startsWith(`${draft.path}/`);
		});
		if (!storage) {
			throw new ServiceError(400, { details: `No storage of this organization has ${body.path}.` });
		}
		if (storage.draft.readOnly && body.access_mode === 'read_write') {
			throw new ServiceError(403, { details: `${storage.draft.path} is read-only.` });
		}
		return {
			json: {
				accessKeyId: 'ASIASANDBOXSTORAGE00',
				secretAccessKey: 'sandbox-storage-secret',
				sessionToken: `sandbox-${body.access_mode}-${body.path}`,
				expiration: recordTime(env.clock.now() + 3_600_000),
				region: 'us-west-2',
			},
		};
	},
});

export const deleteFile = route({
	at: 'DELETE /storage/{storage_id}/files/{path}',
	handle(call) {
		const storage = findStorage(call);
		const path = checked(call.params.path, false);
		checkWritable(storage, parentOf(path));
		if (!storage.files.delete(path) && missingIsError(call.env)) throw notFound('File', path);
		return { text: 'null' };
	},
});

const missingIsError = ({ variants }: Environment) => variants.missingFile === 'notFound';

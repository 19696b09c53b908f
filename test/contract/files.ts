/** Storages and files, from the public description of the service. */
import {
	filled,
	flag,
	integer,
	listOf,
	nullable,
	object,
	oneOf,
	text,
	time,
	type Contracts,
} from './schema';

const storage = object({
	id: filled,
	createTime: time,
	updateTime: time,
	name: filled,
	path: filled,
	'roleArn?': nullable(text),
	region: text,
	'stackName?': nullable(text),
	type: oneOf('INTEGRATION', 'MANAGED'),
	'defaultDirectory?': nullable(text),
	'readOnly?': flag,
	'cloudConnection?': nullable({ type: 'object' }),
});

const listing = object({
	items: listOf(
		object({
			name: text,
			'path?': text,
			type: oneOf('FILE', 'FOLDER'),
			'lastModified?': nullable(time),
			'size?': integer,
			'protected?': flag,
		}),
	),
	path: text,
	name: text,
	'mutate_protected?': flag,
	'upload_protected?': flag,
	'current_page?': nullable(text),
	'next_page?': nullable(text),
});

export const fileContracts = {
	listStorages: { response: listOf(storage) },
	listDirectory: {
		// None, or 0, is the whole folder at once, and more than a thousand an error.
		query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, cursor: text },
		requiredQuery: ['limit'],
		response: listing,
	},
	createDirectory: { response: 'none' },
	deleteDirectory: { response: 'none' },
	createUploadUrl: { response: object({ destination: filled, uploadUrl: filled }) },
	downloadFile: { response: 'redirect' },
	createDownloadUrl: { response: object({ downloadUrl: filled, expiresAt: time }) },
	renameFile: { query: { new_name: filled }, requiredQuery: ['new_name'], response: 'none' },
	deleteFile: { response: 'none' },
	getStorageCredentials: {
		body: object({ path: filled, 'access_mode?': oneOf('read', 'read_write') }),
		response: object({
			accessKeyId: filled,
			secretAccessKey: filled,
			sessionToken: filled,
			expiration: time,
			region: filled,
		}),
	},
} satisfies Contracts;

import type { INodeProperties } from 'n8n-workflow';

import { definePicker, defineSwitchField } from '../../form/declarations';
import type { Input } from '../../form/input';
import { show, toText } from '../../form/values';
import {
	toFolder,
	DEFAULT_FOLDER,
	type Place,
	type Storage,
	type UploadPlace,
} from '../../service/files';
import * as rules from '../../service/rules';
import { fetchList } from '../../transport/records';
import type { Call } from '../operations/operation';

export const storageField = definePicker('searchStorages', 'ID', {
	displayName: 'Storage',
	name: 'storageId',
	required: true,
	description: "Managed storage, a storage integration or 'My Files'",
	placeholder: 'e.g. user_files::aws-us-west-2',
	hint: "For 'My Files', enter user_files:: followed by the region",
	rule: rules.checkPathValue,
});

/** For files that runs and SQL sessions read or write: a path in a storage, or an S3 path. */
export const sessionStorageField = definePicker('searchSessionStorages', 'ID', {
	displayName: 'Storage',
	name: 'storageId',
	description: 'Managed storage or a storage integration. Not needed with an S3 path.',
	rule: rules.checkPathValue,
});

const ofFolder = {
	displayName: 'Folder',
	name: 'folder',
	placeholder: 'e.g. jobs/2026',
	rule: rules.checkFolderPath,
	exact: true,
};

/**
 * Picks a folder of the storage from a list or takes its path. It has no `loadOptionsDependsOn`, with
 * which n8n would clear the field, even a typed path, whenever a storage is chosen. n8n reloads the
 * list for each storage anyway.
 */
export const folderField = definePicker('searchFolders', 'Path', {
	...ofFolder,
	default: { mode: 'list', value: '/', cachedResultName: '/' },
	description: 'The folder in the storage. A single slash stands for its root.',
});

/** The folder for an upload. It does not default to the root, which is read-only in managed storage. */
export const uploadFolderField = definePicker('searchUploadFolders', 'Path', {
	...ofFolder,
	default: { mode: 'list', value: DEFAULT_FOLDER, cachedResultName: 'Default Folder' },
	required: true,
	description:
		"The folder in the storage. 'Default Folder' is scripts/ in the default directory of the storage. A single slash stands for the root.",
});

export const fileField = definePicker('searchFiles', 'Path', {
	displayName: 'File',
	name: 'filePath',
	required: true,
	description: 'The file in the storage',
	placeholder: 'e.g. results/2026/summary.csv',
	rule: rules.checkFilePath,
	exact: true,
});

export const subfoldersField = defineSwitchField({
	displayName: 'Include Subfolders',
	name: 'includeSubfolders',
	description: 'Whether to include everything below the folder, at any depth',
});

/** The chosen folder; the root when the field is empty. */
export function readFolder(input: Input): Place {
	const folder = input.optionalText(folderField) ?? '';
	// The editor keeps the value of a field when another operation is chosen.
	if (folder === DEFAULT_FOLDER) {
		throw input.problem(folderField, 'must be chosen', "'Default Folder' is only for uploads.");
	}
	return { storageId: input.text(storageField), path: toFolder(folder) };
}

/** The folder for an upload. @throws Failure when none is chosen */
export function readUploadFolder(input: Input): UploadPlace {
	const folder = input.optionalText(uploadFolderField);
	if (folder === undefined) {
		throw input.problem(
			uploadFolderField,
			'must be set',
			"Choose a folder or 'Default Folder' from the list, or enter a path. A single slash stands for the root, which is read-only in managed storage.",
		);
	}
	const storageId = input.text(storageField);
	return folder === DEFAULT_FOLDER ? { storageId } : { storageId, path: toFolder(folder) };
}

/** The chosen file; its name is taken untrimmed. */
export function readFile(input: Input): Place {
	const path = input.text(fileField).replace(/^\/+/, '');
	return { storageId: input.text(storageField), path };
}

/**
 * The place that a field names, as statements do.
 *
 * @param isPattern whether an asterisk in a typed path stands for any text
 * @returns its storage, if it has one, and how to find out its address, for which storages are listed
 */
export function readLocation(call: Call, field: INodeProperties, isPattern: boolean) {
	const { context, input, itemIndex } = call;
	const given = input.text(field);
	if (given.trim() === '') throw input.problem(field, 'must not be empty');
	const isUri = /^s3a?:/i.test(given);
	const path = given.replace(isUri ? /^$/ : /^\/+/, '');
	const isTyped =
		isPattern && context.getNodeParameter(`${field.name}.mode`, itemIndex, '') !== 'list';
	const [odd] = (isTyped ? /[{}[\]?\\$"\p{Cc}]/u : /[{}[\]?\\$"\p{Cc}*]/u).exec(path) ?? [];
	const problem =
		(isUri ? rules.checkS3Location : rules.checkFolderPath)(path) ??
		(odd && `must not contain ${odd}: Spark would not treat it as part of the name`);
	if (problem) throw input.problem(field, problem);
	const storageId = isUri ? undefined : input.text(sessionStorageField);
	const fetchAddress = async () =>
		storageId === undefined ? path : await fetchS3Path(call, { storageId, path });
	return { storageId, path, fetchAddress };
}

/** The S3 path of a place, for which storages are listed. @throws Failure when its storage has none */
export async function fetchS3Path(
	{ client, input, memory }: Call,
	{ storageId, path }: Place,
): Promise<string> {
	// Once for all items.
	const list = memory.attempt<Promise<Storage[]>>('storages');
	const storages = await list.get(async () => fetchList<Storage>(client, 'listStorages'));
	const root = toText(storages.find(({ id }) => String(id) === storageId)?.path);
	if (root && /^s3a?:/i.test(root)) return toFolder(root) + path;
	throw input.problem(
		sessionStorageField,
		`has no known S3 path: the list of storages lacks ${show(storageId)}`,
		"Choose one from the list, other than 'My Files', or enter its ID, not its name; or enter an S3 path instead.",
	);
}

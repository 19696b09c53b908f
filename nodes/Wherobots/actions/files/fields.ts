import type { INodeProperties } from 'n8n-workflow';

import { defineRecordField, defineSwitchField } from '../../form/declarations';
import { choose, definePicker } from '../../form/fields';
import type { Input } from '../../form/input';
import { toFolder, DEFAULT_FOLDER, type Place, type UploadPlace } from '../../service/files';
import * as rules from '../../service/rules';

export const storageField = definePicker('searchStorages', 'ID', {
	displayName: 'Storage',
	name: 'storageId',
	description: "Managed storage, a storage integration or 'My Files'",
	placeholder: 'e.g. user_files::aws-us-west-2',
	hint: "For 'My Files': user_files:: and the region",
});

/**
 * Picks a folder of the storage from a list or takes its path. It has no `loadOptionsDependsOn`, with
 * which n8n would clear the field, even a typed path, whenever a storage is chosen. n8n reloads the
 * list for each storage anyway.
 */
export const folderField = defineRecordField({
	displayName: 'Folder',
	name: 'folder',
	default: { mode: 'list', value: '/', cachedResultName: '/' },
	description: 'The folder in the storage. A single slash stands for its root.',
	rule: rules.checkFolderPath,
	exact: true,
	...choose('searchFolders', 'Path', { placeholder: 'e.g. jobs/2026' }),
});

/** The folder for an upload. It does not default to the root, which is read-only in managed storage. */
export const uploadFolderField: INodeProperties = {
	...folderField,
	default: { mode: 'list', value: DEFAULT_FOLDER, cachedResultName: 'Default Folder' },
	required: true,
	description:
		"The folder in the storage. 'Default Folder' is scripts/ in the default directory of the storage. A single slash stands for the root.",
	...choose('searchUploadFolders', 'Path', { placeholder: 'e.g. jobs/2026' }),
};

export const fileField = definePicker('searchFiles', 'Path', {
	displayName: 'File',
	name: 'filePath',
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

export function readStorage(input: Input): string {
	return input.text(storageField);
}

/** The chosen folder; the root when the field is empty. */
export function readFolder(input: Input): Place {
	const folder = input.optionalText(folderField) ?? '';
	// The editor keeps the value of a field when another operation is chosen.
	if (folder === DEFAULT_FOLDER) {
		throw input.problem(folderField, 'must be chosen', "'Default Folder' is only for uploads.");
	}
	return { storageId: readStorage(input), path: toFolder(folder) };
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
	const storageId = readStorage(input);
	return folder === DEFAULT_FOLDER ? { storageId } : { storageId, path: toFolder(folder) };
}

/** The chosen file; its name is taken untrimmed. */
export function readFile(input: Input): Place {
	const path = input.text(fileField).replace(/^\/+/, '');
	return { storageId: readStorage(input), path };
}

import type { INodeProperties } from 'n8n-workflow';

import { asFolder, type FilePlace, type FolderPlace } from '../../service/files';
import * as rules from '../../service/rules';
import { choose } from '../../parameters/fields';
import type { Input } from '../../parameters/input';

/** Picks a storage from a list or takes its ID. */
export const storageField: INodeProperties = {
	displayName: 'Storage',
	name: 'storageId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: "Managed storage, a storage integration or 'My Files'",
	...choose('searchStorages', 'ID', {
		placeholder: 'e.g. user_files::aws-us-west-2',
		hint: "For 'My Files': user_files:: and the region",
	}),
};

/** Picks a folder of the storage from a list or takes its path. */
export const folderField: INodeProperties = {
	displayName: 'Folder',
	name: 'folder',
	type: 'resourceLocator',
	default: { mode: 'list', value: '/', cachedResultName: '/' },
	typeOptions: { loadOptionsDependsOn: ['storageId.value'] },
	description: 'The folder in the storage. A single slash stands for its root.',
	...choose('searchFolders', 'Path', { placeholder: 'e.g. data/shared/jobs' }),
};

/** Picks a file of the storage from a list or takes its path. */
export const fileField: INodeProperties = {
	displayName: 'File',
	name: 'filePath',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	typeOptions: { loadOptionsDependsOn: ['storageId.value'] },
	description: 'The file in the storage',
	...choose('searchFiles', 'Path', { placeholder: 'e.g. data/shared/results/summary.csv' }),
};

export function readStorage(input: Input): string {
	return input.text(storageField, rules.pathValue);
}

/** The chosen folder; the root when the field is empty. */
export function readFolder(input: Input, field = folderField): FolderPlace {
	const folder = asFolder(input.optionalText(field, rules.folderPath) ?? '');
	return { storageId: readStorage(input), folder };
}

/** The chosen file; its name counts to the letter. */
export function readFile(input: Input): FilePlace {
	const path = input.exactText(fileField, rules.filePath).replace(/^\/+/, '');
	return { storageId: readStorage(input), path };
}

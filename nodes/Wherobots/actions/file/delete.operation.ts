import type { INodeProperties } from 'n8n-workflow';

import { deleteFile, deleteFolder } from '../../transport/files/folders';
import type { ChoiceField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { fileField, folderField, readFile, readFolder, storageField } from './fields';

const whatField: ChoiceField<'file' | 'folder'> = {
	displayName: 'Delete',
	name: 'deleteWhat',
	type: 'options',
	options: [
		{ name: 'File', value: 'file' },
		{ name: 'Folder', value: 'folder' },
	],
	default: 'file',
	description: 'What to delete',
};

const recursiveField: INodeProperties = {
	displayName: 'Delete Contents',
	name: 'recursive',
	type: 'boolean',
	default: false,
	description:
		'Whether to delete the folder with everything in it. Off: a folder that is not empty is refused. The service cannot check and delete in one step, so a file that arrives between the two is deleted too.',
	hint: 'What is deleted cannot be restored',
	displayOptions: { show: { deleteWhat: ['folder'] } },
};

export const deleteOperation: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete file or folder',
		description:
			'Delete a file or an empty folder from a storage; a folder with its contents only when a switch says so',
	},
	fields: [
		storageField,
		whatField,
		{
			...fileField,
			hint: 'What is deleted cannot be restored',
			displayOptions: { show: { deleteWhat: ['file'] } },
		},
		{ ...folderField, required: true, displayOptions: { show: { deleteWhat: ['folder'] } } },
		recursiveField,
	],
	kind: 'write',
	async execute({ client, input }) {
		if (input.choice(whatField) === 'file') {
			const { storageId, path } = readFile(input);
			await deleteFile(client, storageId, path);
			return [item({ deleted: true, storageId, path })];
		}
		const { storageId, folder } = readFolder(input);
		if (folder === '') throw input.problem(folderField, 'must name a folder: a root stays');
		const recursive = input.flag(recursiveField);
		await deleteFolder(client, { storageId, folder }, recursive);
		return [item({ deleted: true, storageId, path: folder, recursive })];
	},
};

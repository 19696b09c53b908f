import { choiceField, switchField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import { deleteFile, deleteFolder } from '../../transport/files/files';
import type { Operation } from '../operations/operation';
import { fileField, folderField, readFile, readFolder, storageField } from './fields';

const whatField = choiceField({
	displayName: 'What to Delete',
	name: 'deleteWhat',
	options: [
		{ name: 'File', value: 'file' },
		{ name: 'Folder', value: 'folder' },
	],
	default: 'file',
	description: 'Whether to delete a single file or a folder',
});

const recursiveField = switchField({
	displayName: 'Delete Contents',
	name: 'recursive',
	description:
		'Whether to delete the folder even if it is not empty, with everything in it. Files uploaded to it in the meantime are deleted too.',
	hint: 'This cannot be undone',
	displayOptions: { show: { deleteWhat: ['folder'] } },
});

export const deleteOperation: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete file or folder',
		description: 'Delete a file, an empty folder or, optionally, a folder with its contents',
	},
	fields: [
		storageField,
		whatField,
		{
			...fileField,
			hint: 'This cannot be undone',
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
		if (folder === '') throw input.problem(folderField, 'must be a folder other than the root');
		const recursive = input.flag(recursiveField);
		await deleteFolder(client, { storageId, folder }, recursive);
		return [item({ deleted: true, storageId, path: folder, recursive })];
	},
};

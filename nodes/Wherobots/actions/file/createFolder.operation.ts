import { textField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import { asFolder, nameOf } from '../../service/files';
import * as rules from '../../service/rules';
import { createFolder } from '../../transport/files/files';
import type { Operation } from '../operations/operation';
import { readStorage, storageField } from './fields';

const newFolderField = textField({
	displayName: 'Folder',
	name: 'folderPath',
	required: true,
	placeholder: 'e.g. results/2026',
	description: 'Path of the folder in the storage. Folders that lead to it are created as well.',
	rule: rules.folderPath,
	exact: true,
});

export const createFolderOperation: Operation = {
	option: {
		name: 'Create Folder',
		value: 'createFolder',
		action: 'Create folder',
		description: 'Create a folder in a storage if it does not exist yet',
	},
	fields: [storageField, newFolderField],
	kind: 'write',
	async execute({ client, input }) {
		const storageId = readStorage(input);
		const folder = asFolder(input.text(newFolderField));
		if (folder === '') throw input.problem(newFolderField, 'must name a folder, not the root');
		const created = await createFolder(client, { storageId, folder });
		return [item({ storageId, path: folder, name: nameOf(folder), created })];
	},
};

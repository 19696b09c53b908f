import { textField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import * as rules from '../../service/rules';
import { renameFile, type RenameState } from '../../transport/files/renameFile';
import { ExecutionStates } from '../execution/itemState';
import type { Operation } from '../operations/operation';
import { fileField, readFile, storageField } from './fields';

const newNameField = textField({
	displayName: 'New Name',
	name: 'newName',
	required: true,
	placeholder: 'e.g. nightly_etl_v2.py',
	description: 'New name of the file, without folders',
});

/** What an execution has renamed for each item so far. */
const renames = new ExecutionStates<RenameState>(() => ({}));

export const rename: Operation = {
	option: {
		name: 'Rename',
		value: 'rename',
		action: 'Rename file',
		description: 'Give a file another name in the same folder',
	},
	fields: [storageField, fileField, newNameField],
	kind: 'write',
	async execute({ client, context, input, itemIndex }) {
		const place = readFile(input);
		const newName = input.exactText(newNameField, rules.fileName);
		const state = renames.ofItem(context, itemIndex, [place, newName]);
		return {
			submit: async () => [item({ ...(await renameFile(client, place, newName, state)) })],
		};
	},
};

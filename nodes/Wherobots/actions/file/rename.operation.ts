import { textField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import * as rules from '../../service/rules';
import { renameFile, type RenamedFile } from '../../transport/files/files';
import { workOf } from '../execution/once';
import type { Operation } from '../operations/operation';
import { fileField, readFile, storageField } from './fields';

const newNameField = textField({
	displayName: 'New Name',
	name: 'newName',
	required: true,
	placeholder: 'e.g. nightly_etl_v2.py',
	description: 'New name of the file, without folders',
	rule: rules.fileName,
	exact: true,
});

export const rename: Operation = {
	option: {
		name: 'Rename',
		value: 'rename',
		action: 'Rename file',
		description: 'Give a file another name in the same folder',
	},
	fields: [storageField, fileField, newNameField],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const place = readFile(input);
		const newName = input.text(newNameField);
		// On Retry on Fail, the file would no longer be there.
		const work = workOf<RenamedFile>(call, 'rename');
		const send = async () => await renameFile(client, place, newName);
		return { submit: async () => [item({ ...(await work.once(send)) })] };
	},
};

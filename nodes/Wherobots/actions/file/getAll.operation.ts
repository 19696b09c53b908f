import { choiceField } from '../../parameters/declarations';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { items } from '../../parameters/items';
import { isFolder } from '../../service/files';
import { listFolder, listTree } from '../../transport/files/files';
import { hintNoResults } from '../operations/hint';
import type { Operation } from '../operations/operation';
import { folderField, readFolder, storageField, subfoldersField } from './fields';

const includeField = choiceField({
	displayName: 'Include',
	name: 'includeEntries',
	options: [
		{ name: 'Files and Folders', value: 'all' },
		{ name: 'Files Only', value: 'files' },
		{ name: 'Folders Only', value: 'folders' },
	],
	default: 'all',
	description: 'What to list',
});

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many files',
		description: 'List the files and folders in a folder of a storage',
	},
	fields: [storageField, folderField, subfoldersField, includeField, ...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const place = readFolder(input);
		const include = input.choice(includeField);
		const limit = readLimit(input);
		const wanted = (folder: boolean) => include === 'all' || folder === (include === 'folders');
		const list = input.flag(subfoldersField) ? listTree : listFolder;
		const entries = await list(client, place, limit, (entry) => wanted(isFolder(entry)));
		if (entries.length === 0) {
			const what = include === 'all' ? 'files or folders' : include;
			hintNoResults(call, what, [], 'in this folder');
		}
		return items(entries.map((entry) => ({ storageId: place.storageId, ...entry })));
	},
};

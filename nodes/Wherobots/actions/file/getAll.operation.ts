import { isFolder } from '../../service/files';
import { listFolder } from '../../transport/files/listing';
import type { ChoiceField } from '../../parameters/declarations';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { items } from '../../parameters/items';
import type { Operation } from '../operation';
import { folderField, readFolder, storageField } from './fields';

const includeField: ChoiceField<'all' | 'files' | 'folders'> = {
	displayName: 'Include',
	name: 'includeEntries',
	type: 'options',
	options: [
		{ name: 'Files and Folders', value: 'all' },
		{ name: 'Files Only', value: 'files' },
		{ name: 'Folders Only', value: 'folders' },
	],
	default: 'all',
	description: 'What to list',
};

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many files',
		description:
			'List the files and folders in a folder of a storage, without those in its folders',
	},
	fields: [storageField, folderField, includeField, ...returnAllFields],
	kind: 'read',
	async execute({ client, input }) {
		const place = readFolder(input);
		const include = input.choice(includeField);
		const limit = readLimit(input);
		const wanted = (folder: boolean) => include === 'all' || folder === (include === 'folders');
		const entries = await listFolder(client, place, limit, (entry) => wanted(isFolder(entry)));
		return items(entries.map((entry) => ({ storageId: place.storageId, ...entry })));
	},
};

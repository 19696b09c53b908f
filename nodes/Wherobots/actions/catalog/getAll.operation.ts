import type { Catalog } from '../../service/catalogs';
import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { items } from '../../parameters/items';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many catalogs',
		description: 'List catalogs with their ID, name and type',
	},
	fields: [...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const limit = readLimit(input);
		const catalogs = await readList<Catalog>(client, 'listCatalogs', { key: 'catalogs' });
		if (catalogs.length === 0) hintNoResults(call, 'catalogs');
		return items(catalogs.slice(0, limit));
	},
};

import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../transport/records';
import { catalogField, readCatalogPath } from '../catalog/fields';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { items } from '../../parameters/items';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many namespaces',
		description: 'List the namespaces of a catalog',
	},
	fields: [catalogField, ...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const { catalogId, path } = readCatalogPath(input);
		const limit = readLimit(input);
		const namespaces = await readList<IDataObject>(client, 'listNamespaces', {
			path,
			key: 'namespaces',
		});
		if (namespaces.length === 0) hintNoResults(call, 'namespaces', [], 'in this catalog');
		return items(namespaces.slice(0, limit).map((namespace) => ({ catalogId, ...namespace })));
	},
};

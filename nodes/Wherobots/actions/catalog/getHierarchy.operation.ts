import { flattenHierarchy, withPathId, type ExplorerCatalog } from '../../service/catalogs';
import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import type { ChoiceField } from '../../parameters/declarations';
import { items } from '../../parameters/items';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

const outputField: ChoiceField<'catalogs' | 'tables'> = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Catalog',
			value: 'catalogs',
			description: 'Each contains its namespaces and tables as a tree',
		},
		{
			name: 'One Item per Table',
			value: 'tables',
			description: 'Each contains its catalog, namespace and location',
		},
	],
	default: 'catalogs',
	description: 'How to return the hierarchy',
};

export const getHierarchy: Operation = {
	option: {
		name: 'Get Hierarchy',
		value: 'getHierarchy',
		action: 'Get catalog hierarchy',
		description: 'Get all catalogs with their namespaces and tables in one request',
	},
	fields: [outputField, ...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const output = input.choice(outputField);
		const limit = readLimit(input);
		const catalogs = await readList<ExplorerCatalog>(client, 'getCatalogHierarchy', {
			key: 'catalogs',
		});
		if (catalogs.length === 0) hintNoResults(call, 'catalogs');
		return items(
			output === 'tables'
				? flattenHierarchy(catalogs).slice(0, limit)
				: catalogs.slice(0, limit).map((catalog) => withPathId(catalog)),
		);
	},
};

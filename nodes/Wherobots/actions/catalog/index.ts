import { choiceField } from '../../parameters/declarations';
import { flattenHierarchy, withPathId, type ExplorerCatalog } from '../../service/catalogs';
import { getManyOperation } from '../declared';
import type { Resource } from '../operation';
import { create } from './create.operation';

const getAll = getManyOperation({
	option: {
		action: 'Get many catalogs',
		description: 'List catalogs with their ID, name and type',
	},
	endpoint: 'listCatalogs',
	key: 'catalogs',
	records: 'catalogs',
});

const outputField = choiceField({
	displayName: 'Output',
	name: 'output',
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
});

const getHierarchy = getManyOperation<ExplorerCatalog>({
	option: {
		name: 'Get Hierarchy',
		value: 'getHierarchy',
		action: 'Get catalog hierarchy',
		description: 'Get all catalogs with their namespaces and tables in one request',
	},
	endpoint: 'getCatalogHierarchy',
	key: 'catalogs',
	fields: [outputField],
	records: (input) => input.choice(outputField),
	select: (catalogs, input) =>
		input.choice(outputField) === 'tables'
			? flattenHierarchy(catalogs)
			: catalogs.map((catalog) => withPathId(catalog)),
});

export const catalog: Resource = {
	option: {
		name: 'Catalog',
		value: 'catalog',
		description: 'A managed or foreign collection of namespaces, tables and views',
	},
	operations: [create, getHierarchy, getAll],
	defaultOperation: 'getAll',
};

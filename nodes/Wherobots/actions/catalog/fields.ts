import type { INodeProperties } from 'n8n-workflow';

import type { PathValues } from '../../service/endpoints';
import * as rules from '../../service/rules';
import { choose } from '../../parameters/fields';
import type { Input } from '../../parameters/input';

/** Picks a catalog from a list or takes its ID. */
export const catalogField: INodeProperties = {
	displayName: 'Catalog',
	name: 'catalogId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The catalog to use',
	...choose('searchCatalogs', 'ID', {
		placeholder: 'e.g. 0f6c1f42a9',
		hint: "The 'id' that Catalog: Get Many returns",
	}),
};

/** Picks a namespace of the catalog from a list or takes its name. */
export const namespaceField: INodeProperties = {
	displayName: 'Namespace',
	name: 'namespace',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	typeOptions: { loadOptionsDependsOn: ['catalogId.value'] },
	description: 'The namespace (database) in the catalog',
	...choose('searchNamespaces', 'Name', { placeholder: 'e.g. overture' }),
};

/** Picks a table of the namespace from a list or takes its name. */
export const tableField: INodeProperties = {
	displayName: 'Table',
	name: 'table',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	typeOptions: { loadOptionsDependsOn: ['catalogId.value', 'namespace.value'] },
	description: 'The table to use',
	...choose('searchTables', 'Name', { placeholder: 'e.g. buildings' }),
};

/** Picks a view of the namespace from a list or takes its name. */
export const viewField: INodeProperties = {
	displayName: 'View',
	name: 'view',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	typeOptions: { loadOptionsDependsOn: ['catalogId.value', 'namespace.value'] },
	description: 'The view to get',
	...choose('searchViews', 'Name', { placeholder: 'e.g. recent_buildings' }),
};

/** Where in the catalogs an operation works; names count to the letter. */
export function readCatalogPath(input: Input): { catalogId: string; path: PathValues } {
	const catalogId = input.text(catalogField, rules.pathValue);
	return { catalogId, path: { catalog_id: catalogId } };
}

export function readNamespacePath(input: Input) {
	const { catalogId, path } = readCatalogPath(input);
	const namespace = input.exactText(namespaceField, rules.pathValue);
	return {
		address: { catalogId, namespace },
		path: { ...path, namespace_name: namespace } as PathValues,
	};
}

export function readTablePath(input: Input) {
	const { address, path } = readNamespacePath(input);
	const name = input.exactText(tableField, rules.pathValue);
	return { address: { ...address, name }, path: { ...path, table_name: name } as PathValues };
}

export function readViewPath(input: Input) {
	const { address, path } = readNamespacePath(input);
	const name = input.exactText(viewField, rules.pathValue);
	return { address: { ...address, name }, path: { ...path, view_name: name } as PathValues };
}

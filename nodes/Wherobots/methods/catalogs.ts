import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { foreignKind, tableType, type Catalog, type TableListItem } from '../service/catalogs';
import { readList } from '../transport/records';
import { byName, choicesOf, chosen, matching, disambiguated, type Offer } from './choices';
import { pickerClient } from './client';

/** All catalogs, by name. */
export async function searchCatalogs(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const catalogs = await readList<Catalog>(client, 'listCatalogs', { key: 'catalogs' });
	const offers = catalogs.map(({ id, name, type }) => ({
		id,
		name,
		description: foreignKind(type) ?? 'Managed',
	}));
	return matching(byName(disambiguated(choicesOf(offers))), filter);
}

/** The namespaces of the chosen catalog, by name. */
export async function searchNamespaces(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const path = { catalog_id: chosen(this, 'catalogId', 'Catalog') };
	const client = await pickerClient(this);
	const namespaces = await readList<IDataObject>(client, 'listNamespaces', {
		path,
		key: 'namespaces',
	});
	return matching(byName(choicesOf(namespaces.map(byOwnName))), filter);
}

/** The tables of the chosen namespace, by name. */
export async function searchTables(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchEntries(this, 'TABLE', filter);
}

/** The views of the chosen namespace, by name. */
export async function searchViews(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchEntries(this, 'VIEW', filter);
}

async function searchEntries(
	context: ILoadOptionsFunctions,
	type: 'TABLE' | 'VIEW',
	filter?: string,
): Promise<INodeListSearchResult> {
	const path = {
		catalog_id: chosen(context, 'catalogId', 'Catalog'),
		namespace_name: chosen(context, 'namespace', 'Namespace'),
	};
	const client = await pickerClient(context);
	const entries = await readList<TableListItem>(client, 'listTables', { path, key: 'tables' });
	const offers = entries.filter((entry) => tableType(entry) === type).map(byOwnName);
	return matching(byName(choicesOf(offers)), filter);
}

/** Namespaces, tables and views have no other ID than their name. */
function byOwnName({ name }: IDataObject): Offer {
	return { id: name };
}

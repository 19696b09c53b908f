import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';

import { foreignKind, tableType, type Catalog, type TableListItem } from '../service/catalogs';
import { readList } from '../transport/records';
import { byName, matching, toldApart } from './choices';
import { pickerClient } from './client';

/** All catalogs, by name. */
export async function searchCatalogs(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const catalogs = await readList<Catalog>(client, 'listCatalogs', { key: 'catalogs' });
	const choices = catalogs.map(({ id, name, type }) => ({
		name: String(name),
		value: String(id),
		description: foreignKind(type) ?? 'Managed',
	}));
	return matching(byName(toldApart(choices)), filter);
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
	return matching(byName(namespaces.map(choiceOf)), filter);
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
	const choices = entries.filter((entry) => tableType(entry) === type).map(choiceOf);
	return matching(byName(choices), filter);
}

function choiceOf({ name }: IDataObject) {
	return { name: String(name), value: String(name) };
}

/**
 * What the field before this one is set to.
 *
 * @throws NodeOperationError when it is empty, or an expression, which has no value in the editor
 */
function chosen(context: ILoadOptionsFunctions, parameter: string, label: string): string {
	const value = context.getCurrentNodeParameter(parameter, { extractValue: true });
	if (typeof value === 'string' && value !== '' && !value.startsWith('=')) return value;
	throw new NodeOperationError(context.getNode(), `Choose a value for '${label}' first`, {
		description: `This list depends on '${label}'. If that field is an expression, enter this value by ID or name, or use an expression here as well.`,
	});
}

import { defineChoiceField, defineTextField } from '../form/declarations';
import {
	flattenHierarchy,
	getPathId,
	addPathId,
	type Catalog,
	type ExplorerCatalog,
} from '../service/tables/catalogs';
import * as rules from '../service/rules';
import type { Client } from '../transport/client';
import { fetchList } from '../transport/records';
import { defineGetMany, defineWrite, type Resource } from './operations/operation';

const nameField = defineTextField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. field_surveys',
	description: 'Name of the catalog, as it appears in SQL',
});

const locationField = defineTextField({
	displayName: 'Location',
	name: 'location',
	placeholder: 'e.g. s3://my-bucket/catalogs/field_surveys',
	description: 'S3 location of the data. Leave empty to use managed storage.',
	rule: rules.checkS3Location,
});

const organizationField = defineTextField({
	displayName: 'Organization ID',
	name: 'organizationId',
	description: 'Organization to create the catalog in. Leave empty for your own.',
});

const create = defineWrite<ExplorerCatalog>({
	action: 'Create catalog',
	description: 'Create a managed catalog',
	endpoint: 'createCatalog',
	fields: [nameField],
	options: [locationField, organizationField],
	body: (input, options) => ({
		name: input.text(nameField),
		location: options.optionalText(locationField),
		organizationId: options.optionalText(organizationField),
	}),
	recoveryHint: (name) => `a catalog named "${name}" (Catalog: Get Many)`,
	complete: async (client, created) => addPathId(created, await fetchListedId(client, created)),
});

/**
 * A new catalog's ID in the list of catalogs. The response to its creation has two IDs, and the
 * interface does not say which of them paths take; the one in the list works.
 */
async function fetchListedId(client: Client, created: ExplorerCatalog): Promise<string> {
	const listed = await fetchList<Catalog>(client, 'listCatalogs').catch(() => []);
	const own = new Set([created.extId, String(created.id)]);
	const match =
		listed.find(({ id }) => own.has(String(id))) ??
		listed.find(({ name }) => name === created.name && name !== undefined);
	return match ? String(match.id) : getPathId(created);
}

const getAll = defineGetMany({
	action: 'Get many catalogs',
	description: 'List catalogs with their ID, name and type',
	endpoint: 'listCatalogs',
	records: 'catalogs',
});

const outputField = defineChoiceField({
	displayName: 'Output',
	name: 'output',
	options: {
		catalogs: ['One Item per Catalog', 'Each contains its namespaces and tables as a tree'],
		tables: ['One Item per Table', 'Each contains its catalog, namespace and location'],
	},
	default: 'catalogs',
	description: 'How to return the hierarchy',
});

const getHierarchy = defineGetMany<ExplorerCatalog>({
	name: 'Get Hierarchy',
	value: 'getHierarchy',
	action: 'Get catalog hierarchy',
	description: 'Get all catalogs with their namespaces and tables in one request',
	endpoint: 'getCatalogHierarchy',
	fields: [outputField],
	records: (input) => input.choice(outputField),
	select: (catalogs, input) =>
		input.choice(outputField) === 'tables'
			? flattenHierarchy(catalogs)
			: catalogs.map((each) => addPathId(each)),
});

export const catalog: Resource = {
	name: 'Catalog',
	value: 'catalog',
	description: 'A managed or foreign collection of namespaces, tables and views',
	operations: [create, getHierarchy, getAll],
};

export const namespace: Resource = {
	name: 'Namespace',
	value: 'namespace',
	description: 'A namespace (database) in a catalog',
	operations: [
		defineGetMany({
			action: 'Get many namespaces',
			description: 'List the namespaces of a catalog',
			endpoint: 'listNamespaces',
			records: 'namespaces',
			where: 'in this catalog',
		}),
	],
};

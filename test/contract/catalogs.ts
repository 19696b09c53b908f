/** Interface, "Catalogs". */
import {
	filled,
	flag,
	integer,
	listOf,
	mapOf,
	nullable,
	object,
	oneOf,
	text,
	textOf,
	time,
	type Contracts,
} from './schema';

const catalog = object({
	id: filled,
	name: filled,
	type: oneOf('MANAGED', 'FOREIGN_DATABRICKS', 'FOREIGN_AWS_GLUE', 'FOREIGN_AWS_S3_TABLES'),
});

const explorerCatalog = object({
	id: integer,
	extId: filled,
	name: filled,
	location: filled,
	'databases?': listOf(
		object({
			name: filled,
			'location?': text,
			'tables?': listOf(object({ name: filled, 'location?': nullable(text) })),
		}),
	),
});

const listItem = {
	name: filled,
	updateTime: nullable(time),
	format: oneOf('ICEBERG', 'DELTA'),
	properties: mapOf(text),
	'table_type?': oneOf('TABLE', 'VIEW'),
};

const schema = object({
	type: { const: 'struct' },
	'fields?': listOf({ type: 'object' }),
	'schema-id?': integer,
	'identifier-field-ids?': listOf(integer),
});

const snapshot = object({
	'snapshot-id': integer,
	'parent-snapshot-id?': nullable(integer),
	'sequence-number?': nullable(integer),
	'timestamp-ms?': integer,
	'manifest-list': text,
	'summary?': nullable(mapOf(text)),
	'schema-id?': nullable(integer),
	'first-row-id?': nullable(integer),
	'added-rows?': nullable(integer),
});

const snapshotRef = object({
	'snapshot-id': integer,
	type: oneOf('branch', 'tag'),
	'min-snapshots-to-keep?': nullable(integer),
	'max-snapshot-age-ms?': nullable(integer),
	'max-ref-age-ms?': nullable(integer),
});

export const catalogContracts = {
	listCatalogs: { response: object({ catalogs: listOf(catalog) }) },
	createCatalog: {
		body: object({
			name: filled,
			'location?': textOf(6, 2048, '^s3a?://[^/]'),
			'organizationId?': filled,
		}),
		response: explorerCatalog,
	},
	getCatalogHierarchy: { response: object({ catalogs: listOf(explorerCatalog) }) },
	listNamespaces: { response: object({ namespaces: listOf(object({ name: filled })) }) },
	listTables: { response: object({ tables: listOf(object(listItem)) }) },
	getTable: {
		response: object({
			...listItem,
			location: filled,
			schema,
			'snapshots?': listOf(snapshot),
			'refs?': mapOf(snapshotRef),
			statistics: object({ rowCount: nullable(integer) }),
		}),
	},
	deleteTable: { query: { force_delete_catalog_entry: flag }, response: 'none' },
	getTableCredentials: {
		response: object({
			accessKey: filled,
			secretKey: filled,
			sessionToken: filled,
			expiration: time,
			region: textOf(1, 30, '^[a-z]{2}(-[a-z]+)+-\\d$'),
		}),
	},
	getView: {
		response: object({ name: filled, schema, definition: filled, properties: mapOf(text) }),
	},
} satisfies Contracts;

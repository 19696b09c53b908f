/** Catalog records in the service's form: ExplorerUICatalog, TableListItem, TableDetail, ViewDetail. */
import { recordTime } from '../time';
import type { CatalogRecord, FieldDraft, TableRecord, ViewRecord } from './catalogs';

export function catalogView({ id, name, type }: CatalogRecord): Record<string, unknown> {
	return { id, name, type };
}

/** A number as `id`, and as `extId` the text that paths take. */
export function explorerCatalogView(catalog: CatalogRecord): Record<string, unknown> {
	return {
		id: catalog.number,
		extId: catalog.id,
		name: catalog.name,
		location: catalog.location,
		databases: [...catalog.namespaces.values()].map((namespace) => ({
			name: namespace.name,
			location: `${catalog.location}/${namespace.name}`,
			tables: [...namespace.entries.values()].map((entry) => ({
				name: entry.name,
				location: entry.kind === 'TABLE' ? entry.location : null,
			})),
		})),
	};
}

export function listItemView(entry: TableRecord | ViewRecord): Record<string, unknown> {
	return {
		name: entry.name,
		updateTime: entry.updateTime === null ? null : recordTime(entry.updateTime),
		format: entry.kind === 'TABLE' ? entry.format : 'ICEBERG',
		properties: entry.properties,
		table_type: entry.kind,
	};
}

function schemaView(fields: FieldDraft[]): Record<string, unknown> {
	return {
		type: 'struct',
		fields: fields.map((field, index) => ({
			id: index + 1,
			name: field.name,
			type: field.type,
			required: field.required ?? false,
		})),
		'schema-id': 0,
		'identifier-field-ids': [],
	};
}

/** To be serialised with {@link toJson}: snapshot IDs have up to 19 digits. */
export function tableView(table: TableRecord): Record<string, unknown> {
	const head = table.head ?? table.snapshots.at(-1)?.id;
	const tags = Object.entries(table.tags ?? {}).map(([name, id]) => [
		name,
		{ 'snapshot-id': BigInt(id), type: 'tag' },
	]);
	return {
		...listItemView(table),
		location: table.location,
		schema: schemaView(table.fields),
		snapshots: table.snapshots.map((snapshot, index) => ({
			'snapshot-id': BigInt(snapshot.id),
			'parent-snapshot-id': snapshot.parentId === undefined ? null : BigInt(snapshot.parentId),
			'sequence-number': index + 1,
			'timestamp-ms': snapshot.at,
			'manifest-list': `${table.location}/metadata/snap-${snapshot.id}.avro`,
			summary: {
				operation: snapshot.operation ?? 'append',
				'added-records': String(snapshot.addedRows),
				...(snapshot.deletedRows && { 'deleted-records': String(snapshot.deletedRows) }),
				...(snapshot.totalRows !== undefined && { 'total-records': String(snapshot.totalRows) }),
			},
			'schema-id': 0,
			'first-row-id': null,
			'added-rows': snapshot.addedRows,
		})),
		refs: {
			...(head && { main: { 'snapshot-id': BigInt(head), type: 'branch' } }),
			...Object.fromEntries(tags),
		},
		statistics: { rowCount: table.rowCount },
	};
}

export function viewView(view: ViewRecord): Record<string, unknown> {
	return {
		name: view.name,
		schema: schemaView(view.fields),
		definition: view.definition,
		properties: view.properties,
	};
}

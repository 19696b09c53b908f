/** Catalog records in the service's form: ExplorerUICatalog, TableListItem, TableDetail, ViewDetail. */
import { randomUUID } from 'node:crypto';

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

/** Names and properties are free text, but nobody could write this mark by chance. */
const MARK = `digits-${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Marks a number whose digits {@link exactJson} writes unchanged. */
function digits(text: string): string {
	return MARK + text;
}

/** JSON in which marked numbers appear with all their digits. */
export function exactJson(value: unknown): string {
	return JSON.stringify(value).replace(MARKED, '$1');
}

/** To be serialised with {@link exactJson}: snapshot IDs have up to 19 digits. */
export function tableView(table: TableRecord): Record<string, unknown> {
	const head = table.head ?? table.snapshots.at(-1)?.id;
	const tags = Object.entries(table.tags ?? {}).map(([name, id]) => [
		name,
		{ 'snapshot-id': digits(id), type: 'tag' },
	]);
	return {
		...listItemView(table),
		location: table.location,
		schema: schemaView(table.fields),
		snapshots: table.snapshots.map((snapshot, index) => ({
			'snapshot-id': digits(snapshot.id),
			'parent-snapshot-id': snapshot.parentId === undefined ? null : digits(snapshot.parentId),
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
			...(head && { main: { 'snapshot-id': digits(head), type: 'branch' } }),
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

/** Catalogs with their namespaces, tables and views. */
import { Records } from './records';

export type CatalogType =
	| 'MANAGED'
	| 'FOREIGN_DATABRICKS'
	| 'FOREIGN_AWS_GLUE'
	| 'FOREIGN_AWS_S3_TABLES';

/** A field of a schema: its name, its type, and the ID that Iceberg gives it. */
export interface FieldDraft {
	name: string;
	/** A name, or an object with the type of a nested field: `{ type: 'list', … }`. */
	type: string | { type: string; [member: string]: unknown };
	required?: boolean;
}

/** `id long, name string` as fields; nested ones are written out. */
export const fieldsOf = (text: string): FieldDraft[] =>
	text.split(', ').map((field) => {
		const [name, type] = field.split(/ (?=\w+$)/);
		return { name, type };
	});

interface SnapshotRecord {
	id: string;
	parentId?: string;
	at: number;
	addedRows: number;
	operation?: string;
	deletedRows?: number;
	/** Of the whole table; unknown in the older ones. */
	totalRows?: number;
}

export interface TableRecord {
	kind: 'TABLE';
	name: string;
	updateTime: number | null;
	format: 'ICEBERG' | 'DELTA';
	properties: Record<string, string>;
	location: string;
	fields: FieldDraft[];
	/** Newest last. IDs are 64-bit numbers, kept as text so that no digit is lost. */
	snapshots: SnapshotRecord[];
	/** The snapshot that the branch main is at, if that is not the newest one. */
	head?: string;
	/** Snapshots by the tags that point at them. */
	tags?: Record<string, string>;
	rowCount: number | null;
	/** The metadata file is missing: the table can't be read, and can be deleted only by force. */
	broken: boolean;
	/** AWS region of the bucket. */
	region: string;
}

export interface ViewRecord {
	kind: 'VIEW';
	name: string;
	updateTime: number | null;
	properties: Record<string, string>;
	fields: FieldDraft[];
	/** SQL. */
	definition: string;
}

export interface NamespaceRecord {
	name: string;
	entries: Map<string, TableRecord | ViewRecord>;
}

export interface CatalogRecord {
	/** What paths take. */
	id: string;
	/** What create and hierarchy show as `id`. */
	number: number;
	name: string;
	type: CatalogType;
	location: string;
	namespaces: Map<string, NamespaceRecord>;
}

/** IDs of new snapshots come after this one: they have 19 digits, beyond 2^53. */
const SNAPSHOT_IDS = 4_611_686_018_427_387_904n;

export class CatalogStore extends Records<CatalogRecord> {
	private commits = 0n;

	create(draft: {
		name: string;
		type?: CatalogType;
		location?: string;
		id?: string;
	}): CatalogRecord {
		return this.add({
			id: draft.id ?? this.parts.ids.next('catalog'),
			number: 100 + this.all().length,
			name: draft.name,
			type: draft.type ?? 'MANAGED',
			location: draft.location || `s3://sandbox-managed/catalogs/${draft.name}`,
			namespaces: new Map(),
		});
	}

	/** Adds a namespace, unless it already exists. */
	namespace(catalog: CatalogRecord, name: string): NamespaceRecord {
		const namespace = catalog.namespaces.get(name) ?? { name, entries: new Map() };
		catalog.namespaces.set(name, namespace);
		return namespace;
	}

	addTable(
		catalog: CatalogRecord,
		namespace: string,
		draft: { name: string } & Partial<Omit<TableRecord, 'kind' | 'name'>>,
	): TableRecord {
		const table: TableRecord = {
			kind: 'TABLE',
			updateTime: null,
			format: 'ICEBERG',
			properties: { 'write.format.default': 'parquet' },
			location: `${catalog.location}/${namespace}/${draft.name}`,
			fields: [{ name: 'id', type: 'long', required: true }],
			snapshots: [],
			rowCount: 0,
			broken: false,
			region: 'us-west-2',
			...draft,
		};
		this.namespace(catalog, namespace).entries.set(table.name, table);
		return table;
	}

	/** The table with a name like `org_catalog.noaa.hail`, in backticks or not, in any case. */
	tableNamed(sqlName: string): TableRecord | undefined {
		const [catalog, namespace, table] = sqlName.replaceAll('`', '').toLowerCase().split('.');
		const isIt = (wanted: string) => (each: { name: string }) => each.name.toLowerCase() === wanted;
		const found = [...(this.all().find(isIt(catalog))?.namespaces.values() ?? [])];
		const entry = [...(found.find(isIt(namespace))?.entries.values() ?? [])].find(isIt(table));
		return entry?.kind === 'TABLE' ? entry : undefined;
	}

	/** A new snapshot on the branch main, as a writer commits it; returns its ID. */
	commit(
		table: TableRecord,
		{ addedRows = 1, deletedRows = 0, operation = 'append' }: Partial<SnapshotRecord> = {},
	): string {
		const at = this.parts.clock.now();
		const id = String(SNAPSHOT_IDS + ++this.commits * 7n);
		const totalRows = (table.rowCount ?? 0) + addedRows - deletedRows;
		const parentId = table.head ?? table.snapshots.at(-1)?.id;
		table.snapshots.push({ id, parentId, at, addedRows, deletedRows, totalRows, operation });
		Object.assign(table, { head: id, rowCount: totalRows, updateTime: at });
		return id;
	}

	/** Moves the branch main to a snapshot, as `rollback_to_snapshot` does. */
	rollBack(table: TableRecord, id: string): void {
		Object.assign(table, { head: id, updateTime: this.parts.clock.now() });
	}

	/** Keeps only the newest snapshots, as `expire_snapshots` does. */
	expire(table: TableRecord, kept: number): void {
		const tagged = Object.values(table.tags ?? {});
		const from = table.snapshots.length - kept;
		table.snapshots = table.snapshots.filter(
			({ id }, index) => index >= from || id === table.head || tagged.includes(id),
		);
		table.updateTime = this.parts.clock.now();
	}

	addView(
		catalog: CatalogRecord,
		namespace: string,
		draft: { name: string; definition: string } & Partial<Omit<ViewRecord, 'kind'>>,
	): ViewRecord {
		const view: ViewRecord = {
			kind: 'VIEW',
			updateTime: null,
			properties: {},
			fields: [{ name: 'id', type: 'long' }],
			...draft,
		};
		this.namespace(catalog, namespace).entries.set(view.name, view);
		return view;
	}
}

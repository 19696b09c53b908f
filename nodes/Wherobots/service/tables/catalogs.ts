/**
 * Catalogs, their tables, and the snapshots of a table, as its details list them (Iceberg's table
 * metadata).
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, pick } from '../records';
import { parseColumns } from '../sql/columns';
import { toSqlName } from './names';
import type { Version } from './selectRows';

/** An entry of the list of catalogs; paths use its `id`. */
export interface Catalog extends IDataObject {
	id: string;
	name: string;
	type?: string;
}

/** An entry of the list of tables: `table_type` distinguishes tables from views. */
export interface TableListItem extends IDataObject {
	name: string;
	table_type?: string;
}

/** A catalog as its creation and the hierarchy return it: `id` is a number, `extId` the ID for paths. */
export interface ExplorerCatalog extends IDataObject {
	id?: number | string;
	extId?: string;
	name?: string;
	databases?: Array<{ name?: string; tables?: Array<{ name?: string; location?: string | null }> }>;
}

/** Product names of foreign catalogs by type (interface, "Table deletion rules"). */
const FOREIGN_KINDS: Record<string, string> = {
	FOREIGN_DATABRICKS: 'Databricks Unity Catalog',
	FOREIGN_AWS_GLUE: 'AWS Glue Data Catalog',
	FOREIGN_AWS_S3_TABLES: 'Amazon S3 Tables',
};

/** The kind of a foreign catalog; undefined for a catalog that the service manages. */
export function detectForeignKind(type: unknown): string | undefined {
	if (typeof type !== 'string' || !type.startsWith('FOREIGN')) return undefined;
	return FOREIGN_KINDS[type] ?? type;
}

/** The type of an entry of the list of tables; the service may leave it out for tables. */
export function getTableType({ table_type }: Partial<TableListItem>): string {
	return table_type ?? 'TABLE';
}

/** The ID for paths of a catalog whose `id` is a number. */
export function getPathId(catalog: ExplorerCatalog): string {
	return catalog.extId ?? String(catalog.id ?? '');
}

/** The catalog with the ID that other operations take as `id`, and its number as `numericId`. */
export function addPathId(catalog: ExplorerCatalog, pathId = getPathId(catalog)): IDataObject {
	return { ...catalog, id: pathId, numericId: catalog.id ?? null };
}

/** The tables of a hierarchy, each with its full address. */
export function flattenHierarchy(catalogs: ExplorerCatalog[]): IDataObject[] {
	return catalogs.flatMap((catalog) =>
		(catalog.databases ?? []).flatMap((database) =>
			(database.tables ?? []).map((table) => ({
				catalogId: getPathId(catalog),
				catalogName: catalog.name ?? null,
				namespace: database.name ?? null,
				name: table.name ?? null,
				sqlName:
					catalog.name && database.name && table.name
						? // Converted here, because the service may send other types; the output keeps them.
							toSqlName(String(catalog.name), String(database.name), String(table.name))
						: null,
				location: table.location ?? null,
			})),
		),
	);
}

interface TableAddress {
	catalogId: string;
	namespace: string;
	name: string;
}

/**
 * The ten facts about a table that people and models need. Long numbers are strings of digits.
 *
 * @param catalog its name; undefined when unknown
 */
export function simplifyTable(
	address: TableAddress,
	table: IDataObject,
	catalog: string | undefined,
): IDataObject {
	return {
		...address,
		sqlName: catalog === undefined ? null : toSqlName(catalog, address.namespace, address.name),
		...pick(table, ['format', 'location', 'updateTime']),
		rowCount: getMember(table.statistics, 'rowCount'),
		columns: describeColumns(table),
		currentSnapshotId: getMember(getMember(table.refs, 'main'), 'snapshot-id'),
	};
}

/** What people need of a view, its SQL first. */
export function simplifyView(address: Record<string, string>, view: IDataObject): IDataObject {
	return {
		definition: view.definition ?? null,
		...address,
		columns: describeColumns(view),
		...pick(view, ['properties']),
	};
}

/** The columns of a table or view, such as `id: long`. */
function describeColumns(table: IDataObject): string[] {
	return parseColumns(table).map(({ name, type }) => `${name}: ${type}`);
}

function getMember(value: IDataObject[string], name: string): IDataObject[string] {
	return isRecord(value) ? (value[name] ?? null) : null;
}

export interface Snapshot extends IDataObject {
	'snapshot-id': string | number;
	'parent-snapshot-id'?: string | number | null;
	summary?: IDataObject | null;
}

export function getSnapshots({ snapshots }: IDataObject): Snapshot[] {
	const list = Array.isArray(snapshots) ? (snapshots as unknown[]) : [];
	return list.filter((each): each is Snapshot => isRecord(each) && Boolean(each['snapshot-id']));
}

/** The ID of the snapshot that a tag or a branch points at, or that is given itself. */
export function findSnapshotId({ refs }: IDataObject, version: string): string {
	const ref = isRecord(refs) ? refs[version] : undefined;
	return isRecord(ref) ? String(ref['snapshot-id']) : version;
}

type Snapshots = ReadonlyMap<string, Snapshot>;

/** The snapshots by their IDs, in digits. */
export function indexSnapshots(table: IDataObject): Snapshots {
	return new Map(getSnapshots(table).map((each) => [String(each['snapshot-id']), each]));
}

/** The ID of the snapshot before another one, in digits; undefined for the first. */
export function getParentId(snapshot: Snapshot | undefined): string | undefined {
	const id = snapshot?.['parent-snapshot-id'];
	return id ? String(id) : undefined;
}

/**
 * The snapshot that the branch main is at. Where the service leaves references out: the newest one that
 * no other one follows.
 */
export function getCurrentId(table: IDataObject): string | undefined {
	const byId = indexSnapshots(table);
	const { refs } = table;
	const main = findSnapshotId(table, 'main');
	if (byId.has(main)) return main;
	if (isRecord(refs) && Object.keys(refs).length > 0) return undefined;
	const parents = new Set([...byId.values()].map(getParentId));
	const time = (id: string) => Number(byId.get(id)?.['timestamp-ms'] ?? 0);
	const ends = [...byId.keys()].filter((id) => !parents.has(id));
	return ends.sort((a, b) => time(a) - time(b)).pop();
}

/** A snapshot and those before it, newest first. The last one may have expired: it is not listed. */
export function traceLine(byId: Snapshots, id: string | undefined): string[] {
	const line = new Set<string>();
	for (let at = id; at !== undefined && !line.has(at); at = getParentId(byId.get(at))) line.add(at);
	return [...line];
}

/**
 * The only snapshot since another one, apart from those of some operations; undefined when there are more,
 * or none, or the details do not show it for certain.
 *
 * @param before undefined for a table that had none
 */
export function findCommit(
	table: IDataObject,
	before: string | undefined,
	ignored: string[],
): Snapshot | undefined {
	const byId = indexSnapshots(table);
	const line = traceLine(byId, getCurrentId(table));
	const isKnown = before === undefined ? line.length === byId.size : line.includes(before);
	const since = before === undefined ? line : line.slice(0, line.indexOf(before));
	const found = since
		.map((id) => byId.get(id))
		.filter((each) => !ignored.includes(String(each?.summary?.operation)));
	return isKnown && found.length === 1 ? found[0] : undefined;
}

/**
 * The deletion since a snapshot: `rows` is undefined where its snapshot does not tell them for certain.
 * One that finds no rows makes a snapshot, too.
 *
 * @param before the current snapshot when the deletion began; undefined for a table without any
 * @returns undefined when the details do not show it, or show others that could be it
 */
export function findDeletion(table: IDataObject, before: string | undefined) {
	const snapshot = findCommit(table, before, ['append', 'replace']);
	return (
		snapshot && {
			rows: countDeletedRows(snapshot.summary ?? {}),
			snapshotId: String(snapshot['snapshot-id']),
			previousSnapshotId: getParentId(snapshot),
		}
	);
}

/** Rows go with their files, of which what stays is written anew, or are marked by their positions. */
function countDeletedRows(summary: IDataObject): number | undefined {
	const numberOf = (name: string) => Number(summary[name] ?? 0);
	const inFiles = numberOf('deleted-records') - numberOf('added-records');
	const marked = numberOf('added-position-deletes') - numberOf('removed-position-deletes');
	// Rows of the files that went may have been marked before, without a word of it here.
	const hasMarks = numberOf('total-delete-files') + numberOf('removed-equality-deletes') > 0;
	const isCertain = inFiles + marked >= 0 && !(hasMarks && numberOf('deleted-records') > 0);
	return isCertain ? inFiles + marked : undefined;
}

/** The names of the tags, or of those that point at a snapshot. */
export function getTags({ refs }: IDataObject, id?: string): string[] {
	const entries = isRecord(refs) ? Object.entries(refs) : [];
	return entries
		.filter(([, ref]) => isRecord(ref) && [undefined, String(ref['snapshot-id'])].includes(id))
		.filter(([, ref]) => /^tag$/i.test(String((ref as IDataObject).type)))
		.map(([name]) => name);
}

interface Appends {
	/** Oldest first; the last one is `until`. */
	versions: Version[];
	/** Snapshots that changed rows in another way, with what they did. */
	others: string[];
	/** The last snapshot that one statement can read up to, where these are too many for it. */
	readableUntil?: string;
}

/** The most snapshots of a statement, which names each, and the most states of the table that it reads. */
const MOST = { snapshots: 2_000, states: 100 };

/**
 * Where the rows are that were appended after a snapshot, up to another one. A snapshot that rewrites
 * files, such as a compaction, hides which rows are new: those before it are read before it.
 *
 * @returns undefined when the one does not come before the other, or the details do not show it
 */
export function findAppendsBetween(
	table: IDataObject,
	since: string,
	until: string,
): Appends | undefined {
	const byId = indexSnapshots(table);
	const line = traceLine(byId, until);
	if (!line.includes(since)) return undefined;
	const steps = line.slice(0, line.indexOf(since)).reverse();
	const versions: Version[] = [];
	const others: string[] = [];
	let added: string[] = [];
	let at = since;
	for (const [index, id] of steps.entries()) {
		if (index === MOST.snapshots || versions.length === MOST.states) {
			return { versions, others, readableUntil: at };
		}
		const operation = String(byId.get(id)?.summary?.operation ?? 'unknown');
		if (operation === 'append') added.push(id);
		else if (operation !== 'replace') others.push(`${id} (${operation})`);
		// A deletion removes whole files or marks rows; what is left is where it was.
		if (!['append', 'delete'].includes(operation) && added.length > 0) {
			versions.push({ at, added });
			added = [];
		}
		at = id;
	}
	if (added.length > 0 || versions.length === 0) versions.push({ at: until, added });
	return { versions, others };
}

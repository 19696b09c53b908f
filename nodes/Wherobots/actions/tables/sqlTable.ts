/** A table as SQL names it, with its columns, and what the operations on it have in common. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	catalogPart,
	namespacePart,
	tableAddress,
	tablePart,
	type Address,
	type PathParam,
} from '../../form/address';
import { defineTextField } from '../../form/declarations';
import type { Input } from '../../form/input';
import type { PathValues } from '../../service/endpoints';
import type { Catalog } from '../../service/tables/catalogs';
import { parseColumns, isGeometry, type Column } from '../../service/sql/columns';
import { checkName, checkTableName, toTableName } from '../../service/tables/names';
import type { Client } from '../../transport/client';
import { Failure, hasStatus } from '../../transport/failure';
import { fetchList, fetchRecord } from '../../transport/records';
import { filterSentences, joinLines } from '../../transport/text';
import { type Call, type Operation } from '../operations/operation';
import { sessionFields, sessionRuntimeField } from '../sql/fields';

export interface SqlTable {
	/** In backticks, with its catalog and namespace. */
	name: string;
	columns: Column[];
	/** As the service sends them. */
	details: IDataObject;
	/** Makes the table, where there is none yet. */
	create?(): Promise<unknown>;
}

/** An operation that executes statements about a table. */
export const defineTableStatement = ({
	first = [],
	address = tableAddress,
	fields,
	options,
	...operation
}: Omit<Operation, 'kind' | 'requestFields'> & {
	/** Fields above those of the address. */
	first?: INodeProperties[];
	address?: PathParam[];
	/** The collection of options. */
	options: INodeProperties;
}): Operation => ({
	...operation,
	fields: [
		...[...first, ...address.map(({ field }) => field), ...fields],
		...[...sessionFields, options],
	],
	requestFields: { runtimeId: sessionRuntimeField },
	kind: 'write',
});

/**
 * Reads what a statement about a table needs to know, once for all items.
 *
 * @throws Failure when the table cannot be read
 */
export async function fetchSqlTable(call: Call, address: Address): Promise<SqlTable> {
	const table = call.memory.attempt<Promise<SqlTable>>('table', address.path);
	return await table.get(async () => fetchSqlTableAnew(call, address));
}

/**
 * A catalog in the list of catalogs, which has its name and type; undefined when the list lacks it.
 *
 * @throws Failure when the list cannot be read
 */
export async function fetchListedCatalog(
	{ client, memory }: Call,
	catalogId: string,
): Promise<Catalog | undefined> {
	const list = memory.attempt<Promise<Catalog[]>>('catalogs');
	const catalogs = await list.get(async () => fetchList<Catalog>(client, 'listCatalogs'));
	return catalogs.find(({ id }) => String(id) === catalogId);
}

/** Without the service's sentence about a parameter, for which the form has a switch. */
export function removeFlag(failure: Failure): Failure {
	const lines = failure.parts.description?.split('\n') ?? [];
	const isKept = (sentence: string) => !sentence.includes('force_delete_catalog_entry');
	const kept = lines.map((line) => filterSentences(line, isKept));
	return kept.join() === lines.join() ? failure : failure.with({ description: joinLines(...kept) });
}

/** The details of a table. @throws Failure, CancelledError as the client does */
export async function fetchTable(client: Client, path: PathValues): Promise<IDataObject> {
	return await fetchRecord(client, 'getTable', { path }).catch((error: Error) => {
		if (!(error instanceof Failure)) throw error;
		const shown = removeFlag(error);
		const nextStep =
			"Ask the owner of the table to repair it. Table: Delete can only remove it, with 'Force Delete'.";
		throw shown === error ? error : shown.with({ nextStep });
	});
}

/** Whether a table is not there, and nothing above it is missing. */
export const isTableMissing = (error: unknown): error is Failure =>
	hasStatus(error, 404) && !/^There is no (?:catalog|namespace) /.test(error.message);

/** The details of a table; undefined where there is none. @throws Failure where there can be none */
export async function findTable(client: Client, path: PathValues) {
	return await fetchTable(client, path).catch((error: unknown) => {
		if (isTableMissing(error)) return undefined;
		throw error;
	});
}

/** As `fetchSqlTable`, as it is now. */
export async function fetchSqlTableAnew(call: Call, { path, names }: Address): Promise<SqlTable> {
	const details = await fetchTable(call.client, path);
	const name = await fetchTableName(call, names);
	return { name, columns: parseColumns(details), details };
}

/** @throws Failure when no new table should be called that */
export function requireTableName({ input }: Call, { names }: Address): void {
	const what = checkTableName(names.name);
	if (what) throw input.problem(tablePart.field, what);
}

/** What SQL calls a table. @throws Failure when the catalog is not listed */
export async function fetchTableName(call: Call, names: Address['names']): Promise<string> {
	const what = names.namespace.split('.').map(checkName).find(Boolean);
	if (what) throw call.input.problem(namespacePart.field, `has an invalid level: it ${what}`);
	const catalog = (await fetchListedCatalog(call, names.catalogId))?.name;
	if (catalog) return toTableName(String(catalog), names.namespace, names.name);
	throw call.input.problem(
		catalogPart.field,
		'is not in the list of catalogs',
		'SQL needs the name of the catalog, which comes from that list (Catalog: Get Many).',
	);
}

/** The names of the two columns or fields with the coordinates of a point: latitude, then longitude. */
export const definePointOptions = (
	kind: 'Column' | 'Field',
	describe: (coordinate: string) => string,
) =>
	['Latitude', 'Longitude'].map((what) =>
		defineTextField({
			displayName: `${what} ${kind}`,
			name: `${what.toLowerCase()}${kind}`,
			exact: true,
			placeholder: `e.g. ${what.slice(0, 3).toLowerCase()}`,
			description: describe(what.toLowerCase()),
		}),
	);

/** These names, if there are any. @throws Failure that names the option without one */
export function readPointOptions(options: Input, both: INodeProperties[]): string[] | undefined {
	const given = both.map((option) => options.optionalText(option));
	if (given.every((name) => name === undefined)) return undefined;
	return given.map((name, at) => {
		if (name !== undefined) return name;
		throw options.problem(
			both[at],
			`must be set as well, because '${both[1 - at].displayName}' is set`,
		);
	});
}

/** A column by its name. @param field the one that names it */
export function requireColumn(
	{ input }: Pick<Call, 'input'>,
	field: INodeProperties,
	{ columns }: SqlTable,
	name: string,
): Column {
	const found = columns.find((column) => column.name === name);
	if (found) return found;
	throw input.problem(
		field,
		`has "${name}", which is not a column of this table`,
		listColumns(columns),
	);
}

/** A sentence about a table, for errors. */
export function listColumns(columns: Column[], what = 'columns'): string {
	if (columns.length === 0) return `It has no ${what}.`;
	return `Its ${what} are ${columns.map(({ name }) => name).join(', ')}.`;
}

/**
 * The geometry column that is meant, or the only one.
 *
 * @param given empty for that; undefined for a field that names none
 */
export function requireGeometryColumn(
	call: Pick<Call, 'input'>,
	field: INodeProperties,
	table: SqlTable,
	given?: string,
): Column {
	const geometries = table.columns.filter(isGeometry);
	if (given) {
		const column = requireColumn(call, field, table, given);
		if (column.sqlType === undefined || isGeometry(column)) return column;
		const all = listColumns(geometries, 'geometry columns');
		throw call.input.problem(field, `has "${given}", which is not a geometry column`, all);
	}
	if (geometries.length === 1) return geometries[0];
	if (geometries.length === 0) throw call.input.problem(tablePart.field, 'has no geometry column');
	const rule =
		given === undefined
			? 'can only be used with a table that has one geometry column; this one has'
			: 'must name one of';
	const names = geometries.map(({ name }) => name).join(', ');
	throw call.input.problem(field, `${rule} ${names}`);
}

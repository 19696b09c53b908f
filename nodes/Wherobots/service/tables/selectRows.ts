/** The statement that reads rows of a table, as they are or were. */
import { isGeometry, isNested, type Column } from '../sql/columns';
import { toTextLiteral } from '../sql/statements';
import { toDistance, toFilterText, type RowFilter } from './conditions';
import { quote, toLiteral } from './names';

/** Rows as they were at a snapshot; `added`: only those that these snapshots appended. */
export interface Version {
	/** The ID of a snapshot, or the name of a tag. */
	at: string;
	added?: string[];
}

export interface RowsWanted extends RowFilter {
	/** As `toTableName` returns it. */
	table: string;
	/** Undefined for the present rows; several are read one after the other. */
	versions?: Version[];
	/** All columns when there are none. */
	columns: Column[];
	/** Columns that a CSV file cannot hold become text. */
	asText: boolean;
	sort: Array<{ column: Column; isDescending: boolean }>;
	limit?: number;
}

/** The statement that reads rows. @throws RangeError for a name or a value that cannot be written */
export function selectStatement(wanted: RowsWanted): string {
	const { table, versions, columns, spatial, sort, limit } = wanted;
	const where = toFilterText(wanted);
	const order = [
		...(spatial?.isSorted && spatial.place
			? [`${toDistance(spatial.column, spatial.place)} NULLS LAST`]
			: []),
		...sort.map(
			({ column, isDescending }) => `${quote(column.name)}${isDescending ? ' DESC' : ''}`,
		),
	];
	const names = columns.map((column) => toOutputText(column, wanted.asText));
	return [
		`SELECT ${names.length > 0 ? names.join(', ') : '*'}`,
		`FROM ${versions ? toSourceText(table, versions) : table}`,
		where && `WHERE ${where}`,
		order.length > 0 && `ORDER BY ${order.join(', ')}`,
		limit !== undefined && `LIMIT ${limit}`,
	]
		.filter(Boolean)
		.join(' ');
}

function toOutputText(column: Column, asText: boolean): string {
	const name = quote(column.name);
	if (!asText) return name;
	if (isGeometry(column)) return `ST_AsText(${name}) AS ${name}`;
	if (isNested(column)) return `to_json(${name}) AS ${name}`;
	return column.sqlType === 'BINARY' ? `base64(${name}) AS ${name}` : name;
}

/** Appended rows are those in the files that their snapshots added, as long as no later one rewrote them. */
function toSourceText(table: string, versions: Version[]): string {
	const [first] = versions;
	if (versions.length === 1 && !first.added) return `${table} ${toVersionText(first.at)}`;
	const parts = versions.map(({ at, added = [] }) => {
		const files = `SELECT data_file.file_path FROM ${table}.all_entries WHERE status = 1 AND data_file.content = 0 AND snapshot_id IN (${added.map(checkId).join(', ')})`;
		const isAdded = added.length > 0 ? `_file IN (${files})` : 'FALSE';
		return `SELECT * FROM ${table} ${toVersionText(at)} WHERE ${isAdded}`;
	});
	return `(${parts.join(' UNION ALL ')})`;
}

/** Whether a text is the ID of a snapshot, or a name of a tag that can stand in a statement. */
export const isVersion = (text: string) => toTextLiteral(text)?.startsWith("'") === true;

function toVersionText(version: string): string {
	if (!isVersion(version)) throw new RangeError(`A tag cannot be called ${version}`);
	return `VERSION AS OF ${/^\d{1,19}$/.test(version) ? version : toLiteral(version)}`;
}

/** @throws RangeError for what is no ID of a snapshot */
function checkId(id: string): string {
	if (/^\d{1,19}$/.test(id)) return id;
	throw new RangeError(`A snapshot has the ID ${id}, which is not a number`);
}

/**
 * The statements that write rows into a table. They read rows of texts, in themselves or from a file, and
 * cast the cells to the types of columns, the same way for both.
 */
import { isGeometry, isNested, type Column } from '../sql/columns';
import { castTo, quote, toLiteral } from './names';

/** A row's values, as `toTextFor` returns them; null for none. In the order of the columns. */
export type Cells = Array<string | null>;

export interface RowSource {
	/** What stands after FROM. */
	from: string;
	/** The text in a cell. */
	getCell(at: number): string;
}

/** A row as `toValues` takes it. @throws RangeError for an unpaired surrogate */
export function toRowText(cells: Cells): string {
	return `(${cells.map((cell) => (cell === null ? 'NULL' : toLiteral(cell))).join(', ')})`;
}

/** Rows in the statement. @param rows as `toRowText` returns them @param width how many cells each has */
export function toValues(rows: string[], width: number): RowSource {
	const names = Array.from({ length: width }, (_, at) => `c${at}`).join(', ');
	return {
		from: `VALUES ${rows.join(', ')} AS v(${names})`,
		getCell: (at) => `CAST(c${at} AS STRING)`,
	};
}

/** A row as a line of a file that `toStoredRows` reads. */
export function toRowLine(cells: Cells): string {
	return `${JSON.stringify(cells)}\n`;
}

/** Rows in a file. @param address such as `s3://…`; its extension is none that stands for a compression */
export function toStoredRows(address: string): RowSource {
	return {
		from: `(SELECT from_json(value, 'ARRAY<STRING>', map('mode', 'FAILFAST')) AS v FROM text.${quote(address)})`,
		getCell: (at) => `v[${at}]`,
	};
}

/** The values of a row, each of the type of its column. */
export function castCells(columns: Column[], { getCell }: RowSource): string[] {
	return columns.map((column, at) => {
		if (column.sqlType === undefined && !isGeometry(column)) return 'NULL';
		const text = getCell(at);
		if (!column.parts) return castTo(text, column);
		const json = `from_json(${text}, '${toJsonType(column)}', map('mode', 'FAILFAST'))`;
		return convertJson(column, json);
	});
}

/**
 * The type of the JSON that `CellReader` makes of a nested value. All that is in it is text, a map is a
 * list of its keys and values, and a structure a list of one entry, so that one rule converts all.
 */
function toJsonType({ type, parts = [] }: Column): string {
	if (parts.length === 0) return 'STRING';
	const inner = parts.map(toJsonType);
	if (type === 'list') return `ARRAY<${inner.join()}>`;
	return `ARRAY<STRUCT<${inner.map((of, at) => `m${at}: ${of}`).join(', ')}>>`;
}

/** A value of the type of a column, from a text or from a part of parsed JSON. @param depth of the part */
function convertJson(column: Column, given: string, depth = 0): string {
	const { type, parts = [] } = column;
	if (parts.length === 0) return castTo(given, column);
	const each = `x${depth}`;
	const inner = parts.map((part, at) =>
		convertJson(part, type === 'list' ? each : `${each}.m${at}`, depth + 1),
	);
	if (type === 'list') return `transform(${given}, ${each} -> ${inner.join()})`;
	if (type === 'map')
		return `map_from_entries(transform(${given}, ${each} -> struct(${inner.join(', ')})))`;
	const members = parts.map(({ name }, at) => `${toLiteral(name)}, ${inner[at]}`);
	return `transform(${given}, ${each} -> named_struct(${members.join(', ')}))[0]`;
}

/** The statement that inserts rows. Every column is named: an engine may refuse rows without one. */
export function buildInsert(table: string, columns: Column[], source: RowSource): string {
	const values = castCells(columns, source).join(', ');
	return `INSERT INTO ${table} (${listNames(columns)}) SELECT ${values} FROM ${source.from}`;
}

/** What becomes of rows with a key that the table has, and of those with one that it lacks. */
export interface Merge {
	/** Where the columns of the key are among all. */
	keys: number[];
	/** The columns to update; none to leave rows as they are, which only goes with `insert`. */
	updated: Updated[];
	ifMissing: IfMissing;
}

interface Updated {
	at: number;
	/** Whether some rows have no value for it: what the table has then stays. */
	isPartial: boolean;
}

export type IfMissing = 'fail' | 'insert' | 'leave';

/** Whether equal values of a column are equal keys, for an engine as for people. */
export function isKey(column: Column): boolean {
	const { sqlType } = column;
	return sqlType !== undefined && !/^(FLOAT|DOUBLE)$/.test(sqlType) && !isNested(column);
}

/** How the error begins of a row whose key is not in the table, before the row's number. */
export const MISSING_KEY = 'The table has no row for item ';

/**
 * The statement that updates rows and inserts those that are missing. Repeated, it changes nothing more.
 *
 * @param source rows with two more cells: the row's number, and for each column 1 or 0, whether it has a
 * value for it
 */
export function buildMerge(
	table: string,
	columns: Column[],
	source: RowSource,
	{ keys, updated, ifMissing }: Merge,
): string {
	const cells = castCells(columns, source).map((value, at) => `${value} AS c${at}`);
	const number = `${source.getCell(columns.length)} AS number`;
	const given = `${source.getCell(columns.length + 1)} AS given`;
	const names = columns.map(({ name }) => quote(name));
	const on = keys.map((at) => `t.${names[at]} = s.c${at}`).join(' AND ');
	const changes = updated.map(({ at, isPartial }) => {
		const kept = `CASE WHEN substr(s.given, ${at + 1}, 1) = '1' THEN s.c${at} ELSE t.${names[at]} END`;
		return `${names[at]} = ${isPartial ? kept : `s.c${at}`}`;
	});
	// Without a first clause, an engine would try this condition on all rows.
	const refusal = ` AND raise_error(concat('${MISSING_KEY}', s.number)) IS NULL`;
	const values = columns.map((_, at) => `s.c${at}`).join(', ');
	return [
		`MERGE INTO ${table} AS t`,
		`USING (SELECT ${[...cells, number, given].join(', ')} FROM ${source.from}) AS s ON ${on}`,
		changes.length > 0 && `WHEN MATCHED THEN UPDATE SET ${changes.join(', ')}`,
		ifMissing !== 'leave' &&
			`WHEN NOT MATCHED${ifMissing === 'fail' ? refusal : ''} THEN INSERT (${listNames(columns)}) VALUES (${values})`,
	]
		.filter(Boolean)
		.join(' ');
}

const listNames = (columns: Column[]) => columns.map(({ name }) => quote(name)).join(', ');

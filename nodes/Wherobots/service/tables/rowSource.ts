/**
 * Rows of texts that a statement reads, in itself or from a file, and the casts of their cells to the
 * types of columns, which are the same for both.
 */
import { isGeometry, type Column } from '../sql/columns';
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

/** The statement that inserts rows into a table. */
import { isGeometry, type Column } from '../sql/columns';
import { castTo, quote, toLiteral } from './names';

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

/** A row's values, as `toTextFor` returns them; null for none. In the order of the columns. */
export type Cells = Array<string | null>;

/** A row as `buildInsert` takes it. @throws RangeError for an unpaired surrogate */
export function toRowText(cells: Cells): string {
	return `(${cells.map((cell) => (cell === null ? 'NULL' : toLiteral(cell))).join(', ')})`;
}

/** The beginning of a statement that inserts rows, up to their values. Every column is named and cast. */
export function toInsertHead(table: string, columns: Column[]): string {
	const names = columns.map(({ name }) => quote(name)).join(', ');
	const values = columns.map((column, at) => {
		if (column.sqlType === undefined && !isGeometry(column)) return 'NULL';
		const text = `CAST(c${at} AS STRING)`;
		if (!column.parts) return castTo(text, column);
		const json = `from_json(${text}, '${toJsonType(column)}', map('mode', 'FAILFAST'))`;
		return convertJson(column, json);
	});
	return `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM VALUES`;
}

/** The statement that inserts rows. @param rows as `toRowText` returns them */
export function buildInsert(table: string, columns: Column[], rows: string[]): string {
	const names = columns.map((_, at) => `c${at}`).join(', ');
	return `${toInsertHead(table, columns)} ${rows.join(', ')} AS v(${names})`;
}

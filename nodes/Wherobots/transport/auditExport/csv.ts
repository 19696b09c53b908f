import Papa from 'papaparse';

import { CsvError, textPieces } from './textPieces';

/** Some rows of a table, each with one value for every column. */
export interface CsvBatch {
	/** Names from the header row; a repeated or missing name is made unique. */
	columns: string[];
	rows: string[][];
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads CSV with a header row (RFC 4180) as it arrives: with or without a byte order mark, LF or
 * CRLF, quoted line breaks, whatever columns the header names. The source is read only as fast as
 * the batches are taken, and a batch is about a quarter of a megabyte of text, or one row when a row
 * is larger. The first batch comes as soon as the header row is there and may be empty.
 *
 * @throws CsvError when the text ends inside a row, the last line break missing included, when a
 *   row is malformed or has more or fewer values than the header, and when there is no header row
 */
export async function* readCsv(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvBatch> {
	let table: { columns: string[]; newline: '\n' | '\r\n' } | undefined;
	let open = '';
	let line = 1;

	for await (const piece of textPieces(source, () => open.length)) {
		let text = open + piece;
		if (!table) {
			if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
			const newline = lineEndOf(text);
			if (newline) table = { newline, columns: [] };
		}
		if (!table) {
			open = text;
			continue;
		}
		const parser = new Papa.Parser({ delimiter: ',', newline: table.newline });
		const { data, errors, meta } = parser.parse(text, 0, true) as Papa.ParseResult<string[]>;
		open = meta.cursor === 0 ? text : text.slice(meta.cursor);
		if (errors.length > 0) throw malformed(line + (errors[0].row ?? 0), errors[0].message);
		if (line === 1 && data.length > 0) {
			table.columns = uniqueNames(data.shift() as string[]);
			line = 2;
		}
		const rows = checkWidths(data, table.columns.length, line);
		line += data.length;
		if (line > 1) yield { columns: table.columns, rows };
	}
	if (line === 1) throw new CsvError('There is no complete header row');
	if (open !== '') throw new CsvError(`Row ${line} is not complete`);
}

/** A row as an object, its keys in the order of the columns. */
export function toRecord(columns: string[], row: string[]): Record<string, string> {
	const record: Record<string, string> = {};
	for (let index = 0; index < columns.length; index++) record[columns[index]] = row[index];
	return record;
}

/** Rows as CSV text, each with a line end. */
export function writeCsv(rows: string[][], newline = '\n'): string {
	return rows.length === 0 ? '' : Papa.unparse(rows, { newline }) + newline;
}

/** The values of one row of CSV text, its line end included. */
export function readRow(text: string): string[] {
	const { data } = Papa.parse<string[]>(text.trimEnd(), { delimiter: ',' });
	return data[0] ?? [];
}

/** The line end of the header row; undefined while it is not complete. */
function lineEndOf(text: string): '\n' | '\r\n' | undefined {
	let quoted = false;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') quoted = !quoted;
		else if (character === '\n' && !quoted) return text[at - 1] === '\r' ? '\r\n' : '\n';
	}
	return undefined;
}

/** The rows without blank lines, after a look at the number of values in each. */
function checkWidths(rows: string[][], width: number, firstLine: number): string[][] {
	let blanks = 0;
	for (let index = 0; index < rows.length; index++) {
		const { length } = rows[index];
		if (length === width) continue;
		if (!isBlank(rows[index])) {
			throw malformed(firstLine + index, `${length} values for ${width} columns`);
		}
		blanks++;
	}
	return blanks === 0 ? rows : rows.filter((row) => row.length === width || !isBlank(row));
}

function isBlank(row: string[]): boolean {
	return row.length === 1 && row[0] === '';
}

function malformed(row: number, what: string): CsvError {
	return new CsvError(`Row ${row} is malformed: ${what}`);
}

function uniqueNames(header: string[]): string[] {
	const taken = new Set(header);
	const seen = new Set<string>();
	return header.map((given, index) => {
		let name = given || `column_${index + 1}`;
		for (let copy = 2; seen.has(name) || (name !== given && taken.has(name)); copy++) {
			name = `${given || 'column'}_${copy}`;
		}
		seen.add(name);
		return name;
	});
}

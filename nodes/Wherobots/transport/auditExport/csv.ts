import { TransferError } from '../download/bodyReader';

/** Complete rows of CSV, as received. */
export interface RowBlock {
	/** Each byte as one character (Latin-1): UTF-8 needs no decoding to find rows. */
	text: string;
	/** Where each row ends: after its line feed. Blank lines count as rows. */
	ends: number[];
	/** The number of the first row; the header row is row 1. */
	firstRow: number;
}

/** The error for a row that later bytes cannot complete. */
export function malformed(row: number, what: string): TransferError {
	return new TransferError('malformed', `Row ${row} is malformed: ${what}`);
}

/**
 * The values of the rows of a block, without blank lines. Line ends may be mixed.
 *
 * @param width number of values in each row
 * @throws TransferError when a row is malformed or has more or fewer values
 */
export function parseRows({ text, ends, firstRow }: RowBlock, width: number): string[][] {
	const rows: string[][] = [];
	for (const [index, end] of ends.entries()) {
		const row = text.slice(ends[index - 1] ?? 0, end);
		if (isBlank(row)) continue;
		const { values, isMalformed } = valuesOf(fromLatin1(row));
		if (isMalformed) throw malformed(firstRow + index, 'text follows a closing quote');
		if (values.length !== width) {
			throw malformed(firstRow + index, `${values.length} values for ${width} columns`);
		}
		rows.push(values);
	}
	return rows;
}

/** The values of one row, its line end included; it may still be in Latin-1. */
export function readRow(row: string): string[] {
	return valuesOf(row).values;
}

/** Whether a row is only a line end. */
export function isBlank(row: string): boolean {
	return row === '\n' || row === '\r\n' || row === '\r' || row === '';
}

/** The values of a row, and whether text follows a closing quote. */
function valuesOf(row: string): { values: string[]; isMalformed: boolean } {
	const rest = row.endsWith('\n') ? row.slice(0, -1) : row;
	const line = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
	const values: string[] = [];
	let isMalformed = false;
	for (let start = 0; ; ) {
		const close = line[start] === '"' ? closingQuote(line, start) : -1;
		const comma = line.indexOf(',', close < 0 ? start : close + 1);
		const end = comma < 0 ? line.length : comma;
		if (close < 0) {
			values.push(line.slice(start, end));
		} else if (line.slice(close + 1, end).trim() === '') {
			// `replaceAll` would return pieces, which take four times as much memory.
			const value = line.slice(start + 1, close);
			values.push(value.split('""').join('"'));
		} else {
			values.push(line.slice(start + 1, end));
			isMalformed = true;
		}
		if (comma < 0) return { values, isMalformed };
		start = comma + 1;
	}
}

/** The closing quote of the value that opens at `from`; doubled quotes are part of the value. */
export function closingQuote(text: string, from: number): number {
	let close = text.indexOf('"', from + 1);
	while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
	return close;
}

/** Decodes UTF-8 whose bytes were read as Latin-1. */
export function fromLatin1(text: string): string {
	// Most rows are ASCII, of which decoding makes a copy.
	return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

/**
 * A row as an object, its keys in the order of the columns.
 *
 * @param like another one of these columns: copying it takes half as long as adding each key
 */
export function toRecord(
	columns: string[],
	row: string[],
	like: Record<string, string> = {},
): Record<string, string> {
	const record = { ...like };
	for (let index = 0; index < columns.length; index++) record[columns[index]] = row[index];
	return record;
}

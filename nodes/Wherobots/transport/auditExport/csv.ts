import Papa from 'papaparse';

import { TransferError } from '../download/bodyReader';

/** `Papa.parse` adds only options that are not needed here. */
const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });

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
export function parseRows(block: RowBlock, width: number): string[][] {
	const { text, ends, firstRow } = block;
	const { data, errors } = parse(fromLatin1(withLineFeeds(block)));
	if (errors.length > 0) throw malformed(firstRow + (errors[0].row ?? 0), errors[0].message);
	return data.filter((row, index) => {
		if (row.length === width) return true;
		if (isBlank(text.slice(ends[index - 1], ends[index]))) return false;
		throw malformed(firstRow + index, `${row.length} values for ${width} columns`);
	});
}

/** The rows of a block with line feeds only: papaparse accepts one kind of line end. */
function withLineFeeds({ text, ends }: RowBlock): string {
	if (!text.includes('\r')) return text;
	const rows = ends.map((end, index) => withoutEnd(text.slice(ends[index - 1] ?? 0, end)));
	return `${rows.join('\n')}\n`;
}

/** The values of one row, its line end included; it may still be in Latin-1. */
export function readRow(row: string): string[] {
	return parse(withoutEnd(row)).data[0] ?? [''];
}

function withoutEnd(row: string): string {
	const line = row.endsWith('\n') ? row.slice(0, -1) : row;
	return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Rows that end with line feeds. */
function parse(text: string): Papa.ParseResult<string[]> {
	return parser.parse(text, 0, false) as Papa.ParseResult<string[]>;
}

/** Whether a row is only a line end. */
export function isBlank(row: string): boolean {
	return row === '\n' || row === '\r\n' || row === '\r' || row === '';
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

import Papa from 'papaparse';

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
export function parseRows(block: RowBlock, width: number): string[][] {
	const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });
	const { data, errors } = parser.parse(
		fromLatin1(withLineFeeds(block)),
		0,
		false,
	) as Papa.ParseResult<string[]>;
	if (errors.length > 0) {
		throw malformed(block.firstRow + (errors[0].row ?? 0), errors[0].message);
	}
	return data.filter((row, index) => {
		if (row.length === width) return true;
		if (row.length === 1 && row[0] === '') return false;
		throw malformed(block.firstRow + index, `${row.length} values for ${width} columns`);
	});
}

/** The rows separated by line feeds only: the parser accepts one kind of line end. */
function withLineFeeds({ text, ends }: RowBlock): string {
	if (!text.includes('\r')) return text;
	const rows = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
	return rows.map((row) => row.replace(/\r?\n?$/, '')).join('\n');
}

/** The values of one row, its line end included; it may still be in Latin-1. */
export function readRow(row: string): string[] {
	const line = row.replace(/\r?\n?$/, '');
	return Papa.parse<string[]>(line, { delimiter: ',', newline: '\n' }).data[0] ?? [''];
}

/** Decodes UTF-8 whose bytes were read as Latin-1. */
export function fromLatin1(text: string): string {
	return Buffer.from(text, 'latin1').toString('utf8');
}

/** A row as an object, its keys in the order of the columns. */
export function toRecord(columns: string[], row: string[]): Record<string, string> {
	const record: Record<string, string> = {};
	for (let index = 0; index < columns.length; index++) record[columns[index]] = row[index];
	return record;
}

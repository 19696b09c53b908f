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
	const text = fromLatin1(block.text);
	const rows: string[][] = [];
	for (let at = 0, number = block.firstRow; at < text.length; number++) {
		const { values, next, isMalformed } = rowAt(text, at);
		if (isMalformed) throw malformed(number, 'text follows a closing quote');
		if (values.length === width) rows.push(values);
		else if (!isBlank(text.slice(at, next))) {
			throw malformed(number, `${values.length} values for ${width} columns`);
		}
		at = next;
	}
	return rows;
}

/** The values of one row, its line end included; it may still be in Latin-1. */
export function readRow(row: string): string[] {
	return rowAt(row, 0).values;
}

/** Whether a row is only a line end. */
export function isBlank(row: string): boolean {
	return row === '\n' || row === '\r\n' || row === '\r' || row === '';
}

/** The row at an offset, where the next one begins, and whether text follows a closing quote. */
function rowAt(
	text: string,
	from: number,
): { values: string[]; next: number; isMalformed: boolean } {
	const values: string[] = [];
	let isMalformed = false;
	let rowEnd = lineEnd(text, from);
	for (let start = from; ; ) {
		const close = text[start] === '"' ? closingQuote(text, start) : -1;
		if (close > rowEnd) rowEnd = lineEnd(text, close);
		const searched = close < 0 ? start : close + 1;
		// Otherwise each of many blank lines would search all that follows.
		const comma = searched === rowEnd ? -1 : text.indexOf(',', searched);
		const isLast = comma < 0 || comma > rowEnd;
		const end = isLast ? rowEnd : comma;
		if (close < 0) {
			values.push(text.slice(start, end));
		} else if (text.slice(searched, end).trim() === '') {
			// `replaceAll` would return pieces, which take four times as much memory.
			const value = text.slice(start + 1, close);
			values.push(value.split('""').join('"'));
		} else {
			values.push(text.slice(start + 1, end));
			isMalformed = true;
		}
		if (isLast) return { values, next: rowEnd + (text[rowEnd] === '\r' ? 2 : 1), isMalformed };
		start = comma + 1;
	}
}

/** Where the line that contains an offset ends, without its line end. */
function lineEnd(text: string, from: number): number {
	const lineFeed = text.indexOf('\n', from);
	const end = lineFeed < 0 ? text.length : lineFeed;
	return end > from && text[end - 1] === '\r' ? end - 1 : end;
}

/** The closing quote of the value that opens at `from`; doubled quotes are part of the value. */
export function closingQuote(text: string, from: number): number {
	let close = text.indexOf('"', from + 1);
	while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
	return close;
}

/** Decodes UTF-8 whose bytes were read as Latin-1. */
export function fromLatin1(text: string): string {
	return Buffer.from(text, 'latin1').toString('utf8');
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

import Papa from 'papaparse';

import { TransferError } from '../download/bodyReader';
import { RowScanner } from './rowScanner';
import { textPieces } from './textPieces';

/** The beginning of a table. */
export interface CsvHeader {
	/** Names from the header row; a repeated or missing name is made unique. */
	columns: string[];
	newline: '\n' | '\r\n';
	/** The header row as it came, with its byte order mark and its line end. */
	bytes: Buffer;
	/** Whether the header row has a line end. Without one nothing follows it. */
	ended: boolean;
	/** The header row and what came with it, for an explanation. */
	beginning: Buffer;
	/** What comes after the header row. */
	rest: AsyncIterable<Uint8Array>;
}

/** A header row is far shorter; a body without a row end in so many bytes is something else. */
const MAX_HEADER_BYTES = 64 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads the header row of CSV (RFC 4180): with or without a byte order mark, LF or CRLF. There are
 * no columns when the body is empty, and when no row ends in its first 64 KiB or before its end.
 */
export async function readHeader(source: AsyncIterable<Uint8Array>): Promise<CsvHeader> {
	const blocks = source[Symbol.asyncIterator]();
	const scanner = new RowScanner();
	let beginning = Buffer.alloc(0);
	let end = 0;
	let ended = false;
	while (!ended && beginning.length < MAX_HEADER_BYTES) {
		const next = await blocks.next();
		if (next.done) break;
		scanner.scan(next.value);
		ended = scanner.ends.length > 0;
		end = beginning.length + (scanner.ends[0] ?? next.value.length);
		beginning = Buffer.concat([beginning, next.value]);
	}
	const isRow = ended || (!scanner.inQuotes && end < MAX_HEADER_BYTES);
	const bytes = beginning.subarray(0, end);
	const line = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
	return {
		columns: isRow && line !== '' ? uniqueNames(readRow(line)) : [],
		newline: line.endsWith('\r\n') ? '\r\n' : '\n',
		bytes,
		ended,
		beginning,
		rest: chained(beginning.subarray(end), blocks),
	};
}

async function* chained(
	first: Uint8Array,
	others: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	if (first.length > 0) yield first;
	for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

/**
 * Reads the rows after a header as they arrive, quoted line breaks included; each has one value for
 * every column. The source is read only as fast as the batches are taken, and a batch is about a
 * quarter of a megabyte of text, or one row when a row is larger.
 *
 * @param provenWhole asked at the end when the last line has no line end: whether it is whole all
 *   the same
 * @throws TransferError when the text ends inside a row, and when a row is malformed or has more or
 *   fewer values than the header
 */
export async function* readCsv(
	{ columns, newline, rest }: CsvHeader,
	provenWhole: () => boolean,
): AsyncGenerator<string[][]> {
	let open = '';
	let line = 2;
	for await (const piece of textPieces(rest, () => open.length)) {
		const text = open + piece;
		const parser = new Papa.Parser({ delimiter: ',', newline });
		// At the very end half of a line end may have come, which the parser takes for text.
		const rows = text.endsWith('\r') ? text.slice(0, -1) : text;
		const { data, errors, meta } = parser.parse(rows, 0, true) as Papa.ParseResult<string[]>;
		open = meta.cursor === 0 ? text : text.slice(meta.cursor);
		if (errors.length > 0) throw malformed(line + (errors[0].row ?? 0), errors[0].message);
		yield checkWidths(data, columns.length, line);
		line += data.length;
	}
	const last = lastRow(open, columns.length, line, provenWhole());
	if (last) yield [last];
}

/**
 * The values of a last line without a line end, which RFC 4180 allows; undefined for a blank one.
 *
 * @param row its number, for the error
 * @throws TransferError when it lacks values, and when nothing proves that it is whole
 */
export function lastRow(
	text: string,
	width: number,
	row: number,
	provenWhole: boolean,
): string[] | undefined {
	const line = text.replace(/\r$/, '');
	if (line === '') return undefined;
	const { data, errors } = Papa.parse<string[]>(line, { delimiter: ',', newline: '\r\n' });
	if (errors.length > 0 || data.length !== 1 || data[0].length !== width) {
		throw new TransferError('incomplete', `Row ${row} is incomplete`);
	}
	if (!provenWhole) throw unproven(`row ${row}, the last one, has no line end`);
	return data[0];
}

/** The error for a body of which nothing shows that it is whole. */
export function unproven(what: string): TransferError {
	return new TransferError(
		'unproven',
		`The response states neither its length nor its end, and ${what}`,
	);
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
	const { data } = Papa.parse<string[]>(text.replace(/\r?\n?$/, ''), { delimiter: ',' });
	return data[0] ?? [];
}

/** The rows without blank lines, once the number of values in each is checked. */
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

function malformed(row: number, what: string): TransferError {
	return new TransferError('malformed', `Row ${row} is malformed: ${what}`);
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

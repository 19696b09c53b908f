/** The export of the audit log as it arrives: its header row, row ends and values. */
import type { IDataObject } from 'n8n-workflow';
import * as Papa from 'papaparse';

import { AUDIT_COLUMNS } from '../../service/records/auditEvent';
import { endpoints } from '../../service/endpoints';
import type { Client } from '../../transport/client';
import { describeFailed } from '../../transport/explain';
import { hasStatus } from '../../transport/failure';
import type { StreamResponse } from '../../transport/http';
import { type BodyReader, transfer, TransferError } from '../../transport/transfer';

const BYTE_ORDER_MARK = '\uFEFF';

/** Without these, a table is not an export of audit events; the service may omit or add others. */
const REQUIRED_COLUMNS: readonly string[] = ['event_id', 'event_time'];

/** How much of a foreign body is quoted in an error. */
const EXCERPT_BYTES = 4096;

/** How a JSON record begins. In a value of CSV, its quotes would be doubled, or a comma between them. */
const JSON_START = /\{\s*"[^",]+"\s*:/;

/** Maximum length of a row in bytes; anything longer is not a table. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/** An export whose header row has been read. */
export interface ExportTable {
	/** Names from the header row, each once. None when it is empty. */
	columns: string[];
	/** Position of the event ID among the columns. */
	idColumn: number;
	/** The header row as received, in Latin-1. */
	head: string;
	/** The rows after it. Reading them throws a TransferError when they are incomplete. */
	blocks: AsyncIterable<RowBlock>;
}

/** Complete rows of CSV, as received. */
interface RowBlock {
	/**
	 * With their line ends, and blank lines. Each byte is one character (Latin-1): UTF-8 needs no decoding to
	 * find rows.
	 */
	rows: string[];
	/** The number of the first row; the header row is row 1. */
	firstRow: number;
}

/**
 * Requests an export and passes it to `use` once its header row is checked, again from the start when
 * the transfer fails for a temporary reason.
 *
 * @param use reads the whole table; its result of a failed transfer is discarded
 * @throws Failure, CancelledError as `transfer` does
 */
export async function fetchExport<T>(
	client: Client,
	query: IDataObject,
	use: (table: ExportTable, reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await transfer(
		client,
		async () => ({ value: await openExport(client, query) }),
		async (reader) => await use(await parseTable(reader, reader.response), reader),
	);
}

/**
 * Requests an export at the path of the API description or, if that does not exist, of the export
 * guide.
 *
 * @throws Failure, CancelledError as `Client.stream` does; when neither path exists, the error of
 * the first
 */
async function openExport(client: Client, query: IDataObject): Promise<StreamResponse> {
	return await client.stream('exportAuditLog', { query }).catch(async (error: Error) => {
		if (!hasStatus(error, 404)) throw error;
		return await client.stream('exportAuditLogByGuidePath', { query }).catch((other: Error) => {
			throw hasStatus(other, 404) ? error : other;
		});
	});
}

/**
 * Reads the header row of an export. An empty body is an export without events.
 *
 * @param response for explaining a body that is not an export
 * @throws TransferError when it is not one
 */
export async function parseTable(
	source: AsyncIterable<Uint8Array>,
	{ status = 200, headers = {} }: Partial<StreamResponse> = {},
): Promise<ExportTable> {
	const blocks = splitIntoRowBlocks(source);
	const next = await blocks.next();
	const first: string[] = next.done ? [''] : next.value.rows;
	const [head] = first;
	const names = decodeLatin1(head).replace(BYTE_ORDER_MARK, '');
	const columns = names === '' ? [] : parseRow(names);
	// A truncated header row may still have the required columns.
	const required = head.endsWith('\n') ? REQUIRED_COLUMNS : AUDIT_COLUMNS;
	const missing = required.filter((name) => columns.length > 0 && !columns.includes(name));
	const repeated = columns.find((name, at) => columns.indexOf(name) < at);
	if (missing.length > 0 || repeated !== undefined) {
		const lacking = missing.length > 3 ? [...missing.slice(0, 3), 'others'] : missing;
		const what =
			repeated === undefined
				? `lacks ${new Intl.ListFormat('en-GB').format(lacking)}`
				: `repeats "${repeated}"`;
		const text = decodeLatin1(first.join('').slice(0, EXCERPT_BYTES));
		const contentType = headers['content-type'] ?? '';
		const found = describeFailed(endpoints.exportAuditLog, { status, contentType, text });
		const problem = `The response is not an audit log export: its header row ${what}`;
		throw new TransferError('foreign', problem, found);
	}
	async function* rows(): AsyncGenerator<RowBlock> {
		yield { rows: first.slice(1), firstRow: 2 };
		yield* blocks;
	}
	return { columns, idColumn: columns.indexOf('event_id'), head, blocks: rows() };
}

/**
 * Splits CSV (RFC 4180) into blocks of complete rows as it arrives. The source has to be complete: the
 * last row may lack its line end.
 *
 * @throws TransferError when a row other than the first is cut off, or a row is longer than 64 MiB
 */
async function* splitIntoRowBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<RowBlock> {
	let open = '';
	let firstRow = 1;
	let width: number | undefined;
	let last = { text: '', number: 1 };
	const take = (ends: number[]): RowBlock => {
		const rows = ends.map((end, index) => open.slice(ends[index - 1] ?? 0, end));
		const block = { rows, firstRow };
		width ??= parseRow(rows[0]).length;
		const row = rows.findLastIndex((each) => !isBlank(each));
		if (row >= 0) last = { text: rows[row], number: firstRow + row };
		open = open.slice(ends[ends.length - 1]);
		firstRow += rows.length;
		return block;
	};
	// Avoids scanning a row of many megabytes again for every few kilobytes that arrive.
	let wanted = 0;
	for await (const piece of source) {
		const { buffer, byteOffset, length } = piece;
		open += Buffer.from(buffer, byteOffset, length).toString('latin1');
		if (open.length < wanted) continue;
		const { ends } = findEnds(open);
		if (ends.length > 0) yield take(ends);
		if (open.length > MAX_ROW_BYTES) {
			throw toMalformedError(firstRow, `it is longer than ${MAX_ROW_BYTES / 2 ** 20} MiB`);
		}
		wanted = 2 * open.length;
	}
	const { ends, inQuotes } = findEnds(open);
	if (ends.length > 0) yield take(ends);
	if (!isBlank(open)) last = { text: open, number: firstRow };
	// When an export fails midway, some services append their error and end the response normally.
	const isCut =
		inQuotes ||
		(last.text !== '' && parseRow(last.text).length !== width) ||
		JSON_START.test(last.text);
	if (isCut && width !== undefined) {
		throw new TransferError('incomplete', `Row ${last.number} is incomplete`);
	}
	if (open !== '') yield take([open.length]);
}

/** Where rows end, and whether the rest is cut off inside quotes. */
function findEnds(text: string): { ends: number[]; inQuotes: boolean } {
	const ends: number[] = [];
	let start = 0;
	let quote = text.indexOf('"');
	let end = text.indexOf('\n');
	while (quote >= 0 || end >= 0) {
		if (quote < 0 || (end >= 0 && end < quote)) {
			start = end + 1;
			ends.push(start);
			end = text.indexOf('\n', start);
			continue;
		}
		let close = quote;
		if (quote === start || text[quote - 1] === ',') {
			close = findClosingQuote(text, quote);
			if (close < 0) return { ends, inQuotes: true };
			if (end >= 0 && end < close) end = text.indexOf('\n', close);
		}
		quote = text.indexOf('"', close + 1);
	}
	return { ends, inQuotes: false };
}

/** The closing quote of the value that opens at `from`; doubled quotes are part of the value. */
function findClosingQuote(text: string, from: number): number {
	let close = text.indexOf('"', from + 1);
	while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
	return close;
}

/** `Papa.parse` adds only options that are not needed here. */
const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });

/** Rows that end with line feeds. */
function parse(text: string): Papa.ParseResult<string[]> {
	return parser.parse(text, 0, false) as Papa.ParseResult<string[]>;
}

/** The values of one row, its line end included; it may still be in Latin-1. */
export function parseRow(row: string): string[] {
	return parse(trimRowEnd(row)).data[0] ?? [''];
}

function trimRowEnd(row: string): string {
	const line = row.endsWith('\n') ? row.slice(0, -1) : row;
	return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/**
 * The values of the rows of a block, without blank lines. Line ends may be mixed.
 *
 * @param width number of values in each row
 * @throws TransferError when a row is malformed or has more or fewer values
 */
export function parseRows({ rows, firstRow }: RowBlock, width: number): string[][] {
	// papaparse accepts one kind of line end.
	const unified = rows.map((row) => `${trimRowEnd(row)}\n`).join('');
	const { data, errors } = parse(decodeLatin1(unified));
	if (errors.length > 0) throw toMalformedError(firstRow + (errors[0].row ?? 0), errors[0].message);
	return data.filter((row, index) => {
		if (row.length === width) return true;
		if (isBlank(rows[index] ?? '')) return false;
		throw toMalformedError(firstRow + index, `${row.length} values for ${width} columns`);
	});
}

/** The error for a row that later bytes cannot complete. */
function toMalformedError(row: number, what: string): TransferError {
	return new TransferError('malformed', `Row ${row} is malformed: ${what}`);
}

/** Whether a row is only a line end. */
export function isBlank(row: string): boolean {
	return row === '\n' || row === '\r\n' || row === '\r' || row === '';
}

/** Decodes UTF-8 whose bytes were read as Latin-1. */
export function decodeLatin1(text: string): string {
	// Most rows are ASCII, of which decoding makes a copy.
	return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

import { createHash } from 'crypto';

import { missingColumns } from '../../service/auditLog';
import { readCsv, readRow, toRecord, writeCsv, type CsvBatch } from './csv';
import { TransferError } from '../download/bodyReader';
import { RowScanner } from './rowScanner';
import { RepeatFilter } from './repeatFilter';
import { SeenIds } from './seenIds';
import { CsvError } from './textPieces';

export type Bytes = AsyncIterable<Uint8Array>;

/** What is counted while an export goes through. Holds when its last step has ended. */
export interface Counts {
	/** Rows that came out, the header not counted. */
	rows: number;
	/** Rows that were left out because their ID had come before. */
	repeats: number;
	bytes: number;
	/** SHA-256 of the bytes, in hexadecimal. */
	sha256: string;
}

/** Counts before the first byte. */
export function newCounts(): Counts {
	return { rows: 0, repeats: 0, bytes: 0, sha256: '' };
}

/** Changes a value on its way; undefined changes none. */
export type Change = ((value: string) => string) | undefined;

const EVENT_ID = 'event_id';

/** A header row is far shorter; an answer without a row end in so many bytes is something else. */
const MAX_HEADER_BYTES = 64 * 1024;
const EXCERPT_BYTES = 4096;

/**
 * Lets an export through as it is, after a look at its header row, and counts its rows. Nothing
 * comes out before the header row proved to be one.
 *
 * @param dropRepeats leaves out rows whose event ID has come before
 * @throws TransferError when it is no export, or ends inside a row
 */
export async function* checkedRows(
	source: Bytes,
	counts: Counts,
	dropRepeats: boolean,
): AsyncGenerator<Uint8Array> {
	const scanner = new RowScanner();
	let filter: RepeatFilter | undefined;
	let head: Uint8Array | undefined;
	for await (const chunk of source) {
		let block = chunk;
		if (!filter) {
			head = head ? Buffer.concat([head, chunk]) : chunk;
			const probe = new RowScanner();
			probe.scan(head);
			if (probe.endCount === 0 && head.length < MAX_HEADER_BYTES) continue;
			const columns = headerColumns(head, probe.endCount === 0 ? 0 : probe.ends[0]);
			filter = new RepeatFilter(columns.indexOf(EVENT_ID));
			block = head;
		}
		scanner.scan(block);
		if (dropRepeats) yield* filter.pass(block, scanner);
		else yield block;
	}
	if (!filter) throw foreign(head ?? new Uint8Array(0), 'there is no complete header row');
	if (!scanner.atRowEnd) {
		throw new TransferError('incomplete', 'The last row is not complete');
	}
	counts.repeats = filter.repeats;
	counts.rows = scanner.rows - 1 - counts.repeats;
}

/**
 * Reads an export into rows, after a look at its header row.
 *
 * @throws TransferError when it is no export, is malformed, or ends inside a row
 */
export async function* parsedRows(
	source: Bytes,
	counts: Counts,
	dropRepeats: boolean,
): AsyncGenerator<CsvBatch> {
	const seen = dropRepeats ? new SeenIds() : undefined;
	let head: Uint8Array | undefined;
	async function* noted(): AsyncGenerator<Uint8Array> {
		for await (const chunk of source) {
			if (!head) head = Buffer.from(chunk.subarray(0, EXCERPT_BYTES));
			yield chunk;
		}
	}
	let checked = false;
	try {
		for await (const batch of readCsv(noted())) {
			if (!checked) checkColumns(batch.columns, head);
			checked = true;
			const rows = seen ? withoutRepeats(batch, seen) : batch.rows;
			counts.repeats += batch.rows.length - rows.length;
			counts.rows += rows.length;
			yield { columns: batch.columns, rows };
		}
	} catch (error) {
		if (!(error instanceof CsvError)) return await Promise.reject(error as Error);
		return await Promise.reject(
			checked || hasColumns(head)
				? new TransferError('incomplete', error.message)
				: foreign(head ?? new Uint8Array(0), error.message),
		);
	}
}

/** Rows as CSV again, their values changed. */
export async function* asCsv(
	batches: AsyncIterable<CsvBatch>,
	change: Change,
): AsyncGenerator<Uint8Array> {
	let first = true;
	for await (const { columns, rows } of batches) {
		if (first) yield Buffer.from(writeCsv([columns]));
		first = false;
		if (rows.length > 0) yield Buffer.from(writeCsv(changed(rows, change)));
	}
}

/** Rows as one JSON object a line. */
export async function* asJsonLines(
	batches: AsyncIterable<CsvBatch>,
	change: Change,
): AsyncGenerator<Uint8Array> {
	for await (const { columns, rows } of batches) {
		const lines = changed(rows, change).map((row) => `${JSON.stringify(toRecord(columns, row))}\n`);
		if (lines.length > 0) yield Buffer.from(lines.join(''));
	}
}

/** Counts and hashes what goes through. */
export async function* tallied(source: Bytes, counts: Counts): AsyncGenerator<Uint8Array> {
	const hash = createHash('sha256');
	for await (const block of source) {
		hash.update(block);
		counts.bytes += block.length;
		yield block;
	}
	counts.sha256 = hash.digest('hex');
}

function changed(rows: string[][], change: Change): string[][] {
	return change ? rows.map((row) => row.map(change)) : rows;
}

function withoutRepeats({ columns, rows }: CsvBatch, seen: SeenIds): string[][] {
	const column = columns.indexOf(EVENT_ID);
	return rows.filter((row) => {
		const id = Buffer.from(row[column]);
		// An event without an ID is nobody's repeat.
		return id.length === 0 || seen.add(id);
	});
}

/** The column names of a header row that ends at `end`; 0 when there is none. */
function headerColumns(head: Uint8Array, end: number): string[] {
	const line = Buffer.from(head.subarray(0, end))
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	const columns = end === 0 ? [] : readRow(line);
	checkColumns(columns, head);
	return columns;
}

/** Whether the first line is the header row of an export, whatever follows. */
function hasColumns(head: Uint8Array | undefined): boolean {
	const [line] = Buffer.from(head ?? [])
		.toString('utf8')
		.replace(/^\uFEFF/, '')
		.split('\n', 1);
	return missingColumns(readRow(line)).length === 0;
}

function checkColumns(columns: string[], head: Uint8Array | undefined): void {
	const missing = missingColumns(columns);
	if (missing.length > 0) {
		throw foreign(head ?? new Uint8Array(0), `its header row lacks ${missing.join(' and ')}`);
	}
}

function foreign(head: Uint8Array, message: string): TransferError {
	const excerpt = Buffer.from(head.subarray(0, EXCERPT_BYTES)).toString('utf8');
	return new TransferError('foreign', message, excerpt);
}

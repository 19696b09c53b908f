import { lastRow, readCsv, toRecord, writeCsv, type CsvHeader } from './csv';
import { RepeatFilter } from './repeatFilter';
import { RowScanner } from './rowScanner';
import { SeenIds } from './seenIds';

export type Bytes = AsyncIterable<Uint8Array>;

/** An export whose header row has been read. */
export interface ExportTable extends CsvHeader {
	/** Position of the event ID among the columns. */
	idColumn: number;
	/** Whether the transport has shown that the body is whole; holds after its end. */
	provenWhole: () => boolean;
}

/** One step of an export: what comes out of it, and what it counted meanwhile. */
export interface Step<T, Tally> {
	output: AsyncIterable<T>;
	/** Holds when all of the output has been read. */
	tally(): Tally;
}

export interface RowTally {
	/** Rows that came out, the header not counted. */
	rows: number;
	/** Rows that were removed because their ID had come before. */
	repeats: number;
}

/** Changes a value on its way; undefined changes none. */
export type Change = ((value: string) => string) | undefined;

/**
 * Lets an export through as it is and counts its rows.
 *
 * @param removeRepeats removes rows whose event ID came before
 * @throws TransferError in its output when the export ends inside a row, or a row is too long
 */
export function unparsedRows(
	table: ExportTable,
	removeRepeats: boolean,
): Step<Uint8Array, RowTally> {
	const scanner = new RowScanner();
	const filter = removeRepeats ? new RepeatFilter(table.idColumn) : undefined;
	let unended = 0;
	async function* rows(): AsyncGenerator<Uint8Array> {
		yield table.bytes;
		for await (const block of table.rest) {
			scanner.scan(block);
			if (!filter) {
				yield block;
				continue;
			}
			// One write for each block: a row that began in another one would be a write of its own.
			const kept = Buffer.concat([...filter.pass(block, scanner)]);
			if (kept.length > 0) yield kept;
		}
		const { openRow } = scanner;
		const text = openRow.toString('utf8');
		if (!lastRow(text, table.columns.length, scanner.rows + 2, table.provenWhole())) return;
		unended = 1;
		if (filter) yield* filter.passRow(openRow);
	}
	return {
		output: rows(),
		tally: () => {
			const repeats = filter?.repeats ?? 0;
			return { rows: scanner.rows + unended - repeats, repeats };
		},
	};
}

/**
 * Parses an export into batches of rows.
 *
 * @param removeRepeats removes rows whose event ID came before
 * @throws TransferError in its output when the export is malformed, or ends inside a row
 */
export function parsedRows(table: ExportTable, removeRepeats: boolean): Step<string[][], RowTally> {
	const seen = removeRepeats ? new SeenIds() : undefined;
	const tally: RowTally = { rows: 0, repeats: 0 };
	async function* batches(): AsyncGenerator<string[][]> {
		for await (const batch of readCsv(table, table.provenWhole)) {
			const rows = seen ? withoutRepeats(batch, table.idColumn, seen) : batch;
			tally.repeats += batch.length - rows.length;
			tally.rows += rows.length;
			yield rows;
		}
	}
	return { output: batches(), tally: () => tally };
}

/** Rows as CSV again, their values changed. */
export async function* asCsv(
	{ columns }: ExportTable,
	batches: AsyncIterable<string[][]>,
	change: Change,
): AsyncGenerator<Uint8Array> {
	if (columns.length > 0) yield Buffer.from(writeCsv([columns]));
	for await (const rows of batches) {
		if (rows.length > 0) yield Buffer.from(writeCsv(changed(rows, change)));
	}
}

/** Rows as one JSON object a line. */
export async function* asJsonLines(
	{ columns }: ExportTable,
	batches: AsyncIterable<string[][]>,
	change: Change,
): AsyncGenerator<Uint8Array> {
	for await (const rows of batches) {
		const lines = changed(rows, change).map((row) => `${JSON.stringify(toRecord(columns, row))}\n`);
		if (lines.length > 0) yield Buffer.from(lines.join(''));
	}
}

function changed(rows: string[][], change: Change): string[][] {
	return change ? rows.map((row) => row.map(change)) : rows;
}

function withoutRepeats(rows: string[][], idColumn: number, seen: SeenIds): string[][] {
	return rows.filter((row) => seen.add(Buffer.from(row[idColumn])));
}

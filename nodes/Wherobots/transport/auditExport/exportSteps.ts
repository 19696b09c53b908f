import { parseRows, readRow, toRecord, writeCsv, type RowBlock } from './csv';
import { IdSet } from './idSet';
import type { ExportTable } from './readExport';
import { isBlank } from './rowBlocks';

/** One step of an export: its output and its counts. */
export interface Step<T> {
	output: AsyncIterable<T>;
	/** Valid once all of the output has been read. */
	tally: RowTally;
}

export interface RowTally {
	/** Rows of the output without the header. */
	rows: number;
	/** Rows removed because their ID had occurred before. */
	repeats: number;
}

/** Changes each value; undefined changes none. */
export type Change = ((value: string) => string) | undefined;

/**
 * Passes an export through unparsed and counts its rows.
 *
 * @param removeRepeats removes rows whose event ID occurred before
 */
export function unparsedRows(table: ExportTable, removeRepeats: boolean): Step<Uint8Array> {
	const seen = removeRepeats ? new IdSet() : undefined;
	const tally: RowTally = { rows: 0, repeats: 0 };
	async function* rows(): AsyncGenerator<Uint8Array> {
		if (table.head !== '') yield Buffer.from(table.head, 'latin1');
		for await (const block of table.blocks) {
			const { text, ends } = block;
			const kept: string[] = [];
			let keptFrom = 0;
			let start = 0;
			for (const end of ends) {
				if (end - start > 2 || !isBlank(text.slice(start, end))) {
					if (!seen || addId(seen, block, start, end, table.idColumn)) {
						tally.rows++;
					} else {
						tally.repeats++;
						kept.push(text.slice(keptFrom, start));
						keptFrom = end;
					}
				}
				start = end;
			}
			kept.push(text.slice(keptFrom));
			const bytes = Buffer.from(kept.join(''), 'latin1');
			if (bytes.length > 0) yield bytes;
		}
	}
	return { output: rows(), tally };
}

/** Adds the ID of the row between two offsets and returns whether it is new. */
function addId(
	seen: IdSet,
	{ text }: RowBlock,
	start: number,
	end: number,
	column: number,
): boolean {
	const comma = text.indexOf(',', start);
	if (column === 0 && text[start] !== '"' && comma < end) return seen.add(text, start, comma);
	return seen.add(readRow(text.slice(start, end))[column] ?? '');
}

/**
 * Parses an export into batches of rows.
 *
 * @param removeRepeats removes rows whose event ID occurred before
 * @throws TransferError in its output when a row is malformed
 */
export function parsedRows(table: ExportTable, removeRepeats: boolean): Step<string[][]> {
	const seen = removeRepeats ? new IdSet() : undefined;
	const tally: RowTally = { rows: 0, repeats: 0 };
	async function* batches(): AsyncGenerator<string[][]> {
		for await (const block of table.blocks) {
			const all = parseRows(block, table.columns.length);
			const rows = seen ? all.filter((row) => seen.add(row[table.idColumn])) : all;
			tally.repeats += all.length - rows.length;
			tally.rows += rows.length;
			yield rows;
		}
	}
	return { output: batches(), tally };
}

/** Rows as CSV, with values changed. */
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

/** Rows as one JSON object per line. */
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

import { gzipped } from '../download/gzip';
import { isBlank, parseRows, readRow, toRecord, type RowBlock } from './csv';
import { IdSet } from './idSet';
import type { ExportTable } from './readExport';

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
	duplicates: number;
}

export interface FileOptions {
	format: 'csv' | 'jsonLines';
	compress: boolean;
	/** Removes rows whose event ID occurred before. */
	removeDuplicates: boolean;
}

/** An export as the bytes of a file. */
export function fileBytes(
	table: ExportTable,
	{ format, compress, removeDuplicates }: FileOptions,
): Step<Uint8Array> {
	const write = format === 'csv' ? unparsedRows : jsonLines;
	const { output, tally } = write(table, removeDuplicates);
	return { output: compress ? gzipped(output) : output, tally };
}

/** Passes an export through unparsed and counts its rows. */
export function unparsedRows(table: ExportTable, removeDuplicates: boolean): Step<Uint8Array> {
	const seen = removeDuplicates ? new IdSet() : undefined;
	const tally: RowTally = { rows: 0, duplicates: 0 };
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
						tally.duplicates++;
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
 * @throws TransferError in its output when a row is malformed
 */
export function parsedRows(table: ExportTable, removeDuplicates: boolean): Step<string[][]> {
	const seen = removeDuplicates ? new IdSet() : undefined;
	const tally: RowTally = { rows: 0, duplicates: 0 };
	async function* batches(): AsyncGenerator<string[][]> {
		for await (const block of table.blocks) {
			const all = parseRows(block, table.columns.length);
			const rows = seen ? all.filter((row) => seen.add(row[table.idColumn])) : all;
			tally.duplicates += all.length - rows.length;
			tally.rows += rows.length;
			yield rows;
		}
	}
	return { output: batches(), tally };
}

/** An export as one JSON object per line. */
function jsonLines(table: ExportTable, removeDuplicates: boolean): Step<Uint8Array> {
	const { output, tally } = parsedRows(table, removeDuplicates);
	async function* lines(): AsyncGenerator<Uint8Array> {
		for await (const rows of output) {
			const text = rows.map((row) => `${JSON.stringify(toRecord(table.columns, row))}\n`).join('');
			if (text !== '') yield Buffer.from(text);
		}
	}
	return { output: lines(), tally };
}

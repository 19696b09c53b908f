/** What becomes of an export of the audit log: the bytes of a file, or rows. */
import { ACTION_NAME, createActionFilter } from '../../service/records/auditEvent';
import { gzip } from '../../transport/bytes';
import { Failure } from '../../transport/failure';
import { type ExportTable, decodeLatin1, isBlank, parseRows, parseRow } from './auditExport';

/** The output of an export and its counts. */
interface Written<T> {
	output: AsyncIterable<T>;
	/** Valid once all of the output has been read. */
	tally: {
		/** Rows of the output without the header. */
		rows: number;
		/** Rows removed because their ID had occurred before. */
		duplicates: number;
	};
}

export interface FileOptions extends RowSelection {
	format: 'csv' | 'jsonLines';
	compress: boolean;
}

/** Which rows are wanted. */
export interface RowSelection {
	/** Leaves out rows whose event ID occurred before. */
	removeDuplicates?: boolean;
	/** Leaves out events of other actions, unless it is empty. */
	actionNames?: string[];
}

/** Maximum number of event IDs that are remembered, at about 80 bytes of n8n's memory each. */
const MAX_IDS = 2_000_000;

/**
 * Tells whether an ID has not occurred before; empty ones always count as new. IDs are kept as given.
 *
 * @throws Failure in its result when there are more than {@link MAX_IDS} different ones
 */
function createIdFilter(): (id: string) => boolean {
	const known = new Set<string>();
	return (id) => {
		if (id === '') return true;
		const before = known.size;
		if (known.add(id).size > MAX_IDS) {
			throw new Failure({
				message: `More than ${MAX_IDS.toLocaleString('en-US')} events cannot be checked for duplicates: choose a shorter range, or split it into more files`,
				isInput: true,
			});
		}
		return known.size > before;
	};
}

/** A copy that can be kept: V8 keeps the whole text that a part was cut from. */
function copyText(part: string): string {
	return Buffer.from(part).toString();
}

/** An export as the bytes of a file. */
export function writeFile(
	table: ExportTable,
	{ format, compress, ...selection }: FileOptions,
): Written<Uint8Array> {
	const write = format === 'csv' ? writeCsv : writeJsonLines;
	const { output, tally } = write(table, selection);
	return { output: compress ? gzip(output) : output, tally };
}

/** An export as it came, its rows counted. They are not parsed: it would take half as long again. */
function writeCsv(table: ExportTable, selection: RowSelection): Written<Uint8Array> {
	const tally = { rows: 0, duplicates: 0 };
	const isWanted = createRowFilter(table, selection, tally, decodeLatin1);
	async function* rows(): AsyncGenerator<Uint8Array> {
		if (isWanted && table.head !== '') yield Buffer.from(table.head, 'latin1');
		for await (const { text, ends, pieces } of table.blocks) {
			const bytes = Buffer.from(isWanted ? text : '', 'latin1');
			const kept: Uint8Array[] = [];
			let keptFrom = 0;
			let start = 0;
			for (const end of ends) {
				if (end - start > 2 || !isBlank(text.slice(start, end))) {
					if (!isWanted || isWanted((column) => sliceValue(text, bytes, start, end, column))) {
						tally.rows++;
					} else {
						if (start > keptFrom) kept.push(bytes.subarray(keptFrom, start));
						keptFrom = end;
					}
				}
				start = end;
			}
			if (!isWanted) {
				yield* pieces;
				continue;
			}
			kept.push(bytes.subarray(keptFrom));
			const block = keptFrom === 0 ? bytes : Buffer.concat(kept);
			if (block.length > 0) yield block;
		}
	}
	return { output: rows(), tally };
}

/**
 * Whether a row is wanted, by copies of its values; undefined where all are. Counts the duplicates.
 *
 * @param decode a value as text; IDs are only compared with each other
 * @throws Failure when the export does not say which action an event is about
 */
function createRowFilter(
	{ columns, idColumn }: ExportTable,
	{ removeDuplicates, actionNames = [] }: RowSelection,
	tally: { duplicates: number },
	decode = (value: string) => value,
): ((valueOf: (column: number) => string) => boolean) | undefined {
	const isAction = createActionFilter(actionNames);
	const isNew = removeDuplicates ? createIdFilter() : undefined;
	if (!isAction && !isNew) return undefined;
	const actionColumn = columns.indexOf(ACTION_NAME);
	if (isAction && columns.length > 0 && actionColumn < 0) {
		throw new Failure({
			message: `The export has no column '${ACTION_NAME}'`,
			description: 'Without it, events cannot be filtered by action. Export all of them.',
		});
	}
	return (valueOf) => {
		if (isAction && !isAction(decode(valueOf(actionColumn)))) return false;
		const isWanted = !isNew || isNew(valueOf(idColumn));
		if (!isWanted) tally.duplicates++;
		return isWanted;
	};
}

/** A copy of a value of the row between two offsets, in Latin-1. */
function sliceValue(
	text: string,
	bytes: Buffer,
	start: number,
	end: number,
	column: number,
): string {
	const comma = column === 0 && text[start] !== '"' ? text.indexOf(',', start) : -1;
	if (comma >= 0 && comma < end) return bytes.toString('latin1', start, comma);
	return copyText(parseRow(text.slice(start, end))[column] ?? '');
}

/**
 * Parses an export into batches of rows.
 *
 * @throws Failure in its output when a row is malformed
 */
export function parseSelectedRows(
	table: ExportTable,
	selection: RowSelection = {},
): Written<string[][]> {
	const tally = { rows: 0, duplicates: 0 };
	const isWanted = createRowFilter(table, selection, tally);
	async function* batches(): AsyncGenerator<string[][]> {
		for await (const block of table.blocks) {
			const all = parseRows(block, table.columns.length);
			const rows = isWanted
				? all.filter((row) => isWanted((column) => copyText(row[column])))
				: all;
			tally.rows += rows.length;
			yield rows;
		}
	}
	return { output: batches(), tally };
}

/** An export as one JSON object per line. */
function writeJsonLines(table: ExportTable, selection: RowSelection): Written<Uint8Array> {
	const { output, tally } = parseSelectedRows(table, selection);
	async function* lines(): AsyncGenerator<Uint8Array> {
		for await (const rows of output) {
			const text = rows.map((row) => `${JSON.stringify(toRecord(table.columns, row))}\n`).join('');
			if (text !== '') yield Buffer.from(text);
		}
	}
	return { output: lines(), tally };
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

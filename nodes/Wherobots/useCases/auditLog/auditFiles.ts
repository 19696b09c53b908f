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
				message: `At most ${MAX_IDS.toLocaleString('en-US')} events can be checked for duplicates: choose a shorter range, or split it into more files`,
				isInput: true,
			});
		}
		return known.size > before;
	};
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
	const isWanted = createRowFilter(table, selection, tally);
	async function* bytes(): AsyncGenerator<Uint8Array> {
		if (table.head !== '') yield Buffer.from(table.head, 'latin1');
		for await (const { rows } of table.blocks) {
			const kept = isWanted
				? rows.filter((row) => isBlank(row) || isWanted((column) => getValue(row, column)))
				: rows;
			for (const row of kept) if (!isBlank(row)) tally.rows++;
			if (kept.length > 0) yield Buffer.from(kept.join(''), 'latin1');
		}
	}
	return { output: bytes(), tally };
}

/** A value of a row in Latin-1. The first is found without parsing the row, which takes far longer. */
function getValue(row: string, column: number): string {
	const comma = column === 0 && row[0] !== '"' ? row.indexOf(',') : -1;
	return decodeLatin1(comma >= 0 ? row.slice(0, comma) : (parseRow(row)[column] ?? ''));
}

/**
 * Whether a row is wanted, by its values; undefined where all are. Counts the duplicates.
 *
 * @throws Failure when the export does not say which action an event is about
 */
function createRowFilter(
	{ columns, idColumn }: ExportTable,
	{ removeDuplicates, actionNames = [] }: RowSelection,
	tally: { duplicates: number },
): ((valueOf: (column: number) => string) => boolean) | undefined {
	const isAction = createActionFilter(actionNames);
	const isNew = removeDuplicates ? createIdFilter() : undefined;
	if (!isAction && !isNew) return undefined;
	const actionColumn = columns.indexOf(ACTION_NAME);
	if (isAction && columns.length > 0 && actionColumn < 0) {
		throw new Failure({
			message: `The export has no column '${ACTION_NAME}'`,
			description:
				'Without it, events cannot be filtered by action. Remove that filter to export all of them.',
		});
	}
	return (valueOf) => {
		if (isAction && !isAction(valueOf(actionColumn))) return false;
		// A copy: V8 keeps the whole text that a part was cut from.
		const isWanted = !isNew || isNew(Buffer.from(valueOf(idColumn)).toString());
		if (!isWanted) tally.duplicates++;
		return isWanted;
	};
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
			const rows = isWanted ? all.filter((row) => isWanted((column) => row[column])) : all;
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

/** A row as an object, its keys in the order of the columns. */
export function toRecord(columns: string[], row: string[]): Record<string, string> {
	return Object.fromEntries(columns.map((name, at) => [name, row[at]]));
}

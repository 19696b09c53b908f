import type { IDataObject } from 'n8n-workflow';

import { AUDIT_COLUMNS, EVENT_ID, missingColumns } from '../../service/auditLog';
import type { Client } from '../client';
import { TransferError, type BodyReader } from '../download/bodyReader';
import { transfer } from '../download/transfer';
import { hasStatus } from '../failures/errors';
import type { StreamResponse } from '../http';
import { fromLatin1, readRow, type RowBlock } from './csv';
import { rowBlocks } from './rowBlocks';

const BYTE_ORDER_MARK = '\uFEFF';

/** How much of a foreign body is quoted in an error. */
const EXCERPT_BYTES = 4096;

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

/**
 * Requests an export and passes it to `use` once its header row is checked, again from the start when
 * the transfer fails for a temporary reason.
 *
 * @param use reads the whole table; its result of a failed transfer is discarded
 * @throws NodeApiError, CancelledError as `transfer` does
 */
export async function readExport<T>(
	client: Client,
	query: IDataObject,
	use: (table: ExportTable, reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await transfer(
		client,
		'exportAuditLog',
		async () => await openExport(client, query),
		async (reader) => await use(await readTable(reader), reader),
	);
}

/**
 * Reads the header row of an export. An empty body is an export without events.
 *
 * @throws TransferError when it is not an export
 */
export async function readTable(source: AsyncIterable<Uint8Array>): Promise<ExportTable> {
	const blocks = rowBlocks(source);
	const next = await blocks.next();
	const first: RowBlock = next.done ? { text: '', ends: [0], firstRow: 1 } : next.value;
	const head = first.text.slice(0, first.ends[0]);
	const columns = namesIn(head);
	// A truncated header row may still have the required columns.
	const required = head.endsWith('\n') ? undefined : AUDIT_COLUMNS;
	const missing = columns.length === 0 ? [] : missingColumns(columns, required);
	const repeated = columns.find((name, at) => columns.indexOf(name) < at);
	if (missing.length > 0 || repeated !== undefined) {
		const excerpt = fromLatin1(first.text.slice(0, EXCERPT_BYTES));
		const what =
			repeated === undefined ? `lacks ${missing.join(' and ')}` : `repeats "${repeated}"`;
		throw new TransferError(
			'foreign',
			`The response is not an audit log export: its header row ${what}`,
			excerpt,
		);
	}
	return {
		columns,
		idColumn: columns.indexOf(EVENT_ID),
		head,
		blocks: rowsAfter(first, blocks),
	};
}

async function* rowsAfter(
	{ text, ends }: RowBlock,
	others: AsyncGenerator<RowBlock>,
): AsyncGenerator<RowBlock> {
	if (ends.length > 1) {
		const rest = ends.slice(1).map((end) => end - ends[0]);
		yield { text: text.slice(ends[0]), ends: rest, firstRow: 2 };
	}
	yield* others;
}

/** The names in a header row, without its byte order mark; none when it is empty. */
function namesIn(row: string): string[] {
	const line = fromLatin1(row).replace(BYTE_ORDER_MARK, '');
	return line === '' ? [] : readRow(line);
}

/**
 * Requests an export at the path of the API description or, if that does not exist, of the export
 * guide.
 *
 * @throws NodeApiError, CancelledError as `Client.stream` does; when neither path exists, the error of
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

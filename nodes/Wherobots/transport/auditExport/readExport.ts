import type { IDataObject } from 'n8n-workflow';

import { AUDIT_COLUMNS, EVENT_ID, missingColumns } from '../../service/auditLog';
import type { EndpointId } from '../../service/endpoints';
import type { StreamResponse } from '../calls';
import type { Client } from '../client';
import { TransferError, type BodyReader } from '../download/bodyReader';
import { transfer } from '../download/transfer';
import { hasStatus } from '../failures/errors';
import { readHeader, unproven } from './csv';
import type { ExportTable } from './exportSteps';

/** The two documented paths of the export, in the order in which they are tried. */
const PATHS: readonly EndpointId[] = ['exportAuditLog', 'exportAuditLogByGuidePath'];

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** As much of a foreign body as an explanation needs. */
const EXCERPT_BYTES = 4096;

/** The path that a base URL has, as far as this process has found out. */
const knownPaths = new Map<string, EndpointId>();

/**
 * Asks for an export and gives it to `use` once its header row is checked, again from the start
 * when the transfer fails in a way that may pass.
 *
 * @param use reads the whole table; what it made of a failed transfer has to be worthless by itself
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
 * Reads the header row of an export. An empty body and a header row without a line end are exports
 * without events when the transport proves that nothing is missing.
 *
 * @throws TransferError when it is no export
 */
export async function readTable(reader: BodyReader): Promise<ExportTable> {
	const header = await readHeader(reader);
	const { columns, bytes, beginning, ended } = header;
	const isEmpty = bytes.length === 0 || bytes.equals(BYTE_ORDER_MARK);
	if (!isEmpty) {
		// A header row that was cut off may still have the columns that are needed.
		const missing = missingColumns(columns, ended ? undefined : AUDIT_COLUMNS);
		if (columns.length === 0) throw foreign('it has no complete header row', beginning);
		if (missing.length > 0)
			throw foreign(`its header row lacks ${missing.join(' and ')}`, beginning);
	}
	if (!ended && !reader.provenWhole) {
		throw unproven(isEmpty ? 'it is empty' : 'its header row has no line end');
	}
	return {
		...header,
		idColumn: columns.indexOf(EVENT_ID),
		provenWhole: () => reader.provenWhole,
	};
}

/** @param head the beginning of the body, shown to a person */
function foreign(what: string, head: Uint8Array): TransferError {
	const excerpt = Buffer.from(head.subarray(0, EXCERPT_BYTES)).toString('utf8');
	return new TransferError('foreign', `The response is not an audit log export: ${what}`, excerpt);
}

/**
 * Asks for an export at the path of the API description, and at that of the export guide when
 * the first is not there. The path that is there is remembered for the base URL.
 *
 * @throws NodeApiError, CancelledError as `Client.stream` does; when neither path is there, the
 *   error of the first
 */
async function openExport(client: Client, query: IDataObject): Promise<StreamResponse> {
	const known = knownPaths.get(client.baseUrl);
	const paths = known ? [known, ...PATHS.filter((path) => path !== known)] : PATHS;
	let notFound: Error | undefined;
	for (const path of paths) {
		const outcome = await client.stream(path, { query }).catch((error: Error) => error);
		if (!(outcome instanceof Error)) {
			knownPaths.set(client.baseUrl, path);
			return outcome;
		}
		if (!hasStatus(outcome, 404)) throw outcome;
		notFound ??= outcome;
	}
	throw notFound as Error;
}

/** Forgets which paths were found. For tests. */
export function forgetPaths(): void {
	knownPaths.clear();
}

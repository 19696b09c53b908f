import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { neutralizeFormula } from '../../service/formulas';
import { formatTime } from '../../service/time/time';
import { lastMoment, type Window } from '../../service/time/windows';
import { openExport } from '../../transport/auditExport/openExport';
import { transfer } from '../../transport/download/transfer';
import {
	asCsv,
	asJsonLines,
	checkedRows,
	newCounts,
	parsedRows,
	tallied,
	type Bytes,
	type Counts,
} from '../../transport/auditExport/exportSteps';
import { gzipped } from '../../transport/download/gzip';
import { toReadable } from '../../transport/download/readable';
import type { Call } from '../operation';
import { isComplete, type Range } from './exportRange';

export interface FileOptions {
	format: 'csv' | 'jsonLines';
	compress: boolean;
	dropDuplicates: boolean;
	neutralizeFormulas: boolean;
	binaryPropertyName: string;
}

const CSV_TYPE = 'text/csv';
const JSON_LINES_TYPE = 'application/x-ndjson';
const GZIP_TYPE = 'application/gzip';

/** The extension of the files, with its periods. */
export function extensionOf({ format, compress }: FileOptions): string {
	return `${format === 'csv' ? '.csv' : '.jsonl'}${compress ? '.gz' : ''}`;
}

/**
 * Exports one window into n8n's binary store, straight from the socket. The store is told that the
 * file is whole only when everything was checked; before that its write fails and nothing is kept.
 */
export async function exportFile(
	{ client, context }: Call,
	range: Range,
	window: Window,
	fileName: string,
	options: FileOptions,
): Promise<INodeExecutionData> {
	const query = queryOf(window, range.searchTerm);
	const { binary, counts } = await transfer(
		client,
		'exportAuditLog',
		async () => await openExport(client, query),
		async (reader) => {
			const fresh = newCounts();
			const bytes = steps(reader, options, fresh);
			const stream = toReadable(reader.answer.body, bytes, () => reader.stop());
			const stored = await context.helpers.prepareBinaryData(
				stream as Parameters<typeof context.helpers.prepareBinaryData>[0],
				fileName,
				typeOf(options),
			);
			return { binary: stored, counts: fresh };
		},
	);
	return {
		json: {
			fileName,
			...shownRange(range, window),
			rows: counts.rows,
			bytes: counts.bytes,
			sha256: counts.sha256,
			...(options.dropDuplicates ? { duplicatesDropped: counts.repeats } : {}),
			complete: isComplete(window, range.now),
		},
		binary: { [options.binaryPropertyName]: binary },
	};
}

/** The query of a window, both ends counted in. */
export function queryOf(window: Window, searchTerm: string | undefined): IDataObject {
	return {
		startTime: formatTime(window.start),
		endTime: formatTime(lastMoment(window)),
		searchTerm,
	};
}

/** The range as it was sent. */
export function shownRange(range: Range, window: Window): IDataObject {
	const { startTime, endTime, searchTerm } = queryOf(window, range.searchTerm);
	return { start: startTime, end: endTime, ...(searchTerm ? { searchTerm } : {}) };
}

function steps(source: Bytes, options: FileOptions, counts: Counts): Bytes {
	const { format, compress, dropDuplicates, neutralizeFormulas } = options;
	const change = neutralizeFormulas ? neutralizeFormula : undefined;
	let bytes: Bytes;
	if (format === 'csv' && !change) {
		bytes = checkedRows(source, counts, dropDuplicates);
	} else {
		const batches = parsedRows(source, counts, dropDuplicates);
		bytes = format === 'csv' ? asCsv(batches, change) : asJsonLines(batches, change);
	}
	return tallied(compress ? gzipped(bytes) : bytes, counts);
}

function typeOf({ format, compress }: FileOptions): string {
	if (compress) return GZIP_TYPE;
	return format === 'csv' ? CSV_TYPE : JSON_LINES_TYPE;
}

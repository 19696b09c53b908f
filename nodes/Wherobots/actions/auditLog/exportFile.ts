import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { neutralizeFormula } from '../../service/formulas';
import { formatTime } from '../../service/time/time';
import { lastMoment, type Window } from '../../service/time/windows';
import {
	asCsv,
	asJsonLines,
	hashed,
	parsedRows,
	unparsedRows,
	type Bytes,
	type ExportTable,
	type FileTally,
	type RowTally,
	type Step,
} from '../../transport/auditExport/exportSteps';
import { readExport } from '../../transport/auditExport/readExport';
import { gzipped } from '../../transport/download/gzip';
import { toReadable } from '../../transport/download/readable';
import type { Call } from '../operation';
import { incompleteReason, serviceTime, type Range } from './exportRange';

export interface FileOptions {
	format: 'csv' | 'jsonLines';
	compress: boolean;
	removeDuplicates: boolean;
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
	const { binary, tally, askedAt } = await readExport(client, query, async (table, reader) => {
		const askedAt = serviceTime(client);
		const file = steps(table, options);
		const stream = toReadable(reader.response.body, file.output, () => reader.stop());
		const stored = await context.helpers.prepareBinaryData(
			stream as Parameters<typeof context.helpers.prepareBinaryData>[0],
			fileName,
			typeOf(options),
		);
		return { binary: stored, tally: file.tally(), askedAt };
	});
	const reason = incompleteReason(window, askedAt);
	return {
		json: {
			fileName,
			...shownRange(range, window),
			rows: tally.rows,
			bytes: tally.bytes,
			sha256: tally.sha256,
			...(options.removeDuplicates ? { duplicatesRemoved: tally.repeats } : {}),
			complete: reason === undefined,
			...(reason ? { incompleteReason: reason } : {}),
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
export function shownRange(
	{ searchTerm }: Range,
	window: Window,
): { start: string; end: string; searchTerm?: string } {
	return {
		start: formatTime(window.start),
		end: formatTime(lastMoment(window)),
		...(searchTerm ? { searchTerm } : {}),
	};
}

function steps(
	table: ExportTable,
	{ format, compress, removeDuplicates, neutralizeFormulas }: FileOptions,
): Step<Uint8Array, RowTally & FileTally> {
	const change = neutralizeFormulas ? neutralizeFormula : undefined;
	let rows: Step<unknown, RowTally>;
	let bytes: Bytes;
	if (format === 'csv' && !change) {
		const unparsed = unparsedRows(table, removeDuplicates);
		[rows, bytes] = [unparsed, unparsed.output];
	} else {
		const parsed = parsedRows(table, removeDuplicates);
		const write = format === 'csv' ? asCsv : asJsonLines;
		[rows, bytes] = [parsed, write(table, parsed.output, change)];
	}
	const file = hashed(compress ? gzipped(bytes) : bytes);
	return { output: file.output, tally: () => ({ ...rows.tally(), ...file.tally() }) };
}

function typeOf({ format, compress }: FileOptions): string {
	if (compress) return GZIP_TYPE;
	return format === 'csv' ? CSV_TYPE : JSON_LINES_TYPE;
}

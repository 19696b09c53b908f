import type { INodeExecutionData } from 'n8n-workflow';

import { neutralizeFormula } from '../../service/formulas';
import type { Window } from '../../service/time/windows';
import {
	asCsv,
	asJsonLines,
	parsedRows,
	unparsedRows,
	type Step,
} from '../../transport/auditExport/exportSteps';
import { readExport, type ExportTable } from '../../transport/auditExport/readExport';
import { gzipped } from '../../transport/download/gzip';
import type { Call } from '../operation';
import { storeDownload } from '../storeDownload';
import { incompleteReason, queryOf, serviceTime, shownRange, type Range } from './exportRange';

export interface FileOptions {
	format: 'csv' | 'jsonLines';
	compress: boolean;
	removeDuplicates: boolean;
	neutralizeFormulas: boolean;
	binaryPropertyName: string;
}

/** The extension of the files, with its periods. */
export function extensionOf({ format, compress }: FileOptions): string {
	return `${format === 'csv' ? '.csv' : '.jsonl'}${compress ? '.gz' : ''}`;
}

/** Streams the export of one window into n8n's binary store. The file is complete or not stored. */
export async function exportFile(
	{ client, context }: Call,
	range: Range,
	window: Window,
	fileName: string,
	options: FileOptions,
): Promise<INodeExecutionData> {
	const query = queryOf(range, window);
	const { binary, tally, askedAt } = await readExport(client, query, async (table, reader) => {
		const askedAt = serviceTime(client);
		const { output, tally } = steps(table, options);
		const stored = await storeDownload(context, reader, output, fileName, typeOf(options));
		return { binary: stored.binary, tally: { ...tally, ...stored.tally }, askedAt };
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

function steps(
	table: ExportTable,
	{ format, compress, removeDuplicates, neutralizeFormulas }: FileOptions,
): Step<Uint8Array> {
	const change = neutralizeFormulas ? neutralizeFormula : undefined;
	const write = format === 'csv' ? asCsv : asJsonLines;
	let rows: Step<Uint8Array>;
	if (format === 'csv' && !change) {
		rows = unparsedRows(table, removeDuplicates);
	} else {
		const { output, tally } = parsedRows(table, removeDuplicates);
		rows = { output: write(table, output, change), tally };
	}
	return compress ? { ...rows, output: gzipped(rows.output) } : rows;
}

function typeOf({ format, compress }: FileOptions): string {
	if (compress) return 'application/gzip';
	return format === 'csv' ? 'text/csv' : 'application/x-ndjson';
}

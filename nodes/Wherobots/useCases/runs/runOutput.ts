/** What the program of a run returns as data, which it prints to its log (service/runs/runOutput.ts). */
import type { IDataObject } from 'n8n-workflow';

import { parsePrintedJson } from '../../service/json';
import type { JobRun } from '../../service/records/jobRun';
import type { Client } from '../../transport/client';
import { type Result, settle } from '../../transport/failure';
import { redactSignatures } from '../../transport/secrets';
import { truncate } from '../../transport/text';
import { fetchLog, type LogResult } from './logs';

/** Limits of what is read for an output; tests lower them. */
export const OUTPUT_LIMITS = {
	/** Pages of the log: a million lines. */
	pages: 1_000,
	/** Of the output itself. */
	bytes: 65_536,
};

/** How much of an output that is not JSON is shown. */
const MAX_SHOWN = 200;

/** As fields of an item: null without an output, and why if the program may have one. */
export type OutputFields = { output: IDataObject[string]; outputProblem?: string };

/**
 * The output of a run, or so far while it is active. Its log is read to the end: the last output counts.
 * A log that cannot be read is no error.
 *
 * @param quietMs as for `fetchLog`
 */
export async function fetchOutput(
	client: Client,
	run: JobRun,
	quietMs: number,
): Promise<OutputFields> {
	const selection = { which: 'last' as const, count: 1 };
	const options = { selection, quietMs, known: run, maxPages: OUTPUT_LIMITS.pages };
	return toOutputFields(client, await settle(fetchLog(client, run.id, options)));
}

/** The output in a log that was read. */
export function toOutputFields(client: Client, log: Result<LogResult>): OutputFields {
	if (!log.ok) return toProblem(`The log could not be read: ${(log.error as Error).message}`);
	const { output, isCut } = log.value;
	if (isCut) {
		return toProblem(
			`The log was not read to its end: it has more than ${OUTPUT_LIMITS.pages} pages of 1,000 lines. Have the program print fewer lines.`,
		);
	}
	if (output === undefined) return { output: null };
	if (Buffer.byteLength(output) > OUTPUT_LIMITS.bytes) {
		return toProblem(
			'It is longer than 64 kB. Store the data in a file, and print the path of the file.',
		);
	}
	try {
		return { output: client.withoutSecrets(parsePrintedJson(output)) as OutputFields['output'] };
	} catch {
		const shown = truncate(redactSignatures(output), MAX_SHOWN) || 'nothing';
		return toProblem(
			`What follows N8N_OUTPUT is not JSON on a single line, as json.dumps writes it: ${shown}`,
		);
	}
}

const toProblem = (outputProblem: string): OutputFields => ({ output: null, outputProblem });

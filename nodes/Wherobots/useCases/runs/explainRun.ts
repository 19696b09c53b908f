import type { IDataObject } from 'n8n-workflow';

import { parseLeadingJson, parsePrintedJson } from '../../service/json';
import { explainFailure, type FailedRun } from '../../service/runs/failedRun';
import { toShownLines, removePlatformLines } from '../../service/runs/logLines';
import type { JobRun } from '../../service/records/jobRun';
import type { TaskRun } from '../../service/records/taskRun';
import type { Client } from '../../transport/client';
import { type Result, settle } from '../../transport/failure';
import { redactSignatures } from '../../transport/secrets';
import { truncate } from '../../transport/text';
import { fetchTaskLog } from './taskRuns';
import { MAX_TELLING_LINES, fetchLog, type LogResult } from './logs';

/** Why a run did not complete. */
export interface RunExplanation {
	/** The exception that ended it, by its log; otherwise in the service's words. Empty if neither says. */
	cause: string;
	/** File and line in the program's own code. */
	location?: string;
	/** What its log says about it: the traceback of the program, or the last lines. */
	excerpt: string;
	/** True when the excerpt is only the last lines. */
	isTail: boolean;
	returnCode?: number;
	/** Why the log could not be read. */
	logProblem?: string;
	/** What its program returned as data, if that is wanted, or why that cannot be used. */
	output?: { output: IDataObject[string]; outputProblem?: string };
}

export interface ExplainOptions {
	/** How many of the last lines to show where the log names no cause; it is not looked for if it is 0. */
	lines: number;
	/** As for `fetchLog`. */
	quietMs: number;
	/** Maximum length of the excerpt, in characters. */
	maxLength?: number;
	/** Whether to look for an output, also of a run that completed or is active. */
	includeOutput: boolean;
}

/** Limits of an output, and of the pages to read for nothing else; tests lower them. */
export const OUTPUT_LIMITS = { bytes: 65_536, pages: 1_000 };

/** Maximum length of a line. */
const MAX_LINE = 1_000;

/** What the log of a job run says, if anything is wanted. A log that cannot be read is no error. */
export async function explainRun(
	client: Client,
	run: JobRun,
	{ lines: count, quietMs, maxLength, includeOutput }: ExplainOptions,
): Promise<RunExplanation> {
	const { message } = run;
	const isExplained = count > 0;
	if (!isExplained && !includeOutput) return toUnexplained(message);
	const selection = { which: 'last' as const, count: Math.max(count, 1) };
	const maxPages = isExplained ? Infinity : OUTPUT_LIMITS.pages;
	const options = { selection, quietMs, known: run, maxPages, onlyProgram: isExplained };
	const log = await settle(fetchLog(client, run.id, options));
	const output = includeOutput ? toOutput(client, log) : undefined;
	if (log.ok && isExplained) {
		return { ...client.withoutSecrets(explain(log.value, message, count, maxLength)), output };
	}
	return { ...toUnexplained(message, log.ok ? undefined : log.error), output };
}

/** The last output in a log. */
function toOutput(client: Client, log: Result<LogResult>): RunExplanation['output'] {
	const toProblem = (outputProblem: string) => ({ output: null, outputProblem });
	if (!log.ok) return toProblem(`The log could not be read: ${(log.error as Error).message}`);
	const { run, complete } = log.value;
	const output = client.withoutSecrets(log.value.output);
	if (run.isOver && !complete)
		return toProblem('The log has over a million lines and was not read to its end.');
	if (output === undefined) return { output: null };
	if (Buffer.byteLength(output) > OUTPUT_LIMITS.bytes)
		return toProblem('It is longer than 64 kB. Store the data in a file, and print its path.');
	const value = parseLeadingJson(output, parsePrintedJson) as IDataObject | undefined;
	if (value !== undefined) return { output: value };
	const shown = truncate(redactSignatures(output), 200) || 'nothing';
	return toProblem(`What follows N8N_OUTPUT is not JSON on a single line: ${shown}`);
}

/** Explains why a task run failed; the service's own message can hold the traceback, too. */
export async function explainTaskRun(client: Client, run: TaskRun): Promise<RunExplanation> {
	const { id, message, status } = run;
	if (status !== 'FAILED') return toUnexplained(message);
	const selection = { which: 'last' as const, count: MAX_TELLING_LINES };
	const log = await settle(fetchTaskLog(client, id, selection));
	if (!log.ok) return toUnexplained(message, log.error);
	const lines = log.value.map((line) => ({ timestamp: '', raw: line.message ?? '' }));
	const failure = explainFailure([message, ...lines.map(({ raw }) => raw)]);
	return client.withoutSecrets(explain({ lines, failure }, message));
}

const toUnexplained = (cause: string, error?: unknown): RunExplanation => ({
	...{ cause, excerpt: '', isTail: true },
	...(error ? { logProblem: (error as Error).message } : {}),
});

/**
 * Why a run did not complete, by its log.
 *
 * @param message what the service says about it
 * @param count how many of the last lines to show where the log names no cause
 * @param maxLength maximum length of the excerpt, in characters
 */
export function explain(
	log: Pick<LogResult, 'lines' | 'failure'>,
	message: string,
	count = 20,
	maxLength = 20_000,
): RunExplanation {
	const { excerpt = [], ...found }: Partial<FailedRun> = log.failure ?? {};
	const isTail = excerpt.length === 0;
	const tail = () => removePlatformLines(toShownLines(log.lines)).map(({ raw }) => raw);
	const shown = isTail ? tail().slice(-count) : excerpt;
	const longest = Math.min(MAX_LINE, Math.floor(maxLength / shown.length));
	const lines = shown.map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line));
	return {
		...found,
		cause: redactSignatures(found.cause ?? (message || describeEnd(found.returnCode))),
		excerpt: redactSignatures(lines.join('\n')),
		isTail,
	};
}

const describeEnd = (returnCode = 0) =>
	returnCode === 0 ? '' : `The program ended with return code ${returnCode}`;

/** An explanation as fields of an item. */
export function toExplanationFields(explanation: RunExplanation) {
	const { cause, location = null, excerpt, returnCode = null, logProblem, output } = explanation;
	return { cause, location, excerpt, returnCode, ...(logProblem ? { logProblem } : {}), ...output };
}

/** And as facts of an error, without what is not known. */
export function toExplanationFacts(explanation: RunExplanation) {
	const { cause, location, excerpt, returnCode, output } = explanation;
	return {
		...(cause ? { cause } : {}),
		...(location ? { location } : {}),
		...(excerpt ? { excerpt } : {}),
		...(returnCode === undefined ? {} : { returnCode }),
		...output,
	};
}

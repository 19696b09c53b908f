import type { FailedRun } from '../../service/jobRuns/failedRun';
import { shownLines, withoutPlatformLines } from '../../service/jobRuns/logLines';
import { messageOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { withoutSignatures } from '../failures/redact';
import { toResult } from '../toResult';
import { readLog, type LogResult } from './logReading';

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
}

interface Options {
	/** How many of the last lines to show where the log names no cause; none are read if it is 0. */
	lines: number;
	/** As for `readLog`. */
	quietMs: number;
	/** Maximum length of the excerpt, in characters. */
	maxLength: number;
}

/** Maximum length of a line. */
const MAX_LINE = 1_000;

/** Reads the log of a run that did not complete. A log that cannot be read is no error. */
export async function explainRun(
	client: Client,
	run: Run,
	{ lines: count, quietMs, maxLength }: Options,
): Promise<RunExplanation> {
	if (count === 0) return { cause: messageOf(run), excerpt: '', isTail: true };
	const selection = { which: 'last' as const, count };
	const options = { selection, quietMs, ended: run, onlyProgram: true };
	const log = await toResult(readLog(client, run.id, options));
	if (log.ok) return explain(log.value, count, maxLength);
	const logProblem = (log.error as Error).message;
	return { cause: messageOf(run), excerpt: '', isTail: true, logProblem };
}

/**
 * Why a run did not complete, by its log.
 *
 * @param count how many of the last lines to show where the log names no cause
 * @param maxLength maximum length of the excerpt, in characters
 */
export function explain(log: LogResult, count: number, maxLength: number): RunExplanation {
	const { excerpt = [], ...found }: Partial<FailedRun> = log.failure ?? {};
	const isTail = excerpt.length === 0;
	const tail = () => withoutPlatformLines(shownLines(log.lines)).map(({ raw }) => raw);
	const shown = isTail ? tail().slice(-count) : excerpt;
	const longest = Math.min(MAX_LINE, Math.floor(maxLength / shown.length));
	const lines = shown.map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line));
	const cause = found.cause ?? (messageOf(log.run) || endOf(found.returnCode));
	return {
		...found,
		cause: withoutSignatures(cause),
		excerpt: withoutSignatures(lines.join('\n')),
		isTail,
	};
}

const endOf = (returnCode = 0) =>
	returnCode === 0 ? '' : `The program ended with return code ${returnCode}`;

/** The same as fields of an item. */
export function explanationFields(explanation: RunExplanation) {
	const { cause, location = null, excerpt, returnCode = null, logProblem } = explanation;
	return { cause, location, excerpt, returnCode, ...(logProblem ? { logProblem } : {}) };
}

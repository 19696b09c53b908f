import type { INodeExecutionData } from 'n8n-workflow';

import { withFacts } from '../../parameters/items';
import { shape } from '../../parameters/shape';
import { messageOf, outcomeOf, simplifyRun, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { amend } from '../../transport/failures/errors';
import { withoutSignatures } from '../../transport/failures/redact';
import { readLog } from '../../transport/jobRuns/logReading';
import { costFields } from '../../transport/jobRuns/runCosts';
import { toResult } from '../../transport/toResult';
import type { Call } from '../operations/operation';
import type { WaitOptions } from './waitOptions';

type Reading = Pick<Call, 'input' | 'client'>;

/** The fields of a run that people need, with durations up to now. */
export function simplify(run: Run, { client }: Reading) {
	return simplifyRun(run, client.serviceNow());
}

/** The output item of a run, simplified or raw as the form says. */
export function runItem(call: Reading, run: Run): INodeExecutionData {
	return shape(call.input, [run], (each) => simplify(each, call))[0];
}

/** A failed run's log is read until no line has arrived for this long: its last lines say why. */
const QUIET_MS = 6_000;

/** Maximum length of a run's message in the title of an error, and below it. */
const MAX_SUMMARY = 300;
const MAX_REASON = 2_000;
/** Maximum length of a log line in an error, and of all lines together. */
const MAX_LINE = 1_000;
const MAX_LINES = 20_000;

/** How the service begins a message with the status, which the title already gives. */
const SAYS_ENDED = /^(the )?(job|run|job run) (has )?(failed|was cancelled|timed out)(:\s*|\.?$)/i;

/** The output for a run that has ended, or the error of one that did not complete. */
export async function ended(
	call: Call,
	run: Run,
	options: WaitOptions,
): Promise<INodeExecutionData[]> {
	const { client } = call;
	const { costLimit } = options;
	const outcome = outcomeOf(run);
	const cost = {
		...costLimit?.facts(),
		...(options.includeCost ? (await costFields(client, [run])).get(run) : undefined),
	};
	if (outcome === 'COMPLETED' || options.onFailure === 'return') {
		return [withFacts(runItem(call, run), cost)];
	}

	const verb = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' };
	const reason = messageOf(run);
	const overLimit = costLimit?.passed;
	const isStopped = overLimit && (outcome ?? 'CANCELLED') === 'CANCELLED';
	const cause = isStopped ? 'it cost more than its limit' : reason.replace(SAYS_ENDED, '');
	const short = cause.split('\n', 1)[0].slice(0, MAX_SUMMARY);
	const log = await lastLines(client, run, options.logLines);
	const error = client.error({
		message: `Job run "${run.name}" ${verb[outcome ?? 'CANCELLED']}${short ? `: ${short}` : ''}`,
		description: [
			`Run ID: ${run.id}`,
			...(overLimit ? [costLimit.explain(overLimit)] : []),
			...(short === cause ? [] : [cause.slice(0, MAX_REASON)]),
		].join('\n'),
		facts: {
			runId: run.id,
			runName: run.name,
			status: run.status,
			outcome,
			...(reason ? { cause: reason } : {}),
			logLines: log.lines,
			...sparkUiOf(run),
			...cost,
		},
	});
	// A description is cut at its end, where a log says why, so the log has its own limit.
	amend(error, { after: withoutSignatures(log.says.join('\n')) });
	throw error;
}

interface LastLines {
	lines: string[];
	/** The lines as an error shows them, under a heading, or why there are none. */
	says: string[];
}

async function lastLines(client: Client, run: Run, count: number): Promise<LastLines> {
	if (count === 0) return { lines: [], says: [] };
	const read = await toResult(
		readLog(client, run.id, { selection: { which: 'last', count }, quietMs: QUIET_MS }),
	);
	if (!read.ok) {
		return { lines: [], says: [`The log could not be read: ${(read.error as Error).message}`] };
	}
	const raws = read.value.lines.map(({ raw }) => String(raw ?? ''));
	const longest = Math.min(MAX_LINE, Math.floor(MAX_LINES / raws.length));
	const lines = raws.map((raw) => (raw.length > longest ? `${raw.slice(0, longest)}…` : raw));
	return { lines, says: lines.length > 0 ? ['Last log lines:', ...lines] : ['The log is empty.'] };
}

import { NodeApiError, type INodeExecutionData } from 'n8n-workflow';

import { isTerminal, messageOf, outcomeOf } from '../../service/runs';
import type { Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { addFact } from '../../transport/errors';
import type { Call } from '../operation';
import { pollUntil, type PollOptions } from '../../transport/polling';
import { readLog } from '../../transport/jobRuns/logReading';
import { runItem } from './output';
import { readRun } from '../../transport/jobRuns/readRun';
import type { WaitOptions } from './waitOptions';

/** A failed run's log is read until it has been quiet for this long: its last lines say why. */
const QUIET_MS = 6_000;

/** Most characters of a run's message in the title of an error, and below it. */
const MAX_SUMMARY = 300;
const MAX_REASON = 2_000;
/** Most characters of a log line in an error, and of all lines together. */
const MAX_LINE = 1_000;
const MAX_LINES = 20_000;

/**
 * Waits until a run has ended: a look at once, then at growing intervals. An outage of the service
 * does not end the wait; its deadline does.
 *
 * @throws NodeApiError when the run is still going at the deadline, or cannot be read
 * @throws CancelledError when the execution is cancelled, after cancelling the run where that is wanted
 */
export async function waitForEnd(
	client: Client,
	runId: string,
	options: Pick<WaitOptions, 'maxWaitMs' | 'maxIntervalMs' | 'cancelOnStop'>,
): Promise<Run> {
	try {
		return await pollUntilEnded(client, runId, options);
	} finally {
		if (client.executionSignal?.aborted && options.cancelOnStop) await cancelQuietly(client, runId);
	}
}

async function pollUntilEnded(client: Client, runId: string, options: PollOptions): Promise<Run> {
	const polled = await pollUntil(
		client,
		async () => await readRun(client, runId),
		(run) => isTerminal(run.status),
		options,
	).catch(async (error: unknown) => {
		// The run goes on: whoever reads this has to find it again.
		if (error instanceof NodeApiError) addFact(error, `The job run ${runId} was being waited for.`);
		return await Promise.reject(error as Error);
	});
	if (polled.done) return polled.value;
	const { last } = polled;
	const seen = last instanceof Error ? last.message : `Its status is ${last.status}.`;
	throw stillGoing(client, runId, options.maxWaitMs, seen);
}

/** The output for a run that has ended, or the error of one that did not complete. */
export async function ended(
	{ client, input }: Call,
	run: Run,
	options: WaitOptions,
): Promise<INodeExecutionData[]> {
	const outcome = outcomeOf(run);
	if (outcome === 'COMPLETED' || options.onFailure === 'return') return [runItem(input, run)];

	const verb = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' };
	const reason = messageOf(run);
	const [summary] = reason.split('\n', 1);
	const short = summary.slice(0, MAX_SUMMARY);
	throw client.error({
		message: `Job run "${run.name}" ${verb[outcome ?? 'FAILED']}${short ? `: ${short}` : ''}`,
		description: [
			`Run ID: ${run.id}`,
			...(short === reason ? [] : [reason.slice(0, MAX_REASON)]),
			...(await lastLines(client, run, options.logLines)),
		].join('\n'),
		codes: [run.status],
	});
}

async function lastLines(client: Client, run: Run, count: number): Promise<string[]> {
	if (count === 0) return [];
	const log = await readLog(client, run.id, {
		selection: { which: 'last', count },
		quietMs: QUIET_MS,
	}).catch((error: Error) => error);
	if (log instanceof Error) return [`Its log could not be read: ${log.message}`];
	if (log.lines.length === 0) return ['Its log is empty.'];
	return ['Last log lines:', ...lastOf(log.lines.map((line) => String(line.raw)))];
}

/** As many of the last lines as fit into an error, the longest of them cut. */
function lastOf(lines: string[]): string[] {
	const short = lines.map((line) =>
		line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line,
	);
	let begin = short.length;
	for (let room = MAX_LINES; begin > 0; begin--) {
		room -= short[begin - 1].length;
		if (room < 0) break;
	}
	return short.slice(begin);
}

function stillGoing(client: Client, runId: string, maxWaitMs: number, last: string): Error {
	return client.error({
		message: `The job run did not end within ${Math.round(maxWaitMs / 60_000)} minutes`,
		description: [
			`${last} It was not cancelled. Run ID: ${runId}`,
			"Raise 'Max Wait (Minutes)', or pick the run up later with the operation Wait for Completion or with the Wherobots Trigger.",
		].join('\n'),
		codes: [],
	});
}

/** Cancels a run nobody waits for any more; that it may have ended meanwhile is fine. */
export async function cancelQuietly(client: Client, runId: string): Promise<void> {
	await client
		.call('cancelRun', { path: { run_id: runId }, evenWhenCancelled: true })
		.catch(() => undefined);
}

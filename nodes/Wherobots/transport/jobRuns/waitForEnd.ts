import { NodeApiError } from 'n8n-workflow';

import { isTerminal, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { amend, factsOf, hasStatus, mayPass } from '../failures/errors';
import type { ErrorFacts } from '../failures/facts';
import type { Failure } from '../failures/failure';
import { pollUntil, type PollOptions } from '../polling';
import { readRun } from './readRun';

/** As long as this after its submission, a run may not be found yet where it is read. */
const MAX_LAG_MS = 120_000;

type RunFacts = ErrorFacts & { runId: string };

export interface WaitForEndOptions extends PollOptions {
	/** Cancel the run in the service when the execution is stopped. */
	cancelOnStop: boolean;
	/** The run as its submission returned it, just now: "not found" means "not yet". */
	submitted?: Run;
	/** Is given the run when its status is first known, and each time that it has changed. */
	onStatus?: (run: Run) => void;
}

/**
 * Waits until a run has ended: checks its status at once, then at growing intervals. An outage of
 * the service does not end the wait; its deadline does.
 *
 * @throws NodeApiError when the run has not ended by the deadline, or cannot be read
 * @throws CancelledError when the execution is cancelled, after cancelling the run where that is wanted
 */
export async function waitForEnd(
	client: Client,
	runId: string,
	options: WaitForEndOptions,
): Promise<Run> {
	try {
		return await pollUntilEnded(client, runId, options);
	} finally {
		if (client.executionSignal?.aborted && options.cancelOnStop) await cancelQuietly(client, runId);
	}
}

async function pollUntilEnded(
	client: Client,
	runId: string,
	options: WaitForEndOptions,
): Promise<Run> {
	const startedAt = clock.monotonic();
	const isLag = (error: unknown) =>
		options.submitted !== undefined &&
		hasStatus(error, 404) &&
		clock.monotonic() - startedAt < MAX_LAG_MS;
	let seen = options.submitted;
	let told: Run['status'] | undefined;
	const polled = await pollUntil(
		client,
		async () => {
			seen = await readRun(client, runId);
			if (seen.status !== told) options.onStatus?.(seen);
			told = seen.status;
			return seen;
		},
		(run) => isTerminal(run.status),
		{ ...options, continueAfter: (error) => mayPass(error) || isLag(error) },
	).catch((error: unknown) => {
		// The run goes on: whoever reads this has to find it again.
		if (error instanceof NodeApiError) {
			const name = seen ? ` (${seen.name})` : '';
			amend(error, {
				before: `The node was waiting for job run ${runId}${name}.`,
				facts: factsOfRun(runId, seen),
			});
		}
		throw error;
	});
	if (polled.done) return polled.value;
	throw stillGoing(client, factsOfRun(runId, seen), options.maxWaitMs, polled.last);
}

/** What is known of a run that is waited for. @param seen the run as the service last sent it */
function factsOfRun(runId: string, seen: Run | undefined): RunFacts {
	return {
		runId,
		...(seen ? { runName: seen.name, status: seen.status, ...sparkUiOf(seen) } : {}),
	};
}

/** @param last what the last status check gave */
function stillGoing(
	client: Client,
	run: RunFacts,
	maxWaitMs: number,
	last: Run | Error,
): NodeApiError {
	const state = last instanceof Error ? last.message : `Its status is ${last.status}.`;
	return client.error({
		message: `The job run did not end within ${Math.round(maxWaitMs / 60_000)} minutes`,
		description: [
			`${state} It was not cancelled. Run ID: ${run.runId}`,
			"Raise 'Max Wait (Minutes)', or pick up the run later with Job Run: Wait for Completion or the Wherobots Trigger.",
		].join('\n'),
		codes: [],
		...lastResponse(last),
		facts: run,
	});
}

/** The response to a status check that failed, as far as an error tells of it. */
function lastResponse(last: Run | Error): Pick<Failure, 'httpCode' | 'requestId' | 'passing'> {
	if (!(last instanceof NodeApiError)) return {};
	const { requestId } = factsOf(last);
	return { httpCode: last.httpCode ?? undefined, requestId, passing: mayPass(last) };
}

/** Cancels a run nobody waits for any more; that it may have ended meanwhile is fine. */
export async function cancelQuietly(client: Client, runId: string): Promise<void> {
	await client
		.evenWhenCancelled()
		.call('cancelRun', { path: { run_id: runId } })
		.catch(() => undefined);
}

import { NodeApiError } from 'n8n-workflow';

import { isTerminal } from '../../service/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { addFact, addFacts, hasStatus, mayPass } from '../errors';
import { pollUntil, type PollOptions } from '../polling';
import { readRun } from './readRun';

/** As long as this after its submission, a run may not be found yet where it is read. */
const MAX_LAG_MS = 120_000;

export interface WaitForEndOptions extends PollOptions {
	/** Cancel the run in the service when the execution is stopped. */
	cancelOnStop: boolean;
	/** The run was submitted just now, so that "not found" means "not yet". */
	isNew?: boolean;
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
		options.isNew === true && hasStatus(error, 404) && clock.monotonic() - startedAt < MAX_LAG_MS;
	const polled = await pollUntil(
		client,
		async () => await readRun(client, runId),
		(run) => isTerminal(run.status),
		{ ...options, goesOnAfter: (error) => mayPass(error) || isLag(error) },
	).catch((error: unknown) => {
		// The run goes on: whoever reads this has to find it again.
		if (error instanceof NodeApiError) {
			addFact(error, `The job run ${runId} was being waited for.`);
			addFacts(error, { runId });
		}
		throw error;
	});
	if (polled.done) return polled.value;
	throw stillGoing(client, runId, options.maxWaitMs, polled.last);
}

function stillGoing(
	client: Client,
	runId: string,
	maxWaitMs: number,
	last: Run | Error,
): NodeApiError {
	const isKnown = !(last instanceof Error);
	const seen = isKnown ? `Its status is ${last.status}.` : last.message;
	return client.error({
		message: `The job run did not end within ${Math.round(maxWaitMs / 60_000)} minutes`,
		description: [
			`${seen} It was not cancelled. Run ID: ${runId}`,
			"Raise 'Max Wait (Minutes)', or pick the run up later with the operation Wait for Completion or with the Wherobots Trigger.",
		].join('\n'),
		codes: [],
		facts: { runId, ...(isKnown ? { runName: last.name, status: last.status } : {}) },
	});
}

/** Cancels a run nobody waits for any more; that it may have ended meanwhile is fine. */
export async function cancelQuietly(client: Client, runId: string): Promise<void> {
	await client
		.call('cancelRun', { path: { run_id: runId }, evenWhenCancelled: true })
		.catch(() => undefined);
}

import { isTerminal, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { pollUntil } from '../polling';
import type { CostLimit } from './costLimit';
import * as runs from './waitForRun';
import { readRun } from './readRun';

const JOB_RUN: runs.RunKind<Run> = {
	noun: 'job run',
	idLabel: 'Run ID',
	later: 'Job Run: Wait for Completion or the Wherobots Trigger',
	cancelEndpoint: 'cancelRun',
	pathOf: (id) => ({ run_id: id }),
	read: readRun,
	isOver: ({ status }) => isTerminal(status),
	statusName: 'status',
	nameOf: ({ name }) => name,
	factsOf: (runId, run) => ({
		runId,
		...(run ? { runName: run.name, status: run.status, ...sparkUiOf(run) } : {}),
	}),
};

/** Longest wait for a run to stop that was cancelled for its cost: it takes about a minute. */
const MAX_CANCEL_MS = 300_000;

export interface WaitForEndOptions extends runs.WaitOptions<Run> {
	/** Cancel the run when it costs more than this. */
	costLimit?: CostLimit;
}

/**
 * Waits until a job run has ended, as `waitForRun` does. A run that was cancelled for its cost is
 * returned as it is when it has not ended within five minutes.
 */
export async function waitForEnd(
	client: Client,
	runId: string,
	options: WaitForEndOptions,
): Promise<Run> {
	const { costLimit: limit } = options;
	if (!limit) return await runs.waitForRun(client, JOB_RUN, runId, options);
	const watched: runs.RunKind<Run> = {
		...JOB_RUN,
		read: async (reader, id) => await limit.watch(reader, await readRun(reader, id)),
		isOver: (run) => JOB_RUN.isOver(run) || limit.passed !== undefined,
	};
	const run = await runs.waitForRun(client, watched, runId, options);
	if (JOB_RUN.isOver(run)) return run;
	const stopped = await pollUntil(client, () => readRun(client, runId), JOB_RUN.isOver, {
		maxWaitMs: MAX_CANCEL_MS,
		maxIntervalMs: options.maxIntervalMs,
	});
	return stopped.done ? stopped.value : run;
}

/** Cancels a job run nobody waits for any more; that it may have ended meanwhile is fine. */
export async function cancelQuietly(client: Client, runId: string): Promise<void> {
	await runs.cancelQuietly(client, JOB_RUN, runId);
}

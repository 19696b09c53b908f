import { isTerminal, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
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

export type WaitForEndOptions = runs.WaitOptions<Run>;

/** Waits until a job run has ended, as `waitForRun` does. */
export async function waitForEnd(
	client: Client,
	runId: string,
	options: WaitForEndOptions,
): Promise<Run> {
	return await runs.waitForRun(client, JOB_RUN, runId, options);
}

/** Cancels a job run nobody waits for any more; that it may have ended meanwhile is fine. */
export async function cancelQuietly(client: Client, runId: string): Promise<void> {
	await runs.cancelQuietly(client, JOB_RUN, runId);
}

import type { IDataObject } from 'n8n-workflow';

import { plainDecimal } from '../service/jobRuns/costs';
import { ACTIVE_STATES, isOver, type TaskLogLine, type TaskRun } from '../service/taskRuns';
import { isRecord } from '../service/types';
import type { Client } from './client';
import { clock } from './clock';
import { SelectedLines, type Selection } from './jobRuns/logReading';
import { waitForRun, type RunKind, type WaitOptions } from './jobRuns/waitForRun';
import { listError, MAX_PAGES, refuseErrors } from './pagination';
import { readRecord, unexpected } from './records';

/** How long the state and the results of a run that has ended may still change, in milliseconds. */
const SETTLE_MS = 60_000;

/**
 * One task run as the service knows it; its state lags by up to two minutes.
 *
 * @throws Failure when the response is not a task run; otherwise as the client does
 */
export async function readTaskRun(client: Client, taskRunId: string): Promise<TaskRun> {
	const path = { taskRunId };
	const run = await readRecord<TaskRun>(client, 'getTaskRun', { path });
	if (typeof run.state === 'string') return run;
	throw unexpected(`It has no state. Task run ID: ${taskRunId}.`, { path });
}

const TASK_RUN: RunKind<TaskRun> = {
	noun: 'task run',
	idLabel: 'Task run ID',
	later: 'Task Run: Wait for Completion',
	cancelEndpoint: 'cancelTaskRun',
	pathOf: (taskRunId) => ({ taskRunId }),
	read: readTaskRun,
	listEndpoint: 'listTaskRuns',
	activeOnly: { state: ACTIVE_STATES },
	isActive: ({ state }) => ACTIVE_STATES.includes(state),
	idOf: ({ taskRunId }) => String(taskRunId),
	isOver,
	statusName: 'state',
	nameOf: ({ name, taskName }) => name ?? String(taskName),
	factsOf: (taskRunId, run) => ({
		taskRunId,
		...(run ? { taskName: run.taskName, state: run.state } : {}),
	}),
};

/**
 * Waits until a task run has ended, as `waitForRun` does, and then up to a minute until its results
 * can be read. One without results by then has none, or the service cannot read them.
 */
export async function waitForTaskRun(
	client: Client,
	taskRunId: string,
	options: WaitOptions<TaskRun>,
): Promise<TaskRun> {
	const deadline = clock.monotonic() + options.maxWaitMs;
	let settledAt: number | undefined;
	const isSettled = (run: TaskRun) => {
		const { state, type, results } = run;
		if (!isOver(run)) {
			settledAt = undefined;
			return false;
		}
		const lacksResults = state === 'SUCCEEDED' && type !== 'scripttask' && !isRecord(results);
		// The meaning of UNKNOWN is not documented: it has to last to count as the end.
		if (!lacksResults && state !== 'UNKNOWN') return true;
		settledAt ??= Math.min(clock.monotonic() + SETTLE_MS, deadline);
		return clock.monotonic() >= settledAt;
	};
	return await waitForRun(client, { ...TASK_RUN, isOver: isSettled }, taskRunId, options);
}

/**
 * What a task run has cost so far, in the same form as for a job run: an exact decimal string, and
 * `settling` or `final`. While it settles, zero means not priced yet.
 *
 * @throws Failure when the response has no cost; otherwise as the client does
 */
export async function readTaskRunCost(client: Client, taskRunId: string): Promise<IDataObject> {
	const path = { taskRunId };
	const entry = await readRecord(client, 'getTaskRunCost', { path });
	const cost = plainDecimal(entry.totalCostUsd);
	if (cost === undefined || typeof entry.isSettling !== 'boolean') {
		throw unexpected('It does not contain the cost of the task run.', { path });
	}
	const { units = null, unitType = null } = entry;
	const costStatus = entry.isSettling ? 'settling' : 'final';
	return { taskRunId, cost, currency: 'USD', units, unitType, costStatus };
}

/**
 * The current log of a task run. Its cursors are times in nanoseconds, kept as text.
 *
 * @throws Failure when a page is invalid, or a cursor is repeated
 */
export async function readTaskLog(
	client: Client,
	taskRunId: string,
	selection: Selection,
): Promise<TaskLogLine[]> {
	const selected = new SelectedLines<TaskLogLine>(selection);
	let since: IDataObject[string];
	const seen = new Set<unknown>();
	for (let count = 0; count < MAX_PAGES; count++) {
		const options = { path: { taskRunId }, query: { since } };
		const page = await readRecord(client, 'getTaskRunLogs', options);
		refuseErrors(client, 'getTaskRunLogs', page);
		const { items, nextSince } = page;
		if (!Array.isArray(items) || !items.every(isRecord)) {
			throw listError('a page arrived without a list of lines');
		}
		selected.add(items as TaskLogLine[]);
		if (selected.full || items.length === 0 || !nextSince) return selected.lines();
		if (seen.has(nextSince)) break;
		seen.add(nextSince);
		since = nextSince;
	}
	throw listError('they did not come to an end');
}

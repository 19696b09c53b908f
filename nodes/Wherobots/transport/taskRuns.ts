import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { plainDecimal } from '../service/jobRuns/costs';
import { canHaveResults, isOver, type TaskLogLine, type TaskRun } from '../service/taskRuns';
import { isRecord } from '../service/types';
import type { Client } from './client';
import { amend } from './failures/errors';
import { minutes } from './failures/plainText';
import { SelectedLines, type Selection } from './jobRuns/logReading';
import { broken, MAX_PAGES } from './pagination';
import { pollUntil } from './polling';
import { readRecord } from './records';
import { waitForRun, type RunKind, type WaitOptions } from './jobRuns/waitForRun';

/** How long to wait for the results of a successful run, in milliseconds. */
const RESULTS_MS = 60_000;

/** Longest interval while waiting for the final cost, which takes up to 45 minutes. */
const COST_INTERVAL_MS = 300_000;

/**
 * One task run as the service knows it; its state lags by up to two minutes.
 *
 * @throws NodeApiError when the response is not a task run; otherwise as the client does
 */
export async function readTaskRun(client: Client, taskRunId: string): Promise<TaskRun> {
	const run = await readRecord<TaskRun>(client, 'getTaskRun', { path: { taskRunId } });
	if (typeof run.state === 'string') return run;
	throw unexpected(client, taskRunId, 'It is not a task run: it has no state.');
}

const TASK_RUN: RunKind<TaskRun> = {
	noun: 'task run',
	idLabel: 'Task run ID',
	later: 'Task Run: Wait for Completion',
	cancelEndpoint: 'cancelTaskRun',
	pathOf: (taskRunId) => ({ taskRunId }),
	read: readTaskRun,
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
	let before: unknown;
	// The meaning of UNKNOWN is not documented: it has to last to count as the end.
	const isOverNow = (run: TaskRun) => {
		const lasts = run.state === before;
		before = run.state;
		return isOver(run) && (lasts || run.state !== 'UNKNOWN');
	};
	const kind = { ...TASK_RUN, isOver: isOverNow };
	const ended = await waitForRun(client, kind, taskRunId, options);
	if (!canHaveResults(ended)) return ended;
	const { maxIntervalMs } = options;
	const read = await pollUntil(
		client,
		async () => await readTaskRun(client, taskRunId),
		({ results }) => isRecord(results),
		{ maxWaitMs: RESULTS_MS, maxIntervalMs },
	).catch((error: unknown) => {
		const note = `Task run ${taskRunId} succeeded, but its results could not be read.`;
		if (error instanceof NodeApiError) {
			amend(error, { before: note, facts: TASK_RUN.factsOf(taskRunId, ended) });
		}
		throw error;
	});
	return read.done ? read.value : ended;
}

/**
 * What a task run has cost, in the same form as for a job run: an exact decimal string, and `settling`
 * or `final`. While it settles, zero means not priced yet.
 *
 * @param waitMs how long to wait until it is final, in milliseconds; 0 for the cost so far
 * @throws NodeApiError when it is not final by then, or the response has none
 */
export async function readTaskRunCost(
	client: Client,
	taskRunId: string,
	waitMs: number,
): Promise<IDataObject> {
	const read = async () => {
		const entry = await readRecord(client, 'getTaskRunCost', { path: { taskRunId } });
		const cost = plainDecimal(entry.totalCostUsd);
		if (cost === undefined || typeof entry.isSettling !== 'boolean') {
			throw unexpected(client, taskRunId, 'It does not contain the cost of the task run.');
		}
		const { units = null, unitType = null } = entry;
		const costStatus = entry.isSettling ? 'settling' : 'final';
		return { taskRunId, cost, currency: 'USD', units, unitType, costStatus };
	};
	if (waitMs === 0) return await read();
	const polled = await pollUntil(client, read, ({ costStatus }) => costStatus === 'final', {
		maxWaitMs: waitMs,
		maxIntervalMs: COST_INTERVAL_MS,
	});
	if (polled.done) return polled.value;
	if (polled.last instanceof Error) throw polled.last;
	throw client.error({
		message: `The cost of the task run was not final within ${minutes(waitMs)}`,
		description: `So far, it is ${polled.last.cost} USD. Wait longer, or get it again later. Task run ID: ${taskRunId}`,
		temporary: true,
		facts: polled.last,
	});
}

/**
 * The current log of a task run. Its cursors are times in nanoseconds, kept as text.
 *
 * @returns `complete` is false while further lines may come
 * @throws NodeApiError when a page is invalid, or a cursor is repeated
 */
export async function readTaskLog(
	client: Client,
	taskRunId: string,
	selection: Selection,
): Promise<{ lines: TaskLogLine[]; complete: boolean }> {
	const selected = new SelectedLines<TaskLogLine>(selection);
	const cursors = new Set<unknown>();
	let since: string | undefined;
	while (cursors.size < MAX_PAGES) {
		const page = await readRecord(client, 'getTaskRunLogs', {
			path: { taskRunId },
			query: { since },
		});
		const { items, nextSince } = page;
		if (!Array.isArray(items) || !items.every(isRecord)) {
			throw broken(client, 'a page arrived without a list of lines');
		}
		selected.add(items as TaskLogLine[]);
		const isLast = typeof nextSince !== 'string' || nextSince === '';
		if (isLast || selected.full || items.length === 0) {
			return { lines: selected.lines(), complete: isLast || selected.full };
		}
		if (cursors.has(nextSince)) break;
		cursors.add((since = nextSince));
	}
	throw broken(client, 'they did not come to an end');
}

function unexpected(client: Client, taskRunId: string, says: string): Error {
	return client.error({
		message: 'Wherobots Cloud returned an unexpected response',
		description: `${says} Check whether a newer version of this package is available. Task run ID: ${taskRunId}`,
		facts: { taskRunId },
	});
}

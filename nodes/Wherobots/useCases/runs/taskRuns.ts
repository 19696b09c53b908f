import type { IDataObject } from 'n8n-workflow';

import { type RunCost, toAmounts } from '../../service/runs/costs';
import { toPlainDecimal } from '../../service/json';
import { taskRuns, TaskRun, findRunPath, type TaskLogLine } from '../../service/records/taskRun';
import { formatTime } from '../../service/time';
import { isRecord } from '../../service/records';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { explainReading, isAmbiguous, settle } from '../../transport/failure';
import { SelectedLines, type Selection } from './logs';
import { waitForRun, type WaitOptions } from './wait';
import {
	fetchList,
	toListFailure,
	fetchRecord,
	fetchEachPage,
	refuseErrors,
	toUnexpectedFailure,
} from '../../transport/records';

/** Where the last deployment runs tasks; forgotten after a failure, as it may have changed. */
let known: { baseUrl: string; path: string } | undefined;

/** Forgets it, as a restart of n8n does. */
export function forgetRunPath(): void {
	known = undefined;
}

/**
 * The path to run tasks at: only the deployment's own description says.
 *
 * @throws Failure when it cannot be read, or does not say
 */
async function fetchRunPath(client: Client): Promise<string> {
	const { baseUrl } = client;
	if (known?.baseUrl === baseUrl) return known.path;
	const note = 'Only the description at /openapi.json says how to run a task.';
	const path = findRunPath(
		await explainReading(fetchRecord(client, 'getDescription'), { before: note }),
	);
	if (path === undefined) {
		throw toUnexpectedFailure('/openapi.json has no request that runs a task.', {});
	}
	known = { baseUrl, path };
	return path;
}

/** The last runs that this process submitted: none of them is the run of a lost submission. */
let own: Array<{ account: string; id: string }> = [];
const MAX_OWN = 1_000;

/**
 * Submits a run of a task. When it is unclear whether the request was handled, the error names the
 * runs of the task that were submitted since by others; none is used, because one that the service
 * recorded with a 503 may never start.
 *
 * @throws Failure, CancelledError as the client does
 */
export async function runTask(
	client: Client,
	taskName: string,
	inputs: IDataObject,
	onSend?: () => void,
): Promise<TaskRun> {
	const { account } = client;
	const at = await fetchRunPath(client);
	const options = {
		...{ at, onSend },
		path: { taskName },
		body: { inputs },
		recoveryHint: `a run of the task "${taskName}" (Task Run: Get Many with this task)`,
	};
	// Times may be truncated to whole seconds.
	const createdAfter = formatTime(1_000 * (Math.floor(client.serviceNow()) - 1_000));
	const sent = await settle(fetchRecord(client, 'runTask', options));
	const run = sent.ok ? new TaskRun(sent.value) : undefined;
	if (run?.id) {
		own = [...own, { account, id: run.id }].slice(-MAX_OWN);
		return run;
	}
	forgetRunPath();
	const error = sent.ok ? toUnexpectedFailure('It has no ID.', options) : sent.error;
	if (!isAmbiguous(error)) throw error;
	const query = { taskName, runSource: 'manual', createdAfter };
	const searching = client.evenWhenCancelled();
	const found = await settle(fetchList(searching, taskRuns, { query, limit: 100 }));
	const isOwn = ({ id }: TaskRun) => own.some((each) => each.account === account && each.id === id);
	const others = found.ok ? found.value.filter((each) => each.id && !isOwn(each)) : [];
	if (others.length === 0) throw error;
	const candidates = others.map(({ id, status, createTime }) => ({
		...{ id, name: taskName, status, createTime },
	}));
	const ids = candidates.map(({ id }) => id).join(', ');
	throw error.withContext({
		after: `Runs of this task created since the request: ${ids}.`,
		facts: { candidates },
	});
}

/** How long the state and the results of a run that has ended may still change, in milliseconds. */
const SETTLE_MS = 60_000;

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
		const { hasAllResults, isOver, status } = run;
		if (!isOver) {
			settledAt = undefined;
			return false;
		}
		const lacksResults = status === 'SUCCEEDED' && !hasAllResults;
		// The meaning of UNKNOWN is not documented: it has to last to count as the end.
		if (!lacksResults && status !== 'UNKNOWN') return true;
		settledAt ??= Math.min(clock.monotonic() + SETTLE_MS, deadline);
		return clock.monotonic() >= settledAt;
	};
	return await waitForRun(client, taskRuns, taskRunId, { ...options, isOver: isSettled });
}

/**
 * What a task run has cost so far, in the same form as for a job run: an exact decimal string, and
 * `settling` or `final`. While it settles, zero means not priced yet. `unitType` says what its units are.
 *
 * @throws Failure when the response has no cost; otherwise as the client does
 */
export async function fetchTaskRunCost(
	client: Client,
	taskRunId: string,
): Promise<IDataObject & RunCost> {
	const path = { taskRunId };
	const entry = await fetchRecord(client, 'getTaskRunCost', { path });
	const { totalCostUsd, units, unitType = null, isSettling } = entry;
	const cost = toPlainDecimal(totalCostUsd);
	if (cost === undefined || typeof isSettling !== 'boolean') {
		throw toUnexpectedFailure('It does not contain the cost of the task run.', { path });
	}
	const costStatus = isSettling ? 'settling' : 'final';
	return { taskRunId, ...toAmounts(cost, units), cost, unitType, costStatus };
}

/**
 * The current log of a task run. Its cursors are times in nanoseconds, kept as text.
 *
 * @throws Failure when a page is invalid, or a cursor is repeated
 */
export async function fetchTaskLog(
	client: Client,
	taskRunId: string,
	selection: Selection,
): Promise<TaskLogLine[]> {
	const selected = new SelectedLines<TaskLogLine>(selection);
	const readPage = async (since?: string) => {
		const options = { path: { taskRunId }, query: { since } };
		const page = await fetchRecord(client, 'getTaskRunLogs', options);
		refuseErrors(client, 'getTaskRunLogs', page);
		const { items, nextSince } = page;
		if (!Array.isArray(items) || !items.every(isRecord)) {
			throw toListFailure('a page arrived without a list of lines');
		}
		const next = items.length > 0 && nextSince ? String(nextSince) : undefined;
		return { items: items as TaskLogLine[], next };
	};
	for await (const { items } of fetchEachPage(readPage)) {
		selected.add(items);
		if (selected.full) break;
	}
	return selected.lines();
}

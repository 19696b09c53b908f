import type { IDataObject } from 'n8n-workflow';

import { runPathOf, type TaskRun } from '../service/taskRuns';
import { formatTime } from '../service/time/time';
import type { Client } from './client';
import { explained, isAmbiguous, settle } from './failure';
import { collect } from './pagination';
import { readRecord, unexpected } from './records';

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
async function readRunPath(client: Client): Promise<string> {
	const { baseUrl } = client;
	if (known?.baseUrl === baseUrl) return known.path;
	const note = 'How a task is run is only in the description at /openapi.json.';
	const path = runPathOf(await explained(readRecord(client, 'getDescription'), { before: note }));
	if (path === undefined) {
		throw unexpected('/openapi.json has no request that runs a task.', {});
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
): Promise<TaskRun> {
	const { account } = client;
	const at = await readRunPath(client);
	const options = {
		at,
		path: { taskName, ...(at.includes('{taskId}') ? await readTaskId(client, taskName) : {}) },
		body: { inputs },
		recoveryHint: `a run of the task "${taskName}" (Task Run: Get Many with this task)`,
		finishOnceSent: true,
	};
	// Times may be truncated to whole seconds.
	const createdAfter = formatTime(1_000 * (Math.floor(client.serviceNow()) - 1_000));
	const sent = await settle(readRecord<TaskRun>(client, 'runTask', options));
	if (sent.ok && typeof sent.value.taskRunId === 'string') {
		own = [...own, { account, id: sent.value.taskRunId }].slice(-MAX_OWN);
		return sent.value;
	}
	forgetRunPath();
	const error = sent.ok ? unexpected('', options) : sent.error;
	if (!isAmbiguous(error)) throw error;
	const query = { taskName, runSource: 'manual', createdAfter };
	const searching = client.evenWhenCancelled();
	const found = await settle(collect<TaskRun>(searching, 'listTaskRuns', { query, limit: 100 }));
	const isOwn = (run: TaskRun) =>
		own.some((each) => each.account === account && each.id === run.taskRunId);
	const others = found.ok ? found.value.filter((run) => !isOwn(run)) : [];
	if (others.length === 0) throw error;
	const candidates = others.map(({ taskRunId, state, submittedAt }) => ({
		...{ id: taskRunId, name: taskName, status: state, createTime: submittedAt },
	}));
	const ids = candidates.map(({ id }) => id).join(', ');
	throw error.withContext({
		after: `Runs of the task since then: ${ids}.`,
		facts: { candidates },
	});
}

/** @throws Failure when the task cannot be read, or has no ID */
async function readTaskId(client: Client, taskName: string): Promise<{ taskId: string }> {
	const path = { taskName };
	const { taskId } = await readRecord(client, 'getTask', { path });
	if (typeof taskId === 'string') return { taskId };
	throw unexpected('The task has no ID, which is needed to run it.', { path });
}

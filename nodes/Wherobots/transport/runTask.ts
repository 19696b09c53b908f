import type { IDataObject } from 'n8n-workflow';

import { findTaskRequest, type TaskRequest, type TaskRun } from '../service/taskRuns';
import { parseServiceTime } from '../service/time/time';
import type { Client } from './client';
import { clock } from './clock';
import { explained, isAmbiguous } from './failures/errors';
import { findLost, momentOf, type LostSubmission } from './jobRuns/lostRun';
import { collect } from './pagination';
import { readRecord, unexpected } from './records';
import { toResult } from './toResult';

/** How the last deployment runs tasks; forgotten after a failure, as it may have changed. */
let known: { baseUrl: string; request: TaskRequest } | undefined;

/** Forgets it, as a restart of n8n does. */
export function forgetTaskRequest(): void {
	known = undefined;
}

/**
 * How the deployment runs tasks: only its own description says.
 *
 * @throws NodeApiError when it cannot be read, or does not say
 */
async function readTaskRequest(client: Client): Promise<TaskRequest> {
	const { baseUrl } = client;
	if (known?.baseUrl === baseUrl) return known.request;
	const note = 'How a task is run is only in the description at /openapi.json.';
	const request = findTaskRequest(await explained(note, readRecord(client, 'getDescription')));
	if (!request) {
		throw client.error({
			message: 'This deployment does not say how to run a task',
			description: `${baseUrl}/openapi.json has no request that runs a task. Ask its operators whether tasks are available, or update this package.`,
		});
	}
	known = { baseUrl, request };
	return request;
}

/** The outcome of a submission, kept by the caller so that it is not made twice. */
export interface TaskSubmission {
	run?: TaskRun;
	/** Set when it is unclear whether the request was handled. */
	lost?: LostSubmission;
}

/**
 * Submits a run of a task, once. When it is unclear whether the request was handled, the error names
 * the runs of the task that were submitted since; none is used, because one that the service recorded
 * with a 503 may never start.
 *
 * @param values by their names in the request; `name` is the label of the run
 * @param state the outcome of the same submission so far; updated
 * @throws NodeApiError, CancelledError as the client does
 */
export async function runTask(
	client: Client,
	taskName: string,
	values: { inputs: IDataObject; name?: string; region?: string },
	state: TaskSubmission,
): Promise<TaskRun> {
	if (state.run) return state.run;
	if (!state.lost) {
		const { path, query } = await readTaskRequest(client);
		const given = Object.entries(values);
		const named = values.name ? ` named "${values.name}"` : '';
		const options = {
			at: path.replace(/\{\w+\}/, '{taskName}'),
			path: { taskName },
			query: Object.fromEntries(given.filter(([name]) => query.includes(name))),
			body: Object.fromEntries(given.filter(([name]) => !query.includes(name))),
			lookFor: `a run of the task "${taskName}"${named} (Task Run: Get Many with this task)`,
			finishOnceSent: true,
		};
		const sentAt = clock.monotonic();
		const sent = await toResult(readRecord<TaskRun>(client, 'runTask', options));
		if (sent.ok && typeof sent.value.taskRunId === 'string') return (state.run = sent.value);
		forgetTaskRequest();
		const error = sent.ok ? unexpected(client, '', options) : sent.error;
		if (!isAmbiguous(error)) throw error;
		state.lost = { error, sentAt, lostAt: clock.monotonic() };
	}
	const { lost } = state;
	const search = async (searching: Client) => {
		const query = { taskName, runSource: 'manual' };
		const listed = await collect<TaskRun>(searching, 'listTaskRuns', { query, limit: 100 });
		// Times may be truncated to whole seconds.
		const begin = momentOf(client, lost)[0] - 1_000;
		const isOlder = (run: TaskRun) => Number(parseServiceTime(run.submittedAt)) / 1_000 < begin;
		return { runs: listed.filter((run) => !isOlder(run)), isCertain: false };
	};
	return await findLost(client, lost, search, (run) => ({
		id: run.taskRunId,
		name: run.name ?? run.taskName,
		status: run.state,
		createTime: run.submittedAt,
	}));
}

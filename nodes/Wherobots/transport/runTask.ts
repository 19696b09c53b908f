import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { fillTaskRequest, findTaskRequest, type TaskRequest } from '../service/taskRequests';
import type { TaskRun } from '../service/taskRuns';
import { parseServiceTime } from '../service/time/time';
import { contains, isRecord } from '../service/types';
import type { Client } from './client';
import { clock } from './clock';
import { amend, isAmbiguous } from './failures/errors';
import { inTurn } from './inTurn';
import {
	findLost,
	listedAfter,
	momentOf,
	type Found,
	type LostSubmission,
} from './jobRuns/lostRun';
import { collect } from './pagination';
import { readTaskRun } from './taskRuns';
import { toResult } from './toResult';

/** By base URL; a failed submission forgets its own, in case the description has changed. */
const requests = new Map<string, TaskRequest>();

/**
 * Runs that this process submitted recently, by credential and ID: they are not the one whose response
 * was lost.
 */
const own = new Set<string>();

/** Limit of both. */
const MAX_REMEMBERED = 1_000;

/** A run of a task to submit. */
export interface WantedTaskRun {
	taskName: string;
	inputs: IDataObject;
	/** Its label. */
	name?: string;
	region?: string;
}

/** The progress of a submission, kept by the caller while the same one may be repeated. */
export interface TaskRunState {
	run?: TaskRun;
	/** Set when it is unclear whether the request was handled. */
	lost?: LostSubmission;
	/** Whether the response was lost, and the run was found in the service's list. */
	recovered?: boolean;
}

/**
 * How this deployment runs a task, by its own description.
 *
 * @throws NodeApiError when it cannot be read, or does not say
 */
export async function taskRequestOf(client: Client): Promise<TaskRequest> {
	const known = requests.get(client.baseUrl);
	if (known) return known;
	const read = await toResult(client.call('getDescription'));
	const request = read.ok ? findTaskRequest(read.value) : undefined;
	if (request) {
		if (requests.size >= MAX_REMEMBERED) requests.clear();
		requests.set(client.baseUrl, request);
		return request;
	}
	if (!read.ok) {
		const before =
			'How a task is run is only in the description at /openapi.json, which the node reads.';
		if (read.error instanceof NodeApiError) amend(read.error, { before });
		throw read.error;
	}
	throw client.error({
		message: 'This deployment does not say how to run a task',
		description: `Its description (${client.baseUrl}/openapi.json) has no operation that runs a task. Ask its operators whether tasks are available, or update this package.`,
	});
}

/** Forgets everything, as a restart of n8n does. */
export function forgetTasks(): void {
	requests.clear();
	own.clear();
}

/**
 * Submits a run of a task, once: a submission that may have been handled is not repeated, but its run
 * is searched for, and used when exactly one of the task, label and inputs was submitted at that moment.
 *
 * @param state the progress of the same submission so far; updated
 * @throws NodeApiError, CancelledError as the client does
 */
export async function runTask(
	client: Client,
	wanted: WantedTaskRun,
	state: TaskRunState,
): Promise<TaskRun> {
	const { taskName, name = '' } = wanted;
	return await inTurn(client, `task run ${taskName} ${name}`, async () => {
		const run =
			(state.lost ? undefined : await submit(client, wanted, state)) ??
			(await findLost(
				client,
				state.lost as LostSubmission,
				async (searching) => await search(searching, wanted, state.lost as LostSubmission),
				factsOf,
			));
		if (own.size >= MAX_REMEMBERED) own.delete([...own][0]);
		own.add(keyOf(client, run));
		Object.assign(state, { run, recovered: state.lost !== undefined, lost: undefined });
		return run;
	});
}

/** Undefined when the response was lost; `state.lost` is then set. */
async function submit(
	client: Client,
	{ taskName, ...values }: WantedTaskRun,
	state: TaskRunState,
): Promise<TaskRun | undefined> {
	const request = await taskRequestOf(client);
	const { query, body } = fillTaskRequest(request, values);
	const named = values.name ? ` named "${values.name}"` : '';
	const lookFor = `a run of the task "${taskName}"${named} (Task Run: Get Many with this task)`;
	let sentAt = clock.monotonic();
	const sent = await toResult(
		client.call('runTask', {
			at: request.path.replace(/\{\w+\}/, '{taskName}'),
			path: { taskName },
			query,
			body,
			lookFor,
			finishOnceSent: true,
			onSend: () => (sentAt = clock.monotonic()),
		}),
	);
	if (sent.ok && isRecord(sent.value) && typeof sent.value.taskRunId === 'string') {
		return sent.value as TaskRun;
	}
	requests.delete(client.baseUrl);
	const error = sent.ok
		? client.error({
				message: 'The response to the submission does not identify a task run',
				description: `Before you try again, look for ${lookFor}.`,
				ambiguous: true,
			})
		: sent.error;
	if (!isAmbiguous(error)) throw error;
	amend(error, { facts: { taskName } });
	state.lost = { error, sentAt, lostAt: clock.monotonic() };
	return undefined;
}

async function search(
	client: Client,
	{ taskName, name, inputs }: WantedTaskRun,
	lost: LostSubmission,
): Promise<Found<TaskRun>> {
	const listed = await collect<TaskRun>(client, 'listTaskRuns', {
		query: { taskName, runSource: 'manual', createdAfter: listedAfter(client, lost) },
		limit: 500,
	});
	const [begin, end] = client.knowsServiceTime ? momentOf(client, lost) : [-Infinity, Infinity];
	const runs = listed.filter((run) => {
		const at = Number(parseServiceTime(run.submittedAt)) / 1000;
		// Times in records may be truncated to whole seconds.
		const isAtMoment = !(at < begin - 1_000 || at > end);
		return (run.name ?? undefined) === name && !own.has(keyOf(client, run)) && isAtMoment;
	});
	if (runs.length !== 1 || !client.knowsServiceTime) return { runs, isCertain: false };
	const read = await toResult(readTaskRun(client, runs[0].taskRunId));
	// A list may show a run before it can be read: the next search will tell.
	if (!read.ok) return { runs, isCertain: false };
	const run = read.value;
	const isSame = !isRecord(run.inputs) || contains(run.inputs, inputs);
	return { runs: [run], isCertain: isSame && parseServiceTime(run.submittedAt) !== undefined };
}

function keyOf({ account }: Client, { taskRunId }: TaskRun): string {
	return `${account}\n${taskRunId}`;
}

function factsOf({ taskRunId, name, taskName, state, submittedAt }: TaskRun) {
	return { id: taskRunId, name: name ?? taskName, status: state, createTime: submittedAt };
}

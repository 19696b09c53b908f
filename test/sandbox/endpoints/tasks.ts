/** Tasks and their runs, according to the vendor's pages about them. */
import { z } from 'zod/v4';

import type { TaskRecord } from '../model/tasks';
import type { Environment } from '../server/environment';
import { found, ServiceError } from '../server/errors';
import { route, type RouteResponse } from '../server/route';
import { integer, listOf, localTime } from '../server/validation';

const offsetQuery = {
	limit: integer.min(1).max(100).default(50),
	offset: integer.min(0).default(0),
};

const STATES = [
	...['PENDING', 'SUBMITTED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLING'],
	...['CANCELLED', 'UNKNOWN', 'SKIPPED', 'MISSED', 'REJECTED'],
];

function page(
	env: Environment,
	all: object[],
	{ limit, offset }: { limit: number; offset: number },
): RouteResponse {
	const { taskPageMax, taskPageEchoesLimit, taskTotal } = env.variants;
	const size = Math.min(limit, taskPageMax);
	return {
		json: {
			items: all.slice(offset, offset + size),
			total: taskTotal === 'exact' ? all.length : 0,
			limit: taskPageEchoesLimit ? limit : size,
			offset,
		},
	};
}

/** The fields of a task that a list has as well. */
function fieldsOf({ name, displayName, taskId, description, regions }: TaskRecord) {
	return { name, displayName, taskId, organizationId: 'org-acme', description, regions };
}

export const listTasks = route({
	at: 'GET /tasks',
	query: { regions: listOf(z.string()), ...offsetQuery },
	handle({ env, query }) {
		const all = [...env.store.tasks.tasks.values()]
			.filter(
				({ regions }) => !query.regions || regions.some((each) => query.regions?.includes(each)),
			)
			.sort((a, b) => (a.name < b.name ? -1 : 1))
			.map(fieldsOf);
		return page(env, all, query);
	},
});

export const getTask = route({
	at: 'GET /tasks/{taskName}',
	handle({ env, params }) {
		const task = found(env.store.tasks.tasks.get(params.taskName), 'Task', params.taskName);
		const { taskSchemaName } = env.variants;
		const schema = taskSchemaName === 'none' ? {} : { [taskSchemaName]: task.inputSchema };
		return { json: { ...fieldsOf(task), ...schema } };
	},
});

const findRun = ({ store }: Environment, id: string) => found(store.tasks.get(id), 'Task run', id);

export const listTaskRuns = route({
	at: 'GET /task-runs',
	query: {
		taskName: z
			.string()
			.max(255)
			.regex(/^[a-zA-Z0-9_\-.]+\*?$/)
			.optional(),
		state: listOf(z.enum(STATES)),
		createdAfter: localTime.optional(),
		runSource: z.enum(['manual', 'schedule', 'rerun']).optional(),
		region: z.string().optional(),
		...offsetQuery,
	},
	handle({ env, query }) {
		const { tasks } = env.store;
		const { taskName, state, createdAfter, runSource, region } = query;
		const isNamed = (name: string) =>
			taskName?.endsWith('*') ? name.startsWith(taskName.slice(0, -1)) : name === taskName;
		const response = page(
			env,
			tasks.runs
				.filter((run) => taskName === undefined || isNamed(run.taskName))
				.filter((run) => state === undefined || state.includes(tasks.stateOf(run)))
				.filter((run) => runSource === undefined || run.runSource === runSource)
				.filter((run) => region === undefined || run.region === region)
				.filter((run) => createdAfter === undefined || run.submittedAt * 1000 > createdAfter)
				.map((run) => tasks.summary(run)),
			query,
		);
		for (let count = 0; count < env.variants.taskRunsPerPage; count++) tasks.createRun();
		return response;
	},
});

export const getTaskRun = route({
	at: 'GET /task-runs/{taskRunId}',
	handle: ({ env, params }) => ({ json: env.store.tasks.detail(findRun(env, params.taskRunId)) }),
});

export const getTaskRunLogs = route({
	at: 'GET /task-runs/{taskRunId}/logs',
	query: {
		since: z
			.string()
			.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
			.optional(),
	},
	handle({ env, params, query }) {
		const { since } = query;
		const { taskLogPage, taskLogEnd } = env.variants;
		const run = findRun(env, params.taskRunId);
		const rest = run.log.filter(({ timestamp }) => since === undefined || timestamp > since);
		const items = rest.slice(0, taskLogPage);
		const isLast = rest.length <= taskLogPage && env.store.tasks.hasEnded(run);
		const next = items.at(-1)?.timestamp ?? since ?? '1970-01-01T00:00:00Z';
		const nextSince = isLast ? (taskLogEnd === 'null' ? null : undefined) : next;
		return {
			json: { taskRunId: run.taskRunId, items, ...(nextSince === undefined ? {} : { nextSince }) },
		};
	},
});

export const getTaskRunCost = route({
	at: 'GET /task-runs/{taskRunId}/cost',
	handle: ({ env, params }) => ({ json: env.store.tasks.costOf(findRun(env, params.taskRunId)) }),
});

export const cancelTaskRun = route({
	at: 'POST /task-runs/{taskRunId}/cancel',
	success: 202,
	handle({ env, params }) {
		const run = findRun(env, params.taskRunId);
		if (!env.store.tasks.cancel(run)) {
			throw new ServiceError(409, { details: `Task run '${run.taskRunId}' has already ended.` });
		}
		return env.variants.taskCancelBody === 'empty' ? {} : { text: 'null' };
	},
});

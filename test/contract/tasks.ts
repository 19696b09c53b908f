/** Tasks and their runs; from the vendor's pages on them. */
import {
	filled,
	flag,
	integer,
	listOf,
	mapOf,
	nullable,
	object,
	oneOf,
	text,
	textOf,
	time,
	utcTime,
	type Contracts,
	type Schema,
} from './schema';

const STATES = [
	...['PENDING', 'SUBMITTED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLING'],
	...['CANCELLED', 'UNKNOWN', 'SKIPPED', 'MISSED', 'REJECTED'],
];

const offsetQuery = {
	limit: { type: 'integer', minimum: 1, maximum: 100 },
	offset: { type: 'integer', minimum: 0 },
};

const offsetPage = (items: Schema): Schema =>
	object({ items: listOf(items), total: integer, limit: integer, offset: integer });

const taskFields = {
	name: textOf(1, 255, '^[a-zA-Z0-9_.-]+$'),
	displayName: text,
	taskId: filled,
	organizationId: filled,
	description: nullable(text),
	regions: listOf(text),
};

/** An unknown state is allowed: the service may learn new ones. */
const summaryFields = {
	taskRunId: filled,
	taskName: text,
	taskId: nullable(text),
	state: textOf(1, 50, '^[A-Z_]+$'),
	region: text,
	submittedAt: time,
	type: nullable(oneOf('uniontask', 'scripttask')),
	runSource: oneOf('manual', 'schedule', 'rerun'),
	name: nullable(text),
	startedAt: nullable(time),
	endedAt: nullable(time),
	durationSeconds: nullable({ type: 'number' }),
	cached: flag,
	errorMessage: nullable(text),
};

const nanoseconds = textOf(20, 30, '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$');

export const taskContracts = {
	listTasks: {
		query: { regions: listOf(filled), ...offsetQuery },
		response: offsetPage(object(taskFields)),
	},
	// Under which name the inputs are described is not known.
	getTask: { response: object({ ...taskFields, 'inputSchema?': mapOf({}), 'inputs?': mapOf({}) }) },
	listTaskRuns: {
		query: {
			taskName: textOf(1, 255, '^[a-zA-Z0-9_.-]+\\*?$'),
			state: listOf(oneOf(...STATES)),
			createdAfter: utcTime,
			runSource: oneOf('manual', 'schedule', 'rerun'),
			region: filled,
			...offsetQuery,
		},
		response: offsetPage(object(summaryFields)),
	},
	getTaskRun: {
		response: object({
			...summaryFields,
			inputs: nullable(mapOf({})),
			results: nullable(mapOf({})),
		}),
	},
	runTask: {
		body: mapOf({}),
		response: object({
			...summaryFields,
			inputs: nullable(mapOf({})),
			results: nullable(mapOf({})),
		}),
	},
	getDescription: { response: mapOf({}) },
	getTaskRunLogs: {
		query: { since: nanoseconds },
		response: object({
			taskRunId: filled,
			items: listOf(object({ timestamp: nanoseconds, level: text, message: text })),
			'nextSince?': nullable(nanoseconds),
		}),
	},
	getTaskRunCost: {
		response: object({
			taskRunId: filled,
			totalCostUsd: textOf(1, 100, '^\\d+(\\.\\d+)?$'),
			units: { type: 'number' },
			unitType: text,
			isSettling: flag,
		}),
	},
	// Its body is not stated.
	cancelTaskRun: { response: 'none' },
} satisfies Contracts;

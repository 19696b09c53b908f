import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { taskFilter, taskPart, taskRunPart } from '../../form/address';
import {
	createdAfterFilter,
	defineOptions,
	runRegionFilter,
	runSourceFilter,
	stateOptions,
} from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem, shapeFields } from '../../form/output';
import { chooseMappedField, defineMappedFields, readMapped } from '../../form/mapper';
import { fetchTaskRunCost, runTask, waitForTaskRun } from '../../useCases/runs/taskRuns';
import { requestCancel } from '../../useCases/runs/wait';
import { taskRuns, type TaskRun } from '../../service/records/taskRun';
import { show } from '../../form/values';
import { explainReading, type Failure, hasStatus, isAmbiguous } from '../../transport/failure';
import { fetchRun } from '../../transport/records';
import { joinLines } from '../../transport/text';
import { getTaskLogs } from './logs';
import {
	addTemporaryHint,
	defineTaskWaitField,
	finishTaskRun,
	readTaskWaitOptions,
	simplifyTaskRun,
	toTaskRunItem,
	waitField,
	waitForTaskCompletion,
} from './wait';
import {
	isSkipped,
	deduplicationKeyOption,
	readDeduplicationKey,
	sendOnceForKey,
	type Skipped,
} from '../operations/deduplicationKey';
import {
	defineGet,
	defineGetMany,
	type Operation,
	type Outcome,
	type Resource,
} from '../operations/operation';

const get = defineGet({
	action: 'Get task',
	description: 'Get a task with its details, such as its inputs',
	endpoint: 'getTask',
});

const getAll = defineGetMany({
	action: 'Get many tasks',
	description: 'List the tasks that the organization can run',
	endpoint: 'listTasks',
	records: 'tasks',
	filters: {
		regions: { ...runRegionFilter, description: 'Only include tasks that can run in this region' },
	},
});

export const task: Resource = {
	name: 'Task',
	value: 'task',
	description: 'A named program with inputs, such as a RasterFlow workflow',
	operations: [get, getAll],
};

const inputsFields = defineMappedFields(
	{
		...{ name: 'inputs', noun: 'input', method: 'getTaskInputs' },
		dependsOn: taskPart.field.name,
	},
	{
		source: 'How to enter the inputs of the task',
		form: 'The inputs that the task describes. Those not added or left empty keep their defaults.',
		json: 'The inputs of the task as one JSON object',
		placeholder: 'e.g. {"aoi": "s3://bucket/area.parquet"}',
	},
);

const createOptionsField = defineOptions(deduplicationKeyOption);

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create task run',
	description: 'Run a task and, optionally, wait for its results',
	fields: [
		taskPart.field,
		...[inputsFields.fromField, inputsFields.mapperField, inputsFields.jsonField],
		...shapeFields,
		waitField,
		defineTaskWaitField(true),
		createOptionsField,
	],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const taskName = input.text(taskPart.field);
		const inputs = readMapped(call, inputsFields);
		const wait = input.flag(waitField) ? readTaskWaitOptions(input, true) : undefined;
		const key = readDeduplicationKey(input.within(createOptionsField));
		const work = call.memory.item<TaskRun | Skipped>('run', [taskName, inputs]);
		const submit = async (): Promise<Outcome> => {
			const sent = work.once(async () =>
				sendOnceForKey(call, key, async (begin) => runTask(client, taskName, inputs, begin)),
			);
			const run = await sent.catch((error: unknown) => {
				if (isAmbiguous(error)) call.noteCreated({ name: taskName });
				throw hasStatus(error, 400, 422) ? labelRefusedInputs(error, input, inputs) : error;
			});
			if (isSkipped(run)) return [toItem({ ...run })];
			call.noteCreated({ id: run.id, name: taskName });
			const finish = async () => {
				if (!wait) return [toTaskRunItem(call, run)];
				const last = await waitForTaskRun(client, run.id, { ...wait, submitted: run });
				// A retry of the node then submits another run, unless this one may have succeeded.
				const hasFailed = !['SUCCEEDED', 'UNKNOWN'].includes(last.status);
				if (hasFailed && wait.onFailure === 'fail' && !key) work.value = undefined;
				return await finishTaskRun(call, last, wait);
			};
			return { finish };
		};
		return { submit };
	},
};

/** The error that the service refuses inputs, in the words of the form; the router adds its label. */
function labelRefusedInputs(failure: Failure, input: Input, inputs: IDataObject): Failure {
	const { message, description = '', places = [] } = failure.parts;
	const named = places.map((place) => /^(?:body\.)?(?:inputs\.)?([^.]+)/.exec(place)?.[1] ?? '');
	const names = named.filter((name) => !/^(body|inputs|path|query|)$/.test(name));
	if (names.length === 0) return failure;
	const given = Object.keys(inputs);
	const missing = names.filter((name) => !given.includes(name));
	const values =
		names.length === 1 ? `${show(inputs[names[0]])} for its input` : 'the values of its inputs';
	const [what, which] =
		missing.length > 0 ? ['needs its input', missing] : [`does not accept ${values}`, names];
	const { name } = chooseMappedField(input, inputsFields);
	return failure.with({
		message: `The task ${what} ${[...new Set(which)].join(', ')}`,
		description: joinLines(
			!description.includes(message) && message,
			description,
			missing.length > 0 && given.length > 0 && `Inputs given: ${given.join(', ')}`,
		),
		nextStep: undefined,
		places: [name],
	});
}

const cancel: Operation = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel task run',
	description: 'Request that a task run stop, and return its current state',
	fields: [taskRunPart.field, ...shapeFields],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const id = input.text(taskRunPart.field);
		await requestCancel(client, taskRuns, id);
		// The response to a cancel has no documented shape, so the run is read.
		const reading = fetchRun(client, taskRuns, id);
		const run = await explainReading(reading, { before: 'The service accepted the cancellation.' });
		return [toTaskRunItem(call, run)];
	},
};

const getRun = defineGet({
	action: 'Get task run',
	description: 'Get the state, inputs and results of a task run',
	endpoint: 'getTaskRun',
	async read(call, { taskRunId }) {
		const run = await fetchRun(call.client, taskRuns, taskRunId);
		addTemporaryHint(call, run);
		return run.raw;
	},
	simplify: simplifyTaskRun,
});

const getCost = defineGet({
	name: 'Get Cost',
	value: 'getCost',
	action: 'Get task run cost',
	description:
		'Get what a task run has cost so far, and whether that amount is final, which takes up to 45 minutes after the end',
	endpoint: 'getTaskRunCost',
	read: async ({ client }, { taskRunId }) => await fetchTaskRunCost(client, taskRunId),
});

const stateFilter: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: stateOptions,
	default: [],
	description: 'Only include runs in one of these states',
};

const getAllRuns = defineGetMany({
	action: 'Get many task runs',
	description: 'List task runs, newest first, including those that a schedule missed',
	endpoint: 'listTaskRuns',
	records: 'task runs',
	filters: {
		createdAfter: createdAfterFilter,
		region: runRegionFilter,
		runSource: runSourceFilter,
		state: stateFilter,
		taskName: taskFilter,
	},
	simplify: simplifyTaskRun,
});

export const taskRun: Resource = {
	name: 'Task Run',
	value: 'taskRun',
	description: 'One execution of a task, manual or scheduled',
	operations: [cancel, create, getRun, getCost, getTaskLogs, getAllRuns, waitForTaskCompletion],
};

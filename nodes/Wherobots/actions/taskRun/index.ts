import type { INodeProperties } from 'n8n-workflow';

import { readAddress, taskRunPart } from '../../parameters/address';
import { textField, timeField } from '../../parameters/declarations';
import { runRegionFilter, runSourceFilter, stateOptions } from '../../parameters/fields';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyTaskRun, taskNamePattern, type TaskRun } from '../../service/taskRuns';
import { afterCancelling } from '../../transport/failures/errors';
import { collect } from '../../transport/pagination';
import { readTaskRun } from '../../transport/taskRuns';
import { getManyOperation, getOperation } from '../declared';
import type { Operation, Resource } from '../operation';
import { create } from './create.operation';
import { getCost } from './getCost.operation';
import { getLogs } from './getLogs.operation';
import { waitForCompletion } from './waitForCompletion.operation';

const cancel: Operation = {
	option: {
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel task run',
		description: 'Request that a task run stop, and return its current state',
	},
	fields: [taskRunPart.field, ...shapeFields],
	kind: 'write',
	async execute({ client, input }) {
		const { path } = readAddress(input, [taskRunPart]);
		await client.call('cancelTaskRun', { path });
		// The response to a cancel has no documented shape, so the run is read.
		const read = async () => await afterCancelling(readTaskRun(client, path.taskRunId));
		return { finish: async () => shape(input, [await read()], simplifyTaskRun) };
	},
};

const get = getOperation<TaskRun>({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get task run',
		description: 'Get the state, inputs and results of a task run',
	},
	endpoint: 'getTaskRun',
	address: [taskRunPart],
	read: async (client, { taskRunId }) => await readTaskRun(client, taskRunId),
	simplify: simplifyTaskRun,
});

const taskFilter = textField({
	displayName: 'Task',
	name: 'taskName',
	placeholder: 'e.g. predict_*',
	description:
		'Only include runs of the task with this name. An asterisk at the end matches any text.',
});

const stateFilter: INodeProperties = {
	displayName: 'State',
	name: 'state',
	type: 'multiOptions',
	options: stateOptions,
	default: [],
	description: 'Only include runs in one of these states',
};

const createdAfterFilter = timeField({
	displayName: 'Created After',
	name: 'createdAfter',
	description: 'Only include runs submitted after this time',
});

const getAll = getManyOperation<TaskRun>({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many task runs',
		description: 'List task runs, newest first, including those that a schedule missed',
	},
	endpoint: 'listTaskRuns',
	pages: collect,
	records: 'task runs',
	filters: {
		createdAfter: createdAfterFilter,
		region: runRegionFilter,
		runSource: runSourceFilter,
		state: stateFilter,
		taskName: taskFilter,
	},
	rules: { taskName: taskNamePattern },
	simplify: simplifyTaskRun,
});

export const taskRun: Resource = {
	option: {
		name: 'Task Run',
		value: 'taskRun',
		description: 'One execution of a task, manual or scheduled',
	},
	operations: [cancel, create, get, getCost, getLogs, getAll, waitForCompletion],
	defaultOperation: 'getAll',
};

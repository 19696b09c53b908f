import type { INodeProperties } from 'n8n-workflow';

import { readAddress, taskFilter, taskRunPart } from '../../parameters/address';
import { timeField } from '../../parameters/declarations';
import { runRegionFilter, runSourceFilter, stateOptions } from '../../parameters/fields';
import { item } from '../../parameters/items';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyTaskRun, type TaskRun } from '../../service/taskRuns';
import { explained } from '../../transport/failure';
import { readTaskLog, readTaskRun, readTaskRunCost } from '../../transport/taskRuns';
import { lineCountField, linesField, readSelection } from '../jobRun/getLogs.operation';
import { getManyOperation, getOperation } from '../operations/declared';
import { hintNoResults } from '../operations/hint';
import type { Operation, Resource } from '../operations/operation';
import { create } from './create.operation';
import { hintTemporary, waitForCompletion } from './waitForCompletion.operation';

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
		const reading = readTaskRun(client, path.taskRunId);
		const run = await explained(reading, { before: 'The service accepted the cancellation.' });
		return shape(input, [run], simplifyTaskRun);
	},
};

const get = getOperation<TaskRun>({
	option: {
		action: 'Get task run',
		description: 'Get the state, inputs and results of a task run',
	},
	endpoint: 'getTaskRun',
	read: async (client, { taskRunId }) => await readTaskRun(client, taskRunId),
	explain: hintTemporary,
	simplify: simplifyTaskRun,
});

const getCost = getOperation({
	option: {
		name: 'Get Cost',
		value: 'getCost',
		action: 'Get task run cost',
		description:
			'Get what a task run has cost so far, and whether that amount is final, which takes up to 45 minutes after the end',
	},
	endpoint: 'getTaskRunCost',
	read: async (client, { taskRunId }) => await readTaskRunCost(client, taskRunId),
});

const getLogs: Operation = {
	option: {
		name: 'Get Logs',
		value: 'getLogs',
		action: 'Get task run logs',
		description: 'Get the log of a task run: its last lines, its first lines or all of it',
	},
	fields: [taskRunPart.field, linesField, lineCountField],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const { taskRunId } = readAddress(input, [taskRunPart]).path;
		const lines = await readTaskLog(client, taskRunId, readSelection(input));
		if (lines.length === 0) {
			hintNoResults(call, 'lines', [], `in the log of task run ${taskRunId} yet`);
		}
		return lines.map(({ timestamp = null, level = null, message = null }) =>
			item({ time: timestamp, level, line: message, taskRunId }),
		);
	},
};

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
		action: 'Get many task runs',
		description: 'List task runs, newest first, including those that a schedule missed',
	},
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
	option: {
		name: 'Task Run',
		value: 'taskRun',
		description: 'One execution of a task, manual or scheduled',
	},
	operations: [cancel, create, get, getCost, getLogs, getAll, waitForCompletion],
	defaultOperation: 'getAll',
};

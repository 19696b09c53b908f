import { readAddress, taskRunPart } from '../../parameters/address';
import { shapeFields } from '../../parameters/shape';
import { waitForTaskRun } from '../../transport/taskRuns';
import type { Operation } from '../operation';
import { endedTaskRun, readTaskWait, taskWaitField } from './wait';

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		action: 'Wait for task run completion',
		description: 'Wait until a task run has ended, then return it with its results',
	},
	fields: [taskRunPart.field, ...shapeFields, taskWaitField(false)],
	kind: 'read',
	async execute(call) {
		const { taskRunId } = readAddress(call.input, [taskRunPart]).path;
		const { onFailure, ...options } = readTaskWait(call.input, false);
		return endedTaskRun(call, await waitForTaskRun(call.client, taskRunId, options), onFailure);
	},
};

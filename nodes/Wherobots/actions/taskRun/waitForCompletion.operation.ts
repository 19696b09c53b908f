import type { INodeExecutionData } from 'n8n-workflow';

import { readAddress, taskRunPart } from '../../parameters/address';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyTaskRun, type TaskRun } from '../../service/taskRuns';
import { waitForTaskRun } from '../../transport/taskRuns';
import { readSharedOptions, taskWaitField, type WaitOptions } from '../jobRun/waitOptions';
import type { Call, Operation } from '../operations/operation';

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
		const options = readSharedOptions(call.input, false);
		return endedTaskRun(call, await waitForTaskRun(call.client, taskRunId, options), options);
	},
};

/** The output for a run that has ended, or the error of one that did not succeed. */
export function endedTaskRun(
	{ client, input }: Call,
	run: TaskRun,
	{ onFailure }: Pick<WaitOptions, 'onFailure'>,
): INodeExecutionData[] {
	const { taskRunId, name, taskName, state, errorMessage } = run;
	if (state === 'SUCCEEDED' || onFailure === 'return') return shape(input, [run], simplifyTaskRun);
	throw client.error({
		message: `Task run "${name ?? taskName}" did not succeed: ${state.toLowerCase().replace('_', ' ')}`,
		description: [errorMessage, `Task run ID: ${taskRunId}`].filter(Boolean).join('\n'),
		facts: { taskRunId, taskName, state, ...(errorMessage ? { cause: errorMessage } : {}) },
	});
}

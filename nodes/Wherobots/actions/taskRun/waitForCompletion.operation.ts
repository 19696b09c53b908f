import type { INodeProperties } from 'n8n-workflow';

import { readAddress, taskRunPart } from '../../parameters/address';
import { collectionField } from '../../parameters/declarations';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyTaskRun, TASK_RUN_STATES } from '../../service/taskRuns';
import { waitForTaskRun } from '../../transport/taskRuns';
import * as form from '../jobRun/waitOptions';
import type { Operation } from '../operation';

const cancelOnStopField: INodeProperties = { ...form.cancelOnStopField, default: false };

/** The state lags by up to two minutes, so asking more often does not help. */
const maxIntervalField: INodeProperties = { ...form.maxIntervalField, default: 30 };

const waitOptionsField = collectionField('Wait Options', [
	cancelOnStopField,
	form.onFailureField,
	maxIntervalField,
	form.maxWaitField,
]);

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		action: 'Wait for task run completion',
		description: 'Wait until a task run has ended, then return it with its results',
	},
	fields: [taskRunPart.field, ...shapeFields, waitOptionsField],
	kind: 'read',
	async execute({ client, input }) {
		const { taskRunId } = readAddress(input, [taskRunPart]).path;
		const options = input.within(waitOptionsField);
		const onFailure = options.choice(form.onFailureField);
		const run = await waitForTaskRun(client, taskRunId, {
			cancelOnStop: options.flag(cancelOnStopField),
			maxIntervalMs: 1000 * options.integer(maxIntervalField),
			maxWaitMs: 60_000 * options.integer(form.maxWaitField),
		});
		if (run.state === 'SUCCEEDED' || onFailure === 'return') {
			return shape(input, [run], simplifyTaskRun);
		}
		const { name, taskName, state, errorMessage } = run;
		const ended = TASK_RUN_STATES[state as keyof typeof TASK_RUN_STATES].toLowerCase();
		throw client.error({
			message: `Task run "${name ?? taskName}" did not succeed: ${ended}`,
			description: [errorMessage, `Task run ID: ${taskRunId}`].filter(Boolean).join('\n'),
			facts: { taskRunId, taskName, state, ...(errorMessage ? { cause: errorMessage } : {}) },
		});
	},
};

import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { collectionField } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import { shape } from '../../parameters/shape';
import { simplifyTaskRun, TASK_RUN_STATES, type TaskRun } from '../../service/taskRuns';
import * as form from '../jobRun/waitOptions';
import type { Call } from '../operation';

/** The state lags by up to two minutes, so asking more often does not help. */
const maxIntervalField: INodeProperties = { ...form.maxIntervalField, default: 30 };

/** The collection of wait options. @param ownRun whether the run is submitted by the same operation */
export const taskWaitField = (
	ownRun: boolean,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties =>
	collectionField(
		'Wait Options',
		[
			{ ...form.cancelOnStopField, default: ownRun },
			form.onFailureField,
			maxIntervalField,
			form.maxWaitField,
		],
		{ displayOptions },
	);

/** Reads the collection of `taskWaitField`. */
export function readTaskWait(input: Input, ownRun: boolean) {
	const options = input.within(taskWaitField(ownRun));
	return {
		onFailure: options.choice(form.onFailureField),
		cancelOnStop: options.flag({ ...form.cancelOnStopField, default: ownRun }),
		maxIntervalMs: 1000 * options.integer(maxIntervalField),
		maxWaitMs: 60_000 * options.integer(form.maxWaitField),
	};
}

/** The output for a run that has ended, or the error of one that did not succeed. */
export function endedTaskRun(
	{ client, input }: Call,
	run: TaskRun,
	onFailure: 'fail' | 'return',
): INodeExecutionData[] {
	const { taskRunId, name, taskName, state, errorMessage } = run;
	if (state === 'SUCCEEDED' || onFailure === 'return') return shape(input, [run], simplifyTaskRun);
	const ended = TASK_RUN_STATES[state as keyof typeof TASK_RUN_STATES].toLowerCase();
	throw client.error({
		message: `Task run "${name ?? taskName}" did not succeed: ${ended}`,
		description: [errorMessage, `Task run ID: ${taskRunId}`].filter(Boolean).join('\n'),
		facts: { taskRunId, taskName, state, ...(errorMessage ? { cause: errorMessage } : {}) },
	});
}

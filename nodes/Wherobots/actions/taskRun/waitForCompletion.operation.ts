import type { INodeExecutionData } from 'n8n-workflow';

import { readAddress, taskRunPart } from '../../parameters/address';
import { withFacts } from '../../parameters/items';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyTaskRun, temporaryResults, type TaskRun } from '../../service/taskRuns';
import { lines } from '../../transport/text';
import {
	explainTaskRun,
	explanationFacts,
	explanationFields,
} from '../../transport/jobRuns/explainRun';
import { waitForTaskRun } from '../../transport/taskRuns';
import { excerptContext } from '../jobRun/output';
import { readSharedOptions, taskWaitField, type WaitOptions } from '../jobRun/waitOptions';
import { hintOnce } from '../operations/hint';
import type { Call, Operation } from '../operations/operation';
import { Failure } from '../../transport/failure';

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
		return {
			finish: async () =>
				await endedTaskRun(call, await waitForTaskRun(call.client, taskRunId, options), options),
		};
	},
};

/** The output for a run that has ended, or the error of one that did not succeed. */
export async function endedTaskRun(
	call: Call,
	run: TaskRun,
	{ onFailure }: Pick<WaitOptions, 'onFailure'>,
): Promise<INodeExecutionData[]> {
	const { client, input } = call;
	const { taskRunId, name, taskName, state, errorMessage } = run;
	const output = shape(input, [run], simplifyTaskRun);
	if (state === 'SUCCEEDED') {
		hintTemporary(call, run);
		return output;
	}
	const explanation = await explainTaskRun(client, run);
	if (onFailure === 'return') return [withFacts(output[0], explanationFields(explanation))];

	const { cause, location, returnCode, logProblem } = explanation;
	const says =
		state === 'FAILED' && cause
			? `failed: ${cause.split('\n', 1)[0]}`
			: `did not succeed: ${state.toLowerCase().replace('_', ' ')}`;
	const error = new Failure({
		message: `Task run "${name ?? taskName}" ${says}`,
		description: lines(
			!says.includes(errorMessage ?? '') && (errorMessage ?? ''),
			`Task run ID: ${taskRunId}`,
			location && `Location: ${location}`,
			returnCode !== undefined && `Return code: ${returnCode}`,
			logProblem && `The log could not be read: ${logProblem}`,
		),
		facts: { taskRunId, taskName, state, ...explanationFacts(explanation) },
	});
	throw state === 'FAILED' ? error.withContext(excerptContext(explanation)) : error;
}

/** Says that results may be deleted, where they may be in RasterFlow's default location. */
export function hintTemporary({ context }: Call, run: TaskRun): void {
	const [address] = temporaryResults(run);
	if (address === undefined) return;
	hintOnce(context, {
		message: `Wherobots Cloud deletes after 7 days what RasterFlow writes to its default location. If ${address} is there, copy it to a storage of your own, or have the task write to one, if it has an input named bucket.`,
		type: 'info',
	});
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readAddress, taskPart } from '../../parameters/address';
import { choiceField } from '../../parameters/declarations';
import { shape, shapeFields } from '../../parameters/shape';
import { isPlainObject, mayBeRounded, show } from '../../parameters/values';
import { parseJsonToSend } from '../../service/json';
import { simplifyTaskRun, type TaskRun } from '../../service/taskRuns';
import { isAmbiguous } from '../../transport/failure';
import { runTask, waitForTaskRun } from '../../transport/taskRuns';
import { workOf } from '../execution/once';
import { readSharedOptions, taskWaitField, waitField } from '../jobRun/waitOptions';
import type { Call, Operation, Outcome } from '../operations/operation';
import { endedTaskRun } from './waitForCompletion.operation';

const inputsFromField = choiceField<'form' | 'json'>({
	displayName: 'Specify Inputs',
	name: 'inputsFrom',
	options: [
		{ name: 'Using Fields Below', value: 'form' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'form',
	description: 'How to enter the inputs of the task',
});

const inputsField: INodeProperties = {
	displayName: 'Inputs',
	name: 'inputs',
	type: 'resourceMapper',
	noDataExpression: true,
	description:
		'The inputs that the task describes. Those not added or left empty keep their defaults.',
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: [`${taskPart.field.name}.value`],
		resourceMapper: {
			resourceMapperMethod: 'getTaskInputs',
			mode: 'add',
			fieldWords: { singular: 'input', plural: 'inputs' },
			// The editor would send switches that nobody touched as off.
			addAllFields: false,
			multiKeyMatch: false,
			supportAutoMap: false,
		},
	},
	displayOptions: { show: { inputsFrom: ['form'] } },
};

const inputsJsonField: INodeProperties = {
	displayName: 'Inputs (JSON)',
	name: 'inputsJson',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"aoi": "s3://bucket/area.parquet"}',
	description: 'The inputs of the task as one JSON object',
	displayOptions: { show: { inputsFrom: ['json'] } },
};

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create task run',
		description: 'Run a task and, optionally, wait for its results',
	},
	fields: [
		taskPart.field,
		inputsFromField,
		inputsField,
		inputsJsonField,
		waitField,
		...shapeFields,
		taskWaitField(true, { show: { waitForCompletion: [true] } }),
	],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const { taskName } = readAddress(input, [taskPart]).path;
		const inputs = readInputs(call);
		const wait = input.flag(waitField) ? readSharedOptions(input, true) : undefined;
		const work = workOf<TaskRun>(call, 'runTask', [taskName, inputs]);
		const submit = async (): Promise<Outcome> => {
			const sent = work.once(async () => runTask(client, taskName, inputs));
			const run = await sent.catch((error: unknown) => {
				if (isAmbiguous(error)) call.noteUncertain({ name: taskName });
				throw error;
			});
			call.noteCreated({ id: run.taskRunId, name: taskName });
			const finish = async () => {
				if (!wait) return shape(input, [run], simplifyTaskRun);
				const last = await waitForTaskRun(client, run.taskRunId, { ...wait, submitted: run });
				// A retry of the node then submits another run, unless this one may have succeeded.
				const hasFailed = !['SUCCEEDED', 'UNKNOWN'].includes(last.state);
				if (hasFailed && wait.onFailure === 'fail') work.result = undefined;
				return await endedTaskRun(call, last, wait);
			};
			return { finish };
		};
		return { submit };
	},
};

/** The inputs, those of the form only with a value. */
function readInputs({ context, input, itemIndex }: Call): IDataObject {
	if (input.choice(inputsFromField) === 'json') return input.json(inputsJsonField, parseJsonToSend);
	// By this path, n8n checks the values and parses lists and objects.
	const values = context.getNodeParameter(`${inputsField.name}.value`, itemIndex, null);
	if (!isPlainObject(values)) {
		throw input.problem(inputsField, `must have a value for each input, not ${show(values)}`);
	}
	for (const [name, value] of Object.entries(values)) {
		if (!mayBeRounded(value)) continue;
		throw input.problem(
			inputsField,
			`has a number as ${name} that n8n cannot hold exactly: set 'Specify Inputs' to 'Using JSON'`,
		);
	}
	const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
	return Object.fromEntries(given);
}

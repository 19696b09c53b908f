import type { IDataObject, INodeProperties, ResourceMapperValue } from 'n8n-workflow';

import { readAddress, taskPart } from '../../parameters/address';
import { choiceField, textField } from '../../parameters/declarations';
import { optionsOf, runRegionFilter } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { withFacts } from '../../parameters/items';
import { shape, shapeFields } from '../../parameters/shape';
import { isNothing, isPlainObject, parseJson, show } from '../../parameters/values';
import { fillTaskRequest } from '../../service/taskRequests';
import { simplifyTaskRun } from '../../service/taskRuns';
import { runTask, taskRequestOf, type TaskRunState } from '../../transport/runTask';
import { waitForTaskRun } from '../../transport/taskRuns';
import { ExecutionStates } from '../itemState';
import { waitField } from '../jobRun/waitOptions';
import type { Operation, Outcome } from '../operation';
import { endedTaskRun, readTaskWait, taskWaitField } from './wait';

const inputsFromField = choiceField<'form' | 'json'>({
	displayName: 'Specify Inputs',
	name: 'inputsFrom',
	options: [
		{
			name: 'Using Fields Below',
			value: 'form',
			description: 'One field for each input that the task describes',
		},
		{ name: 'Using JSON', value: 'json', description: 'One JSON object with all inputs' },
	],
	default: 'form',
	description: 'How to enter the inputs of the task',
});

const inputsField: INodeProperties = {
	displayName: 'Inputs',
	name: 'inputs',
	type: 'resourceMapper',
	noDataExpression: true,
	description: 'The inputs that the task describes. Those without a value keep their defaults.',
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: [`${taskPart.field.name}.value`],
		resourceMapper: {
			resourceMapperMethod: 'getTaskInputs',
			mode: 'add',
			fieldWords: { singular: 'input', plural: 'inputs' },
			addAllFields: true,
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

const nameOption = textField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. College Park roofs',
	description: 'Label of the run',
});

const regionOption = {
	...runRegionFilter,
	description: 'Where to run the task. Defaults to the region of the organization.',
};

const optionsField = optionsOf(nameOption, regionOption);

/** What an execution has submitted for each item so far. */
const submissions = new ExecutionStates<TaskRunState>(() => ({}));

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
		optionsField,
	],
	requestFields: { inputs: inputsField, name: nameOption, region: regionOption },
	kind: 'write',
	async execute(call) {
		const { client, context, input, itemIndex } = call;
		const options = input.within(optionsField);
		const wanted = {
			taskName: readAddress(input, [taskPart]).path.taskName,
			inputs: readInputs(input),
			name: options.optionalText(nameOption),
			region: options.optionalText(regionOption),
		};
		const wait = input.flag(waitField) ? readTaskWait(input, true) : undefined;
		const [misplaced] = fillTaskRequest(await taskRequestOf(client), wanted).misplaced;
		if (misplaced) {
			const field = misplaced === 'name' ? nameOption : regionOption;
			throw input.problem(field, 'is not part of the request that runs a task here: remove it');
		}
		const state = submissions.ofItem(context, itemIndex, wanted);
		const note = () => {
			const { run, lost } = state;
			if (run) call.noteCreated({ id: run.taskRunId, name: run.name ?? wanted.taskName });
			if (lost) call.noteUncertain({ name: wanted.name ?? wanted.taskName });
		};
		note();
		const submit = async (): Promise<Outcome> => {
			const run = state.run ?? (await runTask(client, wanted, state).finally(note));
			const facts = state.recovered ? { recovered: true } : {};
			const finish = async () => {
				if (!wait) return shape(input, [run], simplifyTaskRun);
				const last = await waitForTaskRun(client, run.taskRunId, { ...wait, submitted: run });
				// A retry of the node then submits another run, unless this one may have succeeded.
				const isFailed = !['SUCCEEDED', 'UNKNOWN'].includes(last.state);
				if (isFailed && wait.onFailure === 'fail') state.run = undefined;
				return endedTaskRun(call, last, wait.onFailure);
			};
			return { finish: async () => (await finish()).map((entry) => withFacts(entry, facts)) };
		};
		return { submit };
	},
};

/** The inputs that have a value. @throws NodeOperationError when a required one has none */
function readInputs(input: Input): IDataObject {
	if (input.choice(inputsFromField) === 'json') return input.json(inputsJsonField);
	const raw = input.raw(inputsField, inputsField.default) as Partial<ResourceMapperValue> | null;
	const { value, schema = [] } = raw ?? {};
	// An expression in place of the form has none of its fields.
	if (value !== null && !isPlainObject(value)) {
		throw input.problem(inputsField, `must have a value for each input, not ${show(raw)}`);
	}
	const given = Object.entries(value ?? {}).filter(([, each]) => !isNothing(each) && each !== '');
	const inputs = Object.fromEntries(
		given.map(([id, each]) => {
			const field = schema.find((entry) => entry.id === id);
			if (typeof each !== 'string' || !field || field.type === 'string') return [id, each];
			// Lists, objects and whatever else the form has no kind of field for are JSON.
			return [id, field.type === 'options' ? each : (parseJson(each) ?? each)];
		}),
	) as IDataObject;
	const missing = schema.find(({ id, required }) => required && !(id in inputs));
	if (missing) throw input.problem(inputsField, `has no value for '${missing.id}'`);
	return inputs;
}

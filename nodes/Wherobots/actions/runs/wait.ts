/** Waits for job runs and task runs: their form, and the item or the error of a run that has ended. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { jobRunPart, taskRunPart } from '../../form/address';
import {
	defineChoiceField,
	defineCollection,
	defineCountField,
	defineSwitchField,
} from '../../form/declarations';
import {
	defineAmountField,
	includeCostField,
	includeOutputField,
	logLinesField,
	readAmount,
} from '../../form/fields';
import type { Input } from '../../form/input';
import { shapeItems, addFacts, shapeFields } from '../../form/output';
import { DEFAULT_MAX_INTERVAL_S } from '../../transport/concurrency';
import { fetchCostFields } from '../../useCases/runs/costs';
import {
	explainRun,
	explainTaskRun,
	toExplanationFacts,
	toExplanationFields,
	type RunExplanation,
} from '../../useCases/runs/explainRun';
import { waitForTaskRun } from '../../useCases/runs/taskRuns';
import { CostLimit, waitForEnd } from '../../useCases/runs/wait';
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import { taskRuns, type TaskRun } from '../../service/records/taskRun';
import { type Context, Failure } from '../../transport/failure';
import { joinLines } from '../../transport/text';
import { addHint, addHintOnce, type Call, type Operation } from '../operations/operation';
import { timeoutField } from './payload';

type Reading = Pick<Call, 'input' | 'client'>;

/** The fields of a run that people need, with durations up to now. */
export function simplify(raw: IDataObject, { client }: Reading) {
	return jobRuns.of(raw).simplify(client.serviceNow());
}

/** The output item of a run, simplified or raw as the form says. */
export function toRunItem(call: Reading, run: JobRun): INodeExecutionData {
	return shapeItems(call.input, 'getRun', [run.raw], (each) => simplify(each, call))[0];
}

/** A failed run's log is read until no line has arrived for this long: its last lines say why. */
const QUIET_MS = 6_000;

/** What the log of a run says; a hint shows why its output cannot be used. @param lines as for `explainRun` */
export async function readLog(call: Call, run: JobRun, lines: number, includeOutput: boolean) {
	const options = { lines, quietMs: QUIET_MS, includeOutput };
	const explanation = await explainRun(call.client, run, options);
	const problem = explanation.output?.outputProblem;
	if (problem) addHint(call.context, { message: `Output of job run "${run.name}": ${problem}` });
	return explanation;
}

/** Maximum lengths: of the cause in the title of an error, and of the service's message below it. */
const MAX_SUMMARY = 300;
const MAX_REASON = 2_000;

/** How the service begins a message with the status, which the title already gives. */
const SAYS_ENDED = /^(the )?(job|run|job run) (has )?(failed|was cancelled|timed out)(:\s*|\.?$)/i;

/** The output for a run that has ended, or the error of one that did not complete. */
export async function finishRun(
	call: Call,
	run: JobRun,
	options: WaitOptions,
): Promise<INodeExecutionData[]> {
	const { client } = call;
	const { costLimit, logLines, includeOutput } = options;
	const cost = {
		...costLimit?.facts(),
		...(options.includeCost ? (await fetchCostFields(client, [run])).get(run) : undefined),
	};
	const isComplete = run.outcome === 'COMPLETED';
	const explanation = await readLog(call, run, isComplete ? 0 : logLines, includeOutput);
	if (isComplete) return [addFacts(toRunItem(call, run), { ...explanation.output, ...cost })];
	if (options.onFailure === 'return') {
		return [addFacts(toRunItem(call, run), { ...toExplanationFields(explanation), ...cost })];
	}
	throw toNotCompletedFailure(run, explanation, costLimit).withContext({
		...(logLines > 0 ? toExcerptContext(explanation) : {}),
		facts: cost,
	});
}

/** The excerpt of a log as context of an error: a description is cut at its end, where a log says why. */
function toExcerptContext({ isTail, logProblem, excerpt }: RunExplanation): Context {
	if (excerpt) return { after: joinLines(isTail && 'Last log lines:', excerpt) };
	return logProblem ? {} : { after: 'The log has no lines from the program.' };
}

/** The error of a run that did not complete; the excerpt of its log is only among its facts. */
function toNotCompletedFailure(
	run: JobRun,
	explanation: RunExplanation,
	costLimit: WaitOptions['costLimit'],
): Failure {
	const { cause, location, returnCode, logProblem } = explanation;
	const verb = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' };
	const outcome = run.outcome as keyof typeof verb | undefined;
	const overLimit = costLimit?.passed;
	const isStopped = overLimit && (outcome ?? 'CANCELLED') === 'CANCELLED';
	const reason = isStopped ? 'it exceeded its cost limit' : cause.replace(SAYS_ENDED, '');
	const short = reason.split('\n', 1)[0].slice(0, MAX_SUMMARY);
	const message = run.message.replace(SAYS_ENDED, '');
	return new Failure({
		message: `Job run "${run.name}" ${verb[outcome ?? 'CANCELLED']}${short ? `: ${short}` : ''}`,
		description: joinLines(
			`Run ID: ${run.id}`,
			overLimit && costLimit.explain(overLimit),
			location && `Location: ${location}`,
			returnCode !== undefined && `Return code: ${returnCode}`,
			!short.includes(message) && message.slice(0, MAX_REASON),
			logProblem && `The log could not be read: ${logProblem}`,
		),
		nextStep:
			outcome === 'TIMED_OUT'
				? `To allow more time, raise '${timeoutField.displayName}' where the run is submitted: under 'Options' in Job Run: Create, or under 'Changes' in Run Again.`
				: undefined,
		facts: {
			...run.facts,
			outcome,
			...toExplanationFacts(explanation),
		},
	});
}

export const simplifyTaskRun = (raw: IDataObject) => taskRuns.of(raw).simplify();

export function toTaskRunItem({ input }: Reading, { raw }: TaskRun): INodeExecutionData {
	return shapeItems(input, 'getTaskRun', [raw], simplifyTaskRun)[0];
}

/** The output for a task run that has ended, or the error of one that did not succeed. */
export async function finishTaskRun(
	call: Call,
	run: TaskRun,
	{ onFailure }: Pick<WaitOptions, 'onFailure'>,
): Promise<INodeExecutionData[]> {
	const { id, name, status: state } = run;
	const output = toTaskRunItem(call, run);
	if (state === 'SUCCEEDED') {
		addTemporaryHint(call, run);
		return [output];
	}
	const explanation = await explainTaskRun(call.client, run);
	if (onFailure === 'return') return [addFacts(output, toExplanationFields(explanation))];

	const { cause, location, returnCode, logProblem } = explanation;
	const says =
		state === 'FAILED' && cause
			? `failed: ${cause.split('\n', 1)[0]}`
			: `did not succeed: ${state.toLowerCase().replace('_', ' ')}`;
	const error = new Failure({
		message: `Task run "${name}" ${says}`,
		description: joinLines(
			!says.includes(run.message) && run.message,
			`Task run ID: ${id}`,
			location && `Location: ${location}`,
			returnCode !== undefined && `Return code: ${returnCode}`,
			logProblem && `The log could not be read: ${logProblem}`,
		),
		facts: { ...run.facts, ...toExplanationFacts(explanation) },
	});
	throw state === 'FAILED' ? error.withContext(toExcerptContext(explanation)) : error;
}

/** Says that results may be deleted, where they may be in RasterFlow's default location. */
export function addTemporaryHint(call: Call, run: TaskRun): void {
	const [address] = run.temporaryResults;
	if (address === undefined) return;
	addHintOnce(call, 'temporary', {
		message: `Wherobots Cloud deletes files in RasterFlow's default location after 7 days. If ${address} is one of them, copy it to your own storage or, if the task has an input named bucket, have it write there.`,
		type: 'info',
	});
}

export const waitField = defineSwitchField({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		"Whether to wait until the run has ended, for up to 60 minutes unless 'Max Wait (Minutes)' says otherwise, instead of returning as soon as it is submitted",
});

const costLimitField = defineAmountField({
	displayName: 'Cancel Above Cost (USD)',
	name: 'cancelAboveCost',
	placeholder: 'e.g. 25.00',
	description:
		'Cost above which the run is cancelled, while the node waits for it. Costs are reported late, so the final cost can be higher.',
});

/** A run that this operation did not submit is not cancelled by default. */
const defineCancelOnStopField = (ownRun: boolean) =>
	defineSwitchField({
		displayName: 'Cancel Run If Stopped',
		name: 'cancelOnStop',
		default: ownRun,
		description:
			'Whether to cancel the run in Wherobots Cloud when this workflow execution is stopped or times out',
	});

const onFailureField = defineChoiceField<'fail' | 'return'>({
	displayName: 'If Run Does Not Complete',
	name: 'onFailure',
	options: {
		fail: ['Fail the Node', 'Stop with an error that gives the reason'],
		return: ['Return the Run', 'Output the run, whatever its status'],
	},
	default: 'fail',
	description:
		"What to do when the run fails, is cancelled or is timed out by the service. If it is still active after 'Max Wait (Minutes)', the node fails in any case.",
});

const maxIntervalField = defineCountField({
	displayName: 'Max Interval (Seconds)',
	name: 'maxIntervalSeconds',
	default: DEFAULT_MAX_INTERVAL_S,
	description: 'Longest interval between status checks. The first checks are closer together.',
});

const maxWaitField = defineCountField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 60,
	description:
		'How long to wait for the run to end. The execution keeps running in the meantime: for runs of several hours, use the Wherobots Trigger.',
});

/** The collection for a task run. @param ownRun whether the run is created by the same operation */
export function defineTaskWaitField(
	ownRun: boolean,
	...others: INodeProperties[]
): INodeProperties {
	const options = [defineCancelOnStopField(ownRun), onFailureField, maxIntervalField, maxWaitField];
	const displayOptions = ownRun ? { show: { [waitField.name]: [true] } } : undefined;
	return defineCollection('Wait Options', [...options, ...others], { displayOptions });
}

/** Wait options of a job run: those of a task run, and what needs its cost or its log. */
export const defineWaitOptionsField = (ownRun: boolean) =>
	defineTaskWaitField(ownRun, costLimitField, includeCostField, includeOutputField, logLinesField);

const LATER = 'Job Run: Wait for Completion or the Wherobots Trigger';

/** What to do when a run takes longer than the wait. @param field how long to wait */
export function adviseOnWait(field: INodeProperties, later = LATER): string {
	return `Raise '${field.displayName}', or pick up the run later with ${later}.`;
}

/** Reads the collection of `defineWaitOptionsField`. */
export function readWaitOptions(input: Input, ownRun: boolean) {
	const options = input.within(defineWaitOptionsField(ownRun));
	return {
		...readTaskWaitOptions(input, ownRun, LATER),
		costLimit: options.isSet(costLimitField)
			? new CostLimit(readAmount(options, costLimitField))
			: undefined,
		logLines: options.integer(logLinesField),
		includeCost: options.flag(includeCostField),
		includeOutput: options.flag(includeOutputField),
	};
}

/** Reads the options of `defineTaskWaitField`, which job runs have as well. @param later as in `adviseOnWait` */
export function readTaskWaitOptions(
	input: Input,
	ownRun: boolean,
	later = 'Task Run: Wait for Completion',
) {
	const options = input.within(defineTaskWaitField(ownRun));
	return {
		cancelOnStop: options.flag(defineCancelOnStopField(ownRun)),
		onFailure: options.choice(onFailureField),
		maxIntervalMs: 1000 * options.integer(maxIntervalField),
		maxWaitMs: 60_000 * options.integer(maxWaitField),
		advice: adviseOnWait(maxWaitField, later),
	};
}

type WaitOptions = ReturnType<typeof readWaitOptions>;

/** Writes each status of a run into n8n's log: the editor shows nothing of a node until it ends. */
export const createStatusLogger =
	({ logger }: Pick<IExecuteFunctions, 'logger'>) =>
	({ id, name, status }: JobRun): void =>
		logger.info(`Wherobots job run ${name}: ${status}`, { runId: id });

export const waitForCompletion: Operation = {
	name: 'Wait for Completion',
	value: 'waitForCompletion',
	action: 'Wait for job run completion',
	description: 'Wait until a job run has ended, then return it',
	fields: [jobRunPart.field, ...shapeFields, defineWaitOptionsField(false)],
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const runId = input.text(jobRunPart.field);
		const options = readWaitOptions(input, false);
		const onStatus = createStatusLogger(context);
		return {
			finish: async () =>
				await finishRun(call, await waitForEnd(client, runId, { ...options, onStatus }), options),
		};
	},
};

export const waitForTaskCompletion: Operation = {
	name: 'Wait for Completion',
	value: 'waitForCompletion',
	action: 'Wait for task run completion',
	description: 'Wait until a task run has ended, then return it with its results',
	fields: [taskRunPart.field, ...shapeFields, defineTaskWaitField(false)],
	kind: 'read',
	async execute(call) {
		const id = call.input.text(taskRunPart.field);
		const options = readTaskWaitOptions(call.input, false);
		const finish = async () =>
			await finishTaskRun(call, await waitForTaskRun(call.client, id, options), options);
		return { finish };
	},
};

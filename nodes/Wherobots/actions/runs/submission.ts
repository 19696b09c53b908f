/** Create and Run Again: a run is submitted once. Tested by test/engine/actions/runs/create.*.test.ts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { jobRunPart } from '../../form/address';
import {
	defineChoiceField,
	defineCollection,
	defineCountField,
	defineSwitchField,
} from '../../form/declarations';
import { regionField, runtimeField } from '../../form/fields';
import type { Input } from '../../form/input';
import { addFacts, shapeFields } from '../../form/output';
import { ORGANIZATION_DEFAULT } from '../../service/deployment';
import { jobRuns, type JobRun, toNextName } from '../../service/records/jobRun';
import * as rules from '../../service/rules';
import {
	changeProgram,
	getProgram,
	listControlledSettings,
	toRequest,
	type RunRequest,
} from '../../service/runs/runRequests';
import { explainReading, addContext, Failure, isAmbiguous } from '../../transport/failure';
import { fetchRun } from '../../transport/records';
import type { Reuse } from '../../useCases/runs/findByName';
import { RunSubmission } from '../../useCases/runs/submit';
import { waitForEnd, type CostLimit } from '../../useCases/runs/wait';
import { fetchS3Path, sessionStorageField } from '../files/fields';
import {
	addHint,
	addHintOnce,
	type Call,
	type Operation,
	type Outcome,
} from '../operations/operation';
import * as form from './payload';
import { readRunFiles, type RunFiles } from './runFiles';
import {
	createStatusLogger,
	defineWaitOptionsField,
	finishRun,
	readWaitOptions,
	toRunItem,
	waitField,
} from './wait';

const nameExistsField = defineChoiceField({
	displayName: 'If a Run With This Name Exists',
	name: 'ifNameExists',
	options: {
		submit: ['Submit Another', 'Submit a new run; names do not have to be unique'],
		useActive: [
			'Use It If Active',
			'Use the existing run if it is pending or running; otherwise submit another',
		],
		useAny: [
			'Use It If Recent',
			'Use the existing run if it was created within a given period. With a date in the name, the work is then submitted only once.',
		],
	},
	default: 'submit',
	description:
		'What to do when a run with exactly this name already exists, whatever it executes: program, arguments and settings are not compared. Also applies to executions that run at the same time. A run that this node did not submit is never cancelled by it.',
});

const periodField = defineCountField({
	displayName: 'Within the Last (Hours)',
	name: 'nameExistsHours',
	typeOptions: { minValue: 1, maxValue: 87_600 },
	default: 24,
	description: 'How long ago the existing run may have been created',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
});

const existingFailedField = defineChoiceField({
	displayName: 'If That Run Did Not Complete',
	name: 'ifExistingFailed',
	options: { submit: 'Submit Another', use: 'Use It' },
	default: 'submit',
	description: 'What to do when the existing run failed, was cancelled or timed out',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
});

/** Another execution may be waiting for a run that was reused: only our own is cancelled. */
const NOT_OURS = 'The run was found by its name, so it is not cancelled, whatever it costs.';

/** Which run of the same name is used instead of a new one. */
const reuseFields: INodeProperties[] = [nameExistsField, periodField, existingFailedField];

/** What an item submits. */
interface Job {
	/** What the form asks for. */
	asked: unknown;
	/** Returns the request; called once for each run, in the first attempt to submit it. */
	request(): Promise<RunRequest>;
	/** What is uploaded for it. */
	files?: RunFiles;
	/** What the output item also has. */
	facts?: IDataObject;
}

/**
 * Submits a run once, or uses one of its name, and waits for it if the form says so. Reads the fields
 * for both.
 *
 * @throws Failure that names the field and the rule it breaks
 */
function prepareSubmission(call: Call, { asked, files, ...job }: Job): Outcome {
	const { client, input, context, memory, noteCreated } = call;
	const wait = input.flag(waitField) ? readWaitOptions(input, true) : undefined;
	const reuse = readReuse(input);
	const submission = memory.item<RunSubmission>('submission', asked);
	let missing: string | undefined;
	const onShort = (given: number, total: number) => {
		missing = `The service returned ${given} runs with this name, but reports a total of ${total}. An active one may be missing, so this run may be a duplicate.`;
	};

	const submit = async (): Promise<Outcome> => {
		const current = await submission.once(async () => new RunSubmission(await job.request()));
		addRequestHints(call, current.request);
		const complete = async (request: RunRequest) => (await files?.addTo(request)) ?? request;
		const submitting = current.submit(client, { reuse, complete, onShort });
		const { run, reused, recovered } = await submitting.catch((error: unknown) => {
			if (isAmbiguous(error)) noteCreated({ name: current.request.payload.name });
			throw addContext(error, files?.context ?? {});
		});
		if (!reused) noteCreated({ id: run.id, name: run.name });
		if (!reused && missing) addHint(context, { message: missing });
		const facts = {
			...job.facts,
			reused,
			...(recovered ? { recovered } : {}),
			...files?.facts,
			...(reused && wait?.costLimit ? { costLimitProblem: NOT_OURS } : {}),
		};
		if (!wait) return [addFacts(toRunItem(call, run), facts)];
		const finish = async () => {
			// An earlier attempt may have cancelled this run for its cost already.
			const ofRun = memory.item<CostLimit | undefined>(['cost limit', run.id], asked);
			const costLimit = reused ? undefined : ofRun.get(() => wait.costLimit);
			const options = { ...wait, cancelOnStop: wait.cancelOnStop && !reused, costLimit };
			const last = await waitForEnd(client, run.id, {
				...options,
				submitted: run,
				onStatus: createStatusLogger(context),
			});
			// A retry of the node then submits another run, unless it would only spend as much again.
			const isBad = last.outcome !== 'COMPLETED' && wait.onFailure === 'fail';
			if (isBad && !costLimit?.passed) submission.value = undefined;
			return (await finishRun(call, last, options)).map((entry) => addFacts(entry, facts));
		};
		return { finish: async () => await explainReading(finish(), { facts: job.facts }) };
	};
	// An error says what an output would say.
	return { submit: async () => await explainReading(submit(), { facts: job.facts }) };
}

function addRequestHints(call: Call, request: RunRequest): void {
	const { args = [] } = getProgram(request);
	const several = args.findIndex((arg) => /^--?\w\S*\s.*\s--?[a-z]/i.test(arg));
	if (several >= 0) {
		const message = `Argument ${several + 1} looks like several in one. If you meant several, add each one separately.`;
		addHintOnce(call, 'arguments', { message });
	}
	const controlled = listControlledSettings(request);
	if (controlled.length === 0) return;
	addHint(call.context, {
		message: `Wherobots Cloud controls these Spark settings itself, so the values given may have no effect: ${controlled.join(', ')}.`,
	});
}

/** Which run of the same name to use; undefined when another one is to be submitted anyway. */
function readReuse(input: Input): Reuse | undefined {
	switch (input.choice(nameExistsField)) {
		case 'submit':
			return undefined;
		case 'useActive':
			return { which: 'active' };
		case 'useAny':
			return {
				which: 'any',
				withinMs: 3_600_000 * input.integer(periodField),
				evenFailed: input.choice(existingFailedField) === 'use',
			};
	}
}

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create job run',
	description:
		'Submit a Python file, a JAR or a notebook as a job run and, optionally, wait for it to finish',
	hint: "A name that identifies the work, such as nightly-etl- followed by the date, with 'If a Run With This Name Exists' set to 'Use It If Recent', submits the work once even if the workflow runs twice; do not put the execution's ID into it. Leave Region and Runtime at the organization's default unless asked otherwise. A run costs money until it ends: set Timeout (Minutes) and, when waiting, Cancel Above Cost (USD).",
	fields: [
		...form.requestForm,
		...reuseFields,
		...shapeFields,
		waitField,
		defineWaitOptionsField(true),
		form.optionsField,
	],
	requestFields: form.requestFields,
	kind: 'write',
	async execute(call) {
		const { input } = call;
		const request = form.readRunRequest(input);
		const programFrom = input.choice(form.programFromField);
		const runType = request.payload.runPython ? 'python' : 'jar';
		const { uri: path } = getProgram(request);
		const place =
			programFrom === 'storage' && !form.isAddress(path)
				? { storageId: input.text(sessionStorageField), path }
				: undefined;
		const files =
			programFrom === 'storage'
				? undefined
				: await readRunFiles(call, programFrom === 'notebook', request, (name) =>
						form.checkKind(runType, name),
					);
		return prepareSubmission(call, {
			asked: { request, place },
			request: async () =>
				place ? changeProgram(request, { uri: await fetchS3Path(call, place) }) : request,
			files,
		});
	},
};

const anyStatusField = defineSwitchField({
	displayName: 'Run Again in Any Status',
	name: 'anyStatus',
	description: 'Whether to run it again even if it has completed, or is still pending or running',
});

const newNameField = {
	...form.nameField,
	default: '',
	required: undefined,
	description:
		'Name of the new run. Defaults to the old name with the next number: nightly-etl-2 after nightly-etl.',
};

const changesField = defineCollection(
	'Changes',
	[
		{ ...form.argumentsField, displayOptions: undefined },
		newNameField,
		regionField,
		runtimeField,
		form.timeoutField,
		form.versionField,
	],
	{ placeholder: 'Add change' },
);

const { region, runtime, timeoutSeconds, args } = form.requestFields;

export const rerun: Operation = {
	name: 'Run Again',
	value: 'rerun',
	action: 'Run job again',
	description:
		'Run the program of a job run again as a new run, optionally with changes; by default only if it did not complete',
	hint: 'Takes everything from the run: put only what should differ into Changes. After a trigger on failed runs, use an If node to stop at names that end in -2, because the second try can fail, too.',
	fields: [
		jobRunPart.field,
		changesField,
		anyStatusField,
		...reuseFields,
		...shapeFields,
		waitField,
		defineWaitOptionsField(true),
	],
	requestFields: { name: newNameField, region, runtime, timeoutSeconds, args },
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const runId = input.text(jobRunPart.field);
		const changes = readChanges(input.within(changesField));
		const anyStatus = input.flag(anyStatusField);
		return prepareSubmission(call, {
			asked: { runId, changes, anyStatus },
			facts: { rerunOf: runId },
			async request() {
				const run = await fetchRun(client, jobRuns, runId);
				if (!anyStatus) requireIncomplete(run, runId);
				return applyChanges(call, run, runId, changes);
			},
		});
	},
};

/** What is undefined stays as it was. */
type Changes = ReturnType<typeof readChanges>;

function readChanges(fields: Input) {
	const minutes = fields.optionalInteger(form.timeoutField);
	return {
		name: fields.optionalText(newNameField),
		region: fields.optionalText(regionField),
		runtime: fields.optionalText(runtimeField),
		version: fields.optionalText(form.versionField),
		timeoutSeconds: minutes && 60 * minutes,
		args:
			fields.raw(form.argumentsField, '') === '' ? undefined : fields.texts(form.argumentsField),
	};
}

function requireIncomplete(run: JobRun, runId: string): void {
	const { outcome } = run;
	if (outcome !== undefined && outcome !== 'COMPLETED') return;
	const state = outcome === undefined ? `is still ${run.status}` : 'has completed';
	throw new Failure({
		message: `Job run "${run.name}" ${state}, so it was not run again`,
		description: `Run ID: ${runId}\nTurn on '${anyStatusField.displayName}' to run it again anyway.`,
		facts: run.facts,
	});
}

/** The request for a new run, with the changes. Hints say what the record does not tell. */
function applyChanges(
	{ context, input }: Call,
	run: JobRun,
	runId: string,
	{ name, args: newArgs, ...changes }: Changes,
): RunRequest {
	const before = toRequest(run);
	if ('problem' in before) {
		throw new Failure({
			message: `Job run "${run.name}" cannot be run again: its record ${before.problem}`,
			description: `Run ID: ${runId}\nSubmit its program with Job Run: Create.`,
			facts: run.facts,
		});
	}
	const { payload, leftOut } = before;
	const next = name ?? toNextName(payload.name);
	const problem = rules.checkRunName(next);
	if (problem) {
		const where = `under '${changesField.displayName}'`;
		throw input.problem(newNameField, `must be set ${where}: the next name, "${next}", ${problem}`);
	}

	/** That of the record unless it is changed; undefined for the organization's default. */
	const choose = (what: 'region' | 'runtime', known: unknown) => {
		const value = changes[what] ?? known;
		if (value !== undefined) return value === ORGANIZATION_DEFAULT ? undefined : String(value);
		hint(`does not name its ${what}, so the organization's default is used`);
		return undefined;
	};
	const hint = (what: string) =>
		addHint(context, { message: `The record of job run "${run.name}" ${what}.` });
	if (leftOut.length > 0) hint(`also has ${leftOut.join(', ')}, which were not submitted again`);
	const { version = payload.version, timeoutSeconds: timeout = payload.timeoutSeconds } = changes;
	const changed = {
		region: choose('region', before.region),
		payload: {
			...payload,
			name: next,
			runtime: choose('runtime', payload.runtime),
			version,
			timeoutSeconds: timeout,
		},
	};
	return newArgs ? changeProgram(changed, { args: newArgs }) : changed;
}

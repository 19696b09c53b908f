/** Tested by test/engine/actions/jobRun/create.*.test.ts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineCountField } from '../../form/declarations';
import type { Input } from '../../form/input';
import { addFacts } from '../../form/output';
import { listControlledSettings, getOutcome, type RunRequest } from '../../service/jobRuns';
import { explainReading, addContext } from '../../transport/failure';
import type { StoredFile } from '../../procedures/storage';
import type { Reuse } from '../../procedures/runs/findByName';
import { submitOnce, type Submission, type SubmissionState } from '../../procedures/runs/submit';
import { waitForEnd, type CostLimit } from '../../procedures/runs/wait';
import { ExecutionStates, getWork } from '../execution/once';
import { addHint, type Call, type Outcome } from '../operations/operation';
import { setFiles } from './payload';
import { uploadRunFiles, describeUploads, type RunFiles } from './runFiles';
import { finishRun, createStatusLogger, readWaitOptions, toRunItem, waitField } from './wait';

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
			'Use It Regardless of Outcome',
			'Use the existing run if it was created within a given period. With a name that identifies the work, such as one with the date, the work is submitted only once.',
		],
	},
	default: 'submit',
	description:
		'What to do when a run with exactly this name already exists. Also applies to executions that run at the same time.',
});

const periodField = defineCountField({
	displayName: 'Within the Last (Hours)',
	name: 'nameExistsHours',
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
const NOT_OURS = 'The run was found by its name, so it is not cancelled for its cost.';

/** Submissions whose outcome is unclear: every attempt of Retry on Fail searches for their runs. */
const states = new ExecutionStates<SubmissionState>(() => ({}));

/** Which run of the same name is used instead of a new one. */
export const reuseFields: INodeProperties[] = [nameExistsField, periodField, existingFailedField];

/** What an item submits. */
interface Job {
	/** What the form asks for. */
	asked: unknown;
	/** Returns the request; called once for all attempts of Retry on Fail, before the run is submitted. */
	request(): Promise<RunRequest>;
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
export function prepareSubmission(call: Call, job: Job): Outcome {
	const { client, input, context, itemIndex } = call;
	const { asked, files } = job;
	const wait = input.flag(waitField) ? readWaitOptions(input, true) : undefined;
	const reuse = readReuse(input);
	const state = states.ofItem(context, itemIndex, asked);
	const work = getWork<Submission & { costLimit?: CostLimit }>(call, 'run', asked);
	let missing: string | undefined;
	const onShort = (given: number, total: number) => {
		missing = `The service returned ${given} runs with this name and says that there are ${total}. One that is active may be missing, so this run may be a second one.`;
	};
	const noteUploads = () => {
		for (const { uploaded, destination, path } of state.uploads ?? []) {
			if (uploaded) call.noteCreated({ id: destination, name: path });
		}
	};

	const submit = async (): Promise<Outcome> => {
		const request = (state.request ??= await job.request());
		const controlled = listControlledSettings(request);
		if (controlled.length > 0) {
			addHint(context, {
				message: `Wherobots Cloud controls these Spark settings itself, so the values given may have no effect: ${controlled.join(', ')}.`,
			});
		}
		const prepare =
			files && (async () => setFiles(request, await uploadRunFiles(call, files, state)));
		if (state.uploads?.length) setFiles(request, state.uploads);
		const sent = work.once(
			async () => submitOnce(client, request, reuse, state, { prepare, onShort }),
			() => false,
		);
		const submission = await sent
			.catch((error: unknown) => {
				if (state.lost) call.noteUncertain({ name: request.payload.name });
				throw addContext(error, describeUploads(state.uploads));
			})
			.finally(noteUploads);
		const { run, reused, recovered } = submission;
		if (!reused) {
			call.noteCreated({ id: run.id, name: run.name });
			if (missing) addHint(context, { message: missing });
		}
		const facts = {
			...job.facts,
			reused,
			...(recovered ? { recovered } : {}),
			...toUploadFacts(state.uploads),
			...(reused && wait?.costLimit ? { costLimitProblem: NOT_OURS } : {}),
		};
		if (!wait) return [addFacts(toRunItem(call, run), facts)];
		const finish = async () => {
			// An earlier try of this item may have cancelled its run for the cost already.
			const costLimit = reused ? undefined : (submission.costLimit ??= wait.costLimit);
			const options = { ...wait, cancelOnStop: wait.cancelOnStop && !reused, costLimit };
			const last = await waitForEnd(client, run.id, {
				...options,
				submitted: run,
				onStatus: createStatusLogger(context),
			});
			// A retry of the node then submits another run, unless it would only spend as much again.
			const isBad = getOutcome(last) !== 'COMPLETED' && wait.onFailure === 'fail';
			if (isBad && !costLimit?.passed) work.result = undefined;
			return (await finishRun(call, last, options)).map((entry) => addFacts(entry, facts));
		};
		return { finish: async () => await explainReading(finish(), { facts: job.facts }) };
	};
	// An error says what an output would say.
	return { submit: async () => await explainReading(submit(), { facts: job.facts }) };
}

/** Where the files of a run are that were uploaded for it. */
function toUploadFacts([program, ...dependencies]: StoredFile[] = []): IDataObject {
	if (program === undefined) return {};
	const paths = dependencies.map(({ destination }) => destination);
	return { program: program.destination, ...(paths.length > 0 ? { dependencies: paths } : {}) };
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

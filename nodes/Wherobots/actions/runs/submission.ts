/** Tested by test/engine/actions/runs/create.*.test.ts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineCountField } from '../../form/declarations';
import type { Input } from '../../form/input';
import { addFacts } from '../../form/output';
import { listControlledSettings, type RunRequest } from '../../service/runs/runRequests';
import { explainReading, addContext, isAmbiguous } from '../../transport/failure';
import type { Reuse } from '../../useCases/runs/findByName';
import { RunSubmission } from '../../useCases/runs/submit';
import { waitForEnd, type CostLimit } from '../../useCases/runs/wait';
import { addHint, type Call, type Outcome } from '../operations/operation';
import type { RunFiles } from './runFiles';
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
			'Use It If Recent',
			'Use the existing run if it was created within a given period: with a date in its name, the work is submitted only once',
		],
	},
	default: 'submit',
	description:
		'What to do when a run with exactly this name already exists. Also applies to executions that run at the same time.',
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
export const reuseFields: INodeProperties[] = [nameExistsField, periodField, existingFailedField];

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
export function prepareSubmission(call: Call, { asked, files, ...job }: Job): Outcome {
	const { client, input, context, memory, noteCreated } = call;
	const wait = input.flag(waitField) ? readWaitOptions(input, true) : undefined;
	const reuse = readReuse(input);
	const submission = memory.item<RunSubmission>('submission', asked);
	let missing: string | undefined;
	const onShort = (given: number, total: number) => {
		missing = `The service returned ${given} runs with this name and says that there are ${total}. An active one may be missing, so this run may be a duplicate.`;
	};

	const submit = async (): Promise<Outcome> => {
		const current = await submission.once(async () => new RunSubmission(await job.request()));
		addControlledHint(call, current.request);
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

function addControlledHint({ context }: Call, request: RunRequest): void {
	const controlled = listControlledSettings(request);
	if (controlled.length === 0) return;
	addHint(context, {
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

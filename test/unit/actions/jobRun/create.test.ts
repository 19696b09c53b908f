import type { INodeExecutionData } from 'n8n-workflow';

import { create } from '../../../../nodes/Wherobots/actions/jobRun/create.operation';
import type { Call } from '../../../../nodes/Wherobots/actions/operations/operation';
import type { Run } from '../../../../nodes/Wherobots/service/types';
import {
	submitOnce,
	type SubmissionState,
} from '../../../../nodes/Wherobots/transport/jobRuns/submit';
import { waitForEnd } from '../../../../nodes/Wherobots/transport/jobRuns/waitForEnd';
import { refusal } from '../../../support/fileClient';
import { pythonRun, runCall, runOf } from './runCall';

jest.mock('../../../../nodes/Wherobots/transport/jobRuns/submit');
jest.mock('../../../../nodes/Wherobots/transport/jobRuns/waitForEnd');

const submits = jest.mocked(submitOnce);
const waits = jest.mocked(waitForEnd);

/** What was requested at each submission. */
let seen: object[];

beforeEach(() => {
	seen = [];
	waits.mockReset();
});

/** What a submission leaves behind, and whether it found its run by its name. */
type Left = SubmissionState & { reused?: boolean };

/** Makes every submission end like this. */
function submitting(run: Run | Error, { reused = false, ...left }: Left = {}) {
	submits.mockReset().mockImplementation(async (_client, request, _reuse, state) => {
		seen.push(structuredClone(request.payload));
		Object.assign(state, left);
		if (run instanceof Error) throw run;
		return await Promise.resolve({ run, reused, recovered: false });
	});
}

/** Runs one attempt of Retry on Fail to its end. */
async function attempt(call: Call): Promise<INodeExecutionData[]> {
	const outcome = (await create.execute(call)) as { submit(): Promise<unknown> };
	const submitted = (await outcome.submit()) as
		| INodeExecutionData[]
		| { finish(): Promise<INodeExecutionData[]> };
	return Array.isArray(submitted) ? submitted : await submitted.finish();
}

const failureOf = async (work: Promise<unknown>) => await work.catch((error: unknown) => error);

const destination = 's3://bucket/jobs/job.py';
const program = { storageId: 's', path: 'jobs/job.py', destination, size: 9, uploaded: true };

describe('what the errors of other items name', () => {
	const run = { created: { id: 'r1', name: 'nightly-etl' } };
	const file = { created: { id: destination, name: 'jobs/job.py' } };
	const open = { open: { name: 'nightly-etl' } };

	it.each<[string, Run | Error, Left, unknown[]]>([
		['a run that was submitted', runOf('PENDING'), {}, [run]],
		[
			'a run and the program that was uploaded for it',
			runOf('PENDING'),
			{ uploads: [program] },
			[file, run],
		],
		['only the program, when the run was refused', refusal(422), { uploads: [program] }, [file]],
		['a run that may or may not exist', refusal(500), { lost: {} as never }, [open]],
		[
			'no program that already existed',
			refusal(422),
			{ uploads: [{ ...program, uploaded: false }] },
			[],
		],
		['no run that was found by its name', runOf('PENDING'), { reused: true }, []],
		['nothing where nothing was created', refusal(422), {}, []],
	])('is %s', async (_, ends, left, names) => {
		submitting(ends, left);
		const { call, noted } = runCall(pythonRun);
		await failureOf(attempt(call));
		expect(noted).toEqual(names);
	});
});

it('the next attempt runs the program that the first one uploaded', async () => {
	submitting(refusal(422), { uploads: [program] });
	const { call } = runCall(pythonRun);
	await failureOf(attempt(call));
	await failureOf(attempt(call));
	expect(seen).toEqual([
		{ name: 'nightly-etl', runtime: 'tiny', runPython: { uri: pythonRun.pythonUri, args: [] } },
		{ name: 'nightly-etl', runtime: 'tiny', runPython: { uri: destination, args: [] } },
	]);
});

describe('a run that is waited for', () => {
	const waiting = { ...pythonRun, waitForCompletion: true, 'waitOptions.logLines': 0 };

	it.each([
		['COMPLETED', 'fail', false],
		['FAILED', 'fail', true],
		['FAILED', 'return', false],
	])(
		'and ended as %s (then: %s) is submitted again by the next attempt: %s',
		async (status, onFailure, anew) => {
			submitting(runOf('PENDING'));
			waits.mockResolvedValue(runOf(status));
			const { call } = runCall({ ...waiting, 'waitOptions.onFailure': onFailure });
			await failureOf(attempt(call));
			await failureOf(attempt(call));
			expect(submits).toHaveBeenCalledTimes(anew ? 2 : 1);
		},
	);

	it.each<[string, object, boolean, boolean]>([
		['is cancelled with its execution', {}, false, true],
		['is left alone where that is chosen', { 'waitOptions.cancelOnStop': false }, false, false],
		['is left alone where it was found by its name', {}, true, false],
	])('%s', async (_, more, reused, cancelOnStop) => {
		submitting(runOf('PENDING'), { reused });
		waits.mockResolvedValue(runOf('COMPLETED'));
		await attempt(runCall({ ...waiting, ...more }).call);
		expect(waits.mock.calls.map(([, id, options]) => [id, options])).toEqual([
			['r1', expect.objectContaining({ cancelOnStop })],
		]);
	});
});

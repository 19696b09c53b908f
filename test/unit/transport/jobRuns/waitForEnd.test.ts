import type { INode } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError, clock } from '../../../../nodes/Wherobots/transport/clock';
import {
	factsOf,
	isTemporary,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';
import type { Failure } from '../../../../nodes/Wherobots/transport/failures/failure';
import {
	waitForEnd,
	type WaitForEndOptions,
} from '../../../../nodes/Wherobots/transport/jobRuns/waitForEnd';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const time = suiteWithInstantPauses();

const runOf = (status: string) => ({ id: 'r1', name: 'nightly', status }) as Run;

const failure = (httpCode: string, more: Partial<Failure> = {}) =>
	toNodeApiError({} as INode, { message: 'No', description: 'Why', httpCode, ...more });

/** Waits for a run that the service shows like this, the last one over and over. */
function waiting(
	shown: Array<string | Error>,
	options: Partial<WaitForEndOptions> = {},
	signal?: AbortSignal,
) {
	const calls: string[] = [];
	let reads = 0;
	const client = {
		signal,
		executionSignal: signal,
		evenWhenCancelled: () => client,
		error: (given: Failure) => toNodeApiError({} as INode, given),
		call: async (id: string) => {
			calls.push(id);
			if (id === 'cancelRun') return await Promise.reject(new Error('It has ended'));
			const next = shown[Math.min(reads++, shown.length - 1)];
			return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(runOf(next)));
		},
	} as unknown as Client;
	const limits = { maxWaitMs: 600_000, maxIntervalMs: 10_000, cancelOnStop: true, ...options };
	return { done: waitForEnd(client, 'r1', limits), calls };
}

it.each(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'])('a run ends as %s', async (status) => {
	const { done, calls } = waiting(['PENDING', 'RUNNING', 'NEW', status]);
	expect(await done).toEqual(runOf(status));
	expect(calls).toEqual(Array(4).fill('getRun'));
});

it('each status of a run is reported once', async () => {
	const told: string[] = [];
	const onStatus = ({ status }: Run) => told.push(status);
	const submitted = runOf('PENDING');
	await waiting(['PENDING', 'PENDING', 'RUNNING', 'RUNNING', 'COMPLETED'], { submitted, onStatus })
		.done;
	expect(told).toEqual(['PENDING', 'RUNNING', 'COMPLETED']);
});

describe('a run that takes too long', () => {
	it('is left running, and named', async () => {
		const error = await waiting(['RUNNING']).done.catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			message: 'The job run did not end within 10 minutes',
			context: {
				failure: {
					description:
						"Its status is RUNNING. It was not cancelled. Run ID: r1\nRaise 'Max Wait (Minutes)', or pick up the run later with Job Run: Wait for Completion or the Wherobots Trigger.",
				},
				facts: { runId: 'r1', runName: 'nightly', status: 'RUNNING' },
			},
		});
		expect(time.now).toBe(600_000);
	});

	it('is reported with the outage that hid it', async () => {
		const outage = failure('503', { temporary: true, requestId: 'q' });
		const error = await waiting([outage]).done.catch((reason: unknown) => reason as Error);
		expect(error).toMatchObject({
			message: 'The job run did not end within 10 minutes',
			httpCode: '503',
			context: { failure: { description: expect.stringMatching(/^No It was not cancelled/) } },
		});
		expect(factsOf(error as never)).toEqual({ runId: 'r1', requestId: 'q' });
		expect(isTemporary(error)).toBe(true);
	});
});

describe('a run that cannot be read', () => {
	it('is named, with what is known about it', async () => {
		const { done } = waiting(['RUNNING', failure('404')]);
		await expect(done).rejects.toMatchObject({
			message: 'No',
			context: {
				failure: { description: 'The node was waiting for job run r1 (nightly).\nWhy' },
				facts: { runId: 'r1', runName: 'nightly', status: 'RUNNING' },
			},
		});
		await expect(waiting([failure('404')]).done).rejects.toMatchObject({
			context: {
				failure: { description: 'The node was waiting for job run r1.\nWhy' },
				facts: { runId: 'r1' },
			},
		});
	});

	it('may be missing for two minutes after it was submitted', async () => {
		const submitted = runOf('PENDING');
		const late = [...Array<Error>(5).fill(failure('404')), 'COMPLETED'];
		expect(await waiting(late, { submitted }).done).toEqual(runOf('COMPLETED'));
		time.now = 0;
		await expect(waiting([failure('404')], { submitted }).done).rejects.toThrow('No');
		expect(time.now).toBeGreaterThanOrEqual(120_000);
		expect(time.now).toBeLessThan(140_000);
	});

	it('does not exist when it is still missing after two minutes', async () => {
		clock.pause = async () => {
			time.now += 120_000;
			await Promise.resolve();
		};
		const late = [failure('404'), failure('404'), 'COMPLETED'];
		await expect(waiting(late, { submitted: runOf('PENDING') }).done).rejects.toThrow('No');
	});

	it.each<[string, Error, Run | undefined]>([
		['cannot be found', failure('404'), undefined],
		['may not be read, though it was submitted just now', failure('403'), runOf('PENDING')],
	])('is not read again when it %s', async (_, refusal, submitted) => {
		const { done, calls } = waiting([refusal, 'COMPLETED'], { submitted });
		await expect(done).rejects.toThrow('No');
		expect(calls).toEqual(['getRun']);
	});
});

it.each([
	[true, ['getRun', 'cancelRun']],
	[false, ['getRun']],
])('is cancelled with the execution when that is wanted: %s', async (cancelOnStop, calls) => {
	const waited = waiting(['RUNNING'], { cancelOnStop }, AbortSignal.abort());
	await expect(waited.done).rejects.toBeInstanceOf(CancelledError);
	expect(waited.calls).toEqual(calls);
});

it('is not cancelled when the wait ends in another way', async () => {
	const { done, calls } = waiting(['RUNNING', failure('404')]);
	await expect(done).rejects.toThrow('No');
	expect(calls).not.toContain('cancelRun');
});

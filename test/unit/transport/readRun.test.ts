import type { Failure } from '../../../nodes/Wherobots/transport/failure';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { readRun } from '../../../nodes/Wherobots/transport/records';

/** Reads a run for which the service sends this body. */
async function reading(body: object) {
	const call = jest.fn(async () => await Promise.resolve(body));
	const error = (failure: Failure) => Object.assign(new Error(failure.message), failure);
	const run = await readRun({ call, error } as unknown as Client, 'r1');
	return { run, call };
}

it('anything with a status is a run, whatever the status', async () => {
	const body = { id: 'r1', status: 'PAUSED' };
	const { run, call } = await reading(body);
	expect(run).toBe(body);
	expect(call).toHaveBeenCalledWith('getRun', { path: { run_id: 'r1' } });
});

it.each([{}, { id: 'r1', status: null }, { status: 3 }])('%j is not a run', async (body) => {
	await expect(reading(body)).rejects.toMatchObject({
		message: 'Wherobots Cloud returned an unexpected response',
		description: expect.stringMatching(/no status.*\br1\b/),
		facts: { runId: 'r1' },
	});
});

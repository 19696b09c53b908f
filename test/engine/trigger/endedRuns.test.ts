/** The log of a run that has failed is read once for all triggers, as soon as it is complete. */
import type { INodeParameters } from 'n8n-workflow';

import { ENDED_RUN_LIMITS } from '../../../nodes/Wherobots/trigger/runs/endedRuns';
import { suiteWithTrigger } from '../harness/polling';

const { suite, active, pass } = suiteWithTrigger({
	...{ event: 'runStatusChanged', statuses: ['FAILED'], simplify: true },
});

/** So that pages that one trigger has just read do not serve the other. */
const LATER_MS = 15_000;

/** What two triggers say of a run that failed so long before, and how many requests each has for its log. */
async function pollTwo(endedMs: number, more: INodeParameters = {}, meanwhile = () => {}) {
	const two = [await active(), await active(more)];
	suite.store.createRun({
		plan: { pendingMs: 0, runningMs: 1_000, outcome: 'FAILED', logs: ['one', 'two'] },
	});
	pass(1_000 + endedMs);
	const come = [];
	for (const trigger of two) {
		const before = suite.requests.of('getRunLogs').length;
		await trigger.poll();
		const [item] = trigger.take();
		come.push({ ...item, asked: suite.requests.of('getRunLogs').length - before });
		pass(LATER_MS);
		meanwhile();
	}
	return come;
}

test('a minute after its end', async () => {
	const [first, second] = await pollTwo(60_000);
	expect(first.asked).toBeGreaterThan(0);
	expect(second).toEqual({ ...first, asked: 0 });
});

test('but not before, when lines may still arrive', async () => {
	const [, second] = await pollTwo(10_000);
	expect(second.asked).toBeGreaterThan(0);
});

test('with as many lines as each trigger asks for', async () => {
	const [, second] = await pollTwo(60_000, { options: { logLines: 1 } });
	expect(second).toMatchObject({ excerpt: expect.not.stringContaining('\n') });
});

test('again where it could not be read', async () => {
	suite.fails('getRunLogs', 403);
	const [first, second] = await pollTwo(60_000, {}, () => suite.faults.clear());
	expect(first).toHaveProperty('logProblem');
	expect(second).not.toHaveProperty('logProblem');
});

test('again where many others have been read since', async () => {
	jest.replaceProperty(ENDED_RUN_LIMITS, 'length', 10);
	const [, second] = await pollTwo(60_000);
	expect(second.asked).toBeGreaterThan(0);
});

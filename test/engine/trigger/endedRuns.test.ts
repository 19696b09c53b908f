/** The log of a run that has failed is read once for all triggers, as soon as it is complete. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ENDED_RUN_LIMITS } from '../../../nodes/Wherobots/trigger/runs/endedRuns';
import { credentialsFor } from '../harness';
import { suiteWithTrigger, type TriggerOptions } from '../harness/polling';

const { suite, active, pass } = suiteWithTrigger({
	...{ event: 'runStatusChanged', statuses: ['FAILED'], simplify: true },
});

/** So that pages that one trigger has just read do not serve the other. */
const LATER_MS = 15_000;

/** What two triggers say of a run that failed so long before, and how many requests each has for its log. */
async function pollTwo(
	endedMs: number,
	more: INodeParameters = {},
	meanwhile: (item: IDataObject) => void = () => {},
	options?: TriggerOptions,
) {
	const two = [await active(more), await active(more, options)];
	const logs = ['one', 'two', 'N8N_OUTPUT {"rows": [1]}'];
	suite.store.createRun({ plan: { pendingMs: 0, runningMs: 1_000, outcome: 'FAILED', logs } });
	pass(1_000 + endedMs);
	const come = [];
	for (const trigger of two) {
		const before = suite.requests.of('getRunLogs').length;
		await trigger.poll();
		const [item] = trigger.take();
		come.push({
			item: structuredClone(item),
			asked: suite.requests.of('getRunLogs').length - before,
		});
		pass(LATER_MS);
		meanwhile(item);
	}
	return come;
}

test('two minutes after its end', async () => {
	const [first, second] = await pollTwo(120_000);
	expect(first.asked).toBeGreaterThan(0);
	expect(second).toEqual({ ...first, asked: 0 });
});

test('but not before, when lines may still arrive', async () => {
	const [, second] = await pollTwo(90_000);
	expect(second.asked).toBeGreaterThan(0);
});

test('into items that nodes may change', async () => {
	const change = ({ output }: IDataObject) => ((output as IDataObject).rows as number[]).push(2);
	const [, { item }] = await pollTwo(120_000, { options: { includeOutput: true } }, change);
	expect(item.output).toEqual({ rows: [1] });
});

test('for each key', async () => {
	const credentials = credentialsFor(suite.sandbox, 'user');
	const [, second] = await pollTwo(120_000, {}, undefined, { credentials });
	expect(second.asked).toBeGreaterThan(0);
});

test('again where it could not be read', async () => {
	suite.fails('getRunLogs', 403);
	const [first, second] = await pollTwo(120_000, {}, () => suite.faults.clear());
	expect(first.item).toHaveProperty('logProblem');
	expect(second.item).not.toHaveProperty('logProblem');
});

test('and kept while there is room for it', async () => {
	const trigger = async () => await active();
	const [one, other] = [await trigger(), await trigger()];
	const plan = { pendingMs: 0, runningMs: 1_000, outcome: 'FAILED' as const, logs: ['one'] };
	jest.replaceProperty(ENDED_RUN_LIMITS, 'length', 600);
	for (let run = 0; run < 4; run++) suite.store.createRun({ plan });
	pass(121_000);
	await one.poll();
	pass(LATER_MS);
	const asked = () => new Set(suite.requests.of('getRunLogs').map(({ path }) => path)).size;
	suite.requests.clear();
	await other.poll();
	expect(asked()).toBeGreaterThan(0);
	expect(asked()).toBeLessThan(4);
});

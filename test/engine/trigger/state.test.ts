import type { IDataObject } from 'n8n-workflow';

import { ActiveTrigger, suiteWithTrigger } from '../harness/polling';

const RUNS = { event: 'runStatusChanged', statuses: [] };
const AUDIT = { event: 'auditEvent', searchTerm: '' };
const MINUTE = 60_000;

const { suite, pass, active } = suiteWithTrigger({});

/** How many requests one poll makes. */
async function costOf(trigger: ActiveTrigger): Promise<number> {
	suite.requests.clear();
	await trigger.poll();
	return suite.requests.count;
}

test('a poll costs one request when nothing happens', async () => {
	for (let made = 0; made < 200; made++) {
		suite.store.createRun({ status: 'COMPLETED' });
		suite.store.recordEvent();
	}
	const [runs, audit] = [await active(RUNS), await active(AUDIT)];
	pass(10 * MINUTE);
	suite.store.createRun({ status: 'COMPLETED' });
	suite.store.recordEvent();
	for (const trigger of [runs, audit]) {
		pass(10 * MINUTE);
		await trigger.poll();
		pass(10 * MINUTE);
		await trigger.poll();
		await trigger.restart();
	}
	pass(9 * 60 * MINUTE);
	expect(await costOf(runs)).toBe(1);
	expect(await costOf(audit)).toBe(1);
	expect(runs.bytes).toBeLessThan(500);
	expect(audit.bytes).toBeLessThan(500);
});

describe('a state that cannot be used', () => {
	const damaged: Array<[string, unknown]> = [
		['of another version', { scope: 'x', watermark: 1, runs: [] }],
		['that is a list', []],
		['that is text', 'state'],
	];

	test.each(damaged)('%s starts afresh', async (_, state) => {
		suite.store.createRun({ status: 'COMPLETED' });
		const trigger = new ActiveTrigger(suite.sandbox, RUNS);
		trigger.stored = { state } as IDataObject;
		await trigger.activate();
		expect(trigger.take()).toEqual([]);
		const { id } = suite.store.createRun({ status: 'PENDING' });
		pass();
		await trigger.poll();
		expect(trigger.take()).toMatchObject([{ eventId: `run/${id}/PENDING` }]);
	});
});

describe('polls from the same state', () => {
	test.each([
		['classic', true],
		['durable', true],
		['durable', false],
	] as const)(
		'at the same time yield each change once (%s engine, stored: %s)',
		async (engine, isStored) => {
			const trigger = await active(RUNS, { engine });
			if (isStored) await trigger.poll();
			for (let made = 0; made < 120; made++) suite.store.createRun({ status: 'PENDING' });
			pass();
			await Promise.all([trigger.poll(), trigger.poll()]);
			await trigger.poll();
			expect(trigger.take()).toHaveLength(120);
		},
	);

	test.each([
		[44_999, 'are dropped', 0],
		[45_000, 'come again, as n8n has not stored the others', 1],
		[-45_000, 'come again, when the clock was put back', 1],
	])('%i ms later: what they find %s', async (later, _, count) => {
		const trigger = await active(RUNS, { engine: 'durable' });
		await trigger.poll();
		const { stored } = trigger;
		const { id } = suite.store.createRun({ status: 'PENDING' });
		pass();
		await trigger.poll();
		const event = { eventId: `run/${id}/PENDING` };
		expect(trigger.take()).toMatchObject([event]);
		trigger.stored = stored;
		pass(later);
		await trigger.poll();
		expect(trigger.take()).toMatchObject(Array(count).fill(event));
	});
});

test('a state that n8n had stored but no longer has is not continued', async () => {
	const trigger = await active(RUNS, { engine: 'durable' });
	// The first one is that of a process that remembers what n8n has not stored yet.
	for (let polls = 0; polls < 2; polls++) await trigger.poll();
	suite.store.createRun({ status: 'PENDING' });
	pass();
	trigger.stored = {};
	await trigger.poll();
	expect(trigger.take()).toEqual([]);
});

test('a version of n8n without a poll budget works', async () => {
	const trigger = await active(RUNS, { budgetMs: null });
	suite.store.createRun({ status: 'PENDING' });
	pass();
	await trigger.poll();
	expect(trigger.take()).toHaveLength(1);
});

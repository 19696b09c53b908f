import type { Fault } from '../../sandbox';
import { ActiveTrigger } from '../harness/polling';
import { suiteWithSandbox } from '../harness/suite';

const RUNS = { event: 'runStatusChanged', statuses: [] };
const AUDIT = { event: 'auditEvent', searchTerm: '' };
const COUNT = 500;

const suite = suiteWithSandbox({ seed: 'empty' }, '2026-03-01T12:00:00Z');

const pass = (ms = 60_000) => suite.sandbox.clock.advance(ms);

/** Where the next poll continues the list. */
const cursorOf = (trigger: ActiveTrigger) =>
	(trigger.stored.state as { resume?: { cursor: string } }).resume?.cursor;

/** A trigger that has read some pages of a long list, and has stored the cursor of the next one. */
async function inTheMiddle(parameters: object) {
	const { store, requests } = suite.sandbox;
	// This brings the trigger up to date, so that it is not busy with the hours before.
	store.recordEvent();
	const trigger = new ActiveTrigger(suite.sandbox, { ...parameters }, { budgetMs: 15_000 });
	await trigger.activate();
	await trigger.poll();
	for (let made = 0; made < COUNT; made++) {
		if (parameters === RUNS) store.createRun({ status: 'COMPLETED' });
		else store.recordEvent();
	}
	pass(120_000);
	// Each response takes five seconds, so that the speed of the machine does not matter.
	const stop = requests.listen(() => pass(5_000));
	await trigger.poll();
	expect(trigger.executions).not.toEqual([]);
	const cursor = cursorOf(trigger);
	expect(cursor).toBeDefined();
	return { trigger, cursor, stop };
}

/** Makes requests with this cursor get nothing but the fault, until the list is read from the start again. */
function refuse(cursor: string | undefined, fault: Fault): { count: number; stop: () => void } {
	const refused = { count: 0, stop: () => {} };
	refused.stop = suite.sandbox.requests.listen(({ query }) => {
		if (query.cursor === undefined) refused.stop();
		if (query.cursor !== cursor) return;
		refused.count += 1;
		suite.sandbox.faults.add({ fault, times: 1 });
	});
	return refused;
}

/** Polls to the end of the list, and expects each record once. */
async function expectRest(trigger: ActiveTrigger, before: number): Promise<void> {
	for (let polls = 0; polls < 10; polls++) {
		pass();
		await trigger.poll();
	}
	const ids = trigger.take().map(({ eventId }) => eventId);
	expect(ids.length + before).toBe(COUNT);
	expect(new Set(ids).size).toBe(ids.length);
}

describe.each([
	['runs', RUNS],
	['events', AUDIT],
])('a list of %s that takes several polls', (_, parameters) => {
	test.each([400, 404, 409, 410, 500])(
		'is read from the start again when its cursor is refused with %i',
		async (status) => {
			const { trigger, cursor, stop } = await inTheMiddle(parameters);
			const before = trigger.take().length;
			const refused = refuse(cursor, { kind: 'status', status });
			await expectRest(trigger, before);
			stop();
			expect(refused.count).toBeGreaterThan(0);
			expect(trigger.errors).toEqual([]);
		},
	);
});

import type { IDataObject } from 'n8n-workflow';

import { readState } from '../../../nodes/Wherobots/trigger/core/cursor';
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

describe('what polls cost', () => {
	test('when nothing happens: one request', async () => {
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
});

describe('a state that cannot be used', () => {
	const damaged: Array<[string, unknown]> = [
		['of another version', { v: 2 }],
		['that is a list', []],
		['that is text', 'state'],
		['without a watermark', { v: 1, kind: 'runs', scope: 'x', runs: [] }],
		['without runs', { v: 1, kind: 'runs', scope: 'x', watermark: 1 }],
		['of an unknown kind', { v: 1, kind: 'tables', scope: 'x', watermark: 1 }],
	];

	test.each(damaged)('%s starts afresh', async (_, state) => {
		expect(readState(state).problem).toBeTruthy();
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

test.each(['classic', 'durable'] as const)(
	'two polls at the same time on the %s engine yield each change once',
	async (engine) => {
		const trigger = await active(RUNS, { engine });
		await trigger.poll();
		for (let made = 0; made < 120; made++) suite.store.createRun({ status: 'PENDING' });
		pass();
		await Promise.all([trigger.poll(), trigger.poll()]);
		await trigger.poll();
		expect(trigger.take()).toHaveLength(120);
	},
);

test('a version of n8n without a poll budget works', async () => {
	const trigger = await active(RUNS, { budgetMs: null });
	suite.store.createRun({ status: 'PENDING' });
	pass();
	await trigger.poll();
	expect(trigger.take()).toHaveLength(1);
});

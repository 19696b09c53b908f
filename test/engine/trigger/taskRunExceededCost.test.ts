import { suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, polls, active } = suiteWithTrigger({ event: 'taskRunExceededCost' });

const asked = () => suite.requests.of('getTaskRunCost').map(({ path }) => path.split('/')[2]);

beforeEach(() => {
	Object.assign(suite.timings, { pendingMs: 0, runningMs: MINUTE, costSettlingMs: 20 * MINUTE });
});

/** Runs of the past, each of a cost of its own. */
function completed(costs: string[], more: { cached?: boolean; taskName?: string } = {}): void {
	for (const cost of costs) suite.store.tasks.createRun({ cost, ...more });
	pass(25 * MINUTE);
}

test('a task run comes once its cost is known and above the limit', async () => {
	const trigger = await active({ costLimit: '1.20' });
	const { taskRunId } = suite.store.tasks.createRun();
	suite.store.tasks.createRun({ cost: '1.2' });
	expect(await polls(trigger, 20)).toEqual([]);
	expect(await polls(trigger, 11)).toMatchObject([
		{
			taskRunId,
			...{ cost: '1.234567890123456789', costRounded: 1.23, currency: 'USD' },
			...{ costStatus: 'final', costLimit: '1.20', eventId: `taskRun/${taskRunId}/cost` },
		},
	]);
	// Both amounts are final.
	suite.requests.clear();
	expect(await polls(trigger, 20)).toEqual([]);
	expect(asked()).toEqual([]);
	expect(trigger.errors).toEqual([]);
});

test('a task run that costs more than its task usually does comes, with what is usual', async () => {
	completed(['1', '2', '1', '2', '1.5']);
	completed(['50', '50', '50'], { cached: true });
	completed(['50', '50', '50', '50', '50', '50', '50'], { taskName: 'other' });
	const trigger = await active({ costLimit: '0', factor: 2 });
	suite.store.tasks.createRun({ cost: '3' });
	const { taskRunId } = suite.store.tasks.createRun({ cost: '3.000001' });
	expect(await polls(trigger, 40)).toMatchObject([
		{
			...{ taskRunId, costLimit: '3.000000', exceededLimit: 'usual', factor: 2 },
			...{ usualCost: '1.500000', comparedRuns: 5 },
		},
	]);
});

test('the costs of twenty past runs are read once an hour', async () => {
	completed(Array.from({ length: 40 }, () => '1'));
	const trigger = await active({ costLimit: '0', factor: 2 });
	suite.store.tasks.createRun({ cost: '3' });
	expect(await polls(trigger, 45)).toMatchObject([{ comparedRuns: 20 }]);
	const reads = asked();
	// The last four of its own.
	expect(reads.length).toBeLessThanOrEqual(21 + 4);
	expect(new Set(reads).size).toBe(21);
});

test('a poll reads at most five costs, and each run has its turn', async () => {
	suite.timings.costSettlingMs = 0;
	const trigger = await active({ costLimit: '1' });
	const ids = Array.from({ length: 50 }, () => suite.store.tasks.createRun().taskRunId);
	const come: unknown[] = [];
	for (let poll = 0; poll < 12; poll += 1) {
		suite.requests.clear();
		come.push(...(await polls(trigger, 1)).map(({ taskRunId }) => taskRunId));
		expect(asked().length).toBeLessThanOrEqual(5);
	}
	expect(come.sort()).toEqual(ids.sort());
});

test.each([404, 503])('a cost that cannot be read (%s) holds back no other run', async (status) => {
	suite.timings.costSettlingMs = 0;
	const trigger = await active({ costLimit: '1' });
	const { taskRunId: broken } = suite.store.tasks.createRun();
	const outage = suite.fails('getTaskRunCost', status, { path: new RegExp(broken) });
	expect(await polls(trigger, 2)).toEqual([]);
	const { taskRunId } = suite.store.tasks.createRun();
	expect(await polls(trigger, 4)).toMatchObject([{ taskRunId }]);
	outage.remove();
	expect(await polls(trigger, 12)).toMatchObject([{ taskRunId: broken }]);
	expect(trigger.errors).toEqual([]);
});

test('costs that this account may not read are an error, and nothing is lost', async () => {
	suite.timings.costSettlingMs = 0;
	const trigger = await active({ costLimit: '1' });
	const { taskRunId } = suite.store.tasks.createRun();
	const refusal = suite.fails('getTaskRunCost', 403);
	expect(await polls(trigger, 3)).toEqual([]);
	expect(trigger.errors).toMatchObject([{ httpCode: '403' }]);
	refusal.remove();
	pass(5 * MINUTE);
	expect(await polls(trigger, 1)).toMatchObject([{ taskRunId }]);
});

test('a manual test shows the newest runs, however many there are', async () => {
	completed(Array.from({ length: 60 }, () => '0.5'));
	const { taskRunId } = suite.store.tasks.createRun();
	completed(Array.from({ length: 15 }, () => '0.5'));
	const trigger = await active({ costLimit: '1' });
	expect(await trigger.test()).toMatchObject([{ taskRunId }]);
});

import { suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, polls, active } = suiteWithTrigger({ event: 'taskRunExceededCost' });

const asked = () => suite.requests.of('getTaskRunCost').map(({ path }) => path.split('/')[2]);

beforeEach(() => {
	Object.assign(suite.timings, { pendingMs: 0, runningMs: MINUTE, costSettlingMs: 20 * MINUTE });
});

/** Runs of the past, each of a cost of its own, so many minutes ago. */
function completed(
	costs: string[],
	more: { cached?: boolean; taskName?: string } = {},
	minutes = 90,
): void {
	for (const cost of costs) suite.store.tasks.createRun({ cost, ...more });
	pass(minutes * MINUTE);
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
	expect(reads.length).toBeLessThanOrEqual(20 + 5);
	expect(new Set(reads).size).toBe(21);
});

test('a poll reads at most fifty costs, and each run has its turn', async () => {
	suite.timings.costSettlingMs = 0;
	const trigger = await active({ costLimit: '1' });
	const ids = Array.from({ length: 120 }, () => suite.store.tasks.createRun().taskRunId);
	const come: unknown[] = [];
	for (let poll = 0; poll < 5; poll += 1) {
		suite.requests.clear();
		come.push(...(await polls(trigger, 1)).map(({ taskRunId }) => taskRunId));
		expect(asked().length).toBeLessThanOrEqual(50);
	}
	expect(come.sort()).toEqual(ids.sort());
});

test('what has not begun, or never will, is not asked for its cost', async () => {
	const trigger = await active({ costLimit: '1' });
	for (const state of ['PENDING', 'SUBMITTED', 'MISSED', 'REJECTED', 'SKIPPED']) {
		suite.store.tasks.createRun({ state });
	}
	await polls(trigger, 3);
	expect(asked()).toEqual([]);
});

test('what has ended is kept until it has been read with its final cost, whatever comes between', async () => {
	const trigger = await active({ costLimit: '1' });
	const ids = Array.from({ length: 60 }, () => suite.store.tasks.createRun().taskRunId);
	// All of them are settling.
	expect(await polls(trigger, 5)).toEqual([]);
	const outage = suite.fails('getTaskRunCost', 503);
	for (let hour = 0; hour < 4; hour += 1) {
		pass(60 * MINUTE);
		expect(await polls(trigger, 1)).toEqual([]);
	}
	outage.remove();
	pass(30 * 60 * MINUTE);
	const come = await polls(trigger, 4);
	expect(come.map(({ taskRunId }) => taskRunId).sort()).toEqual(ids.sort());
	expect(await polls(trigger, 20)).toEqual([]);
});

const malformed = { kind: 'edit' as const, edit: () => ({ totalCostUsd: null }) };

test.each([404, 409, 503, malformed])(
	'a cost that cannot be read (%j) holds back no other run',
	async (failure) => {
		suite.timings.costSettlingMs = 0;
		const trigger = await active({ costLimit: '1' });
		const { taskRunId: broken } = suite.store.tasks.createRun();
		const outage = suite.fails('getTaskRunCost', failure, { path: new RegExp(broken) });
		expect(await polls(trigger, 2)).toEqual([]);
		const { taskRunId } = suite.store.tasks.createRun();
		expect(await polls(trigger, 4)).toMatchObject([{ taskRunId }]);
		outage.remove();
		expect(await polls(trigger, 12)).toMatchObject([{ taskRunId: broken }]);
		expect(trigger.errors).toEqual([]);
	},
);

test.each([1, 120])(
	'costs that this account may not read are an error, and nothing is lost (%i runs)',
	async (count) => {
		suite.timings.costSettlingMs = 0;
		const trigger = await active({ costLimit: '1' });
		for (let run = 0; run < count; run += 1) suite.store.tasks.createRun();
		const refusal = suite.fails('getTaskRunCost', 403);
		expect(await polls(trigger, 8)).toEqual([]);
		expect(trigger.errors).toMatchObject([{ httpCode: '403' }]);
		refusal.remove();
		pass(5 * MINUTE);
		expect(await polls(trigger, 4)).toHaveLength(count);
	},
);

test('one past run whose cost cannot be read changes nothing of what is usual', async () => {
	const { taskRunId: broken } = suite.store.tasks.createRun();
	completed(['1', '1', '1', '1', '1']);
	suite.fails('getTaskRunCost', 500, { path: new RegExp(broken) });
	const trigger = await active({ costLimit: '0', factor: 2 });
	suite.store.tasks.createRun({ cost: '3' });
	expect(await polls(trigger, 40)).toMatchObject([{ usualCost: '1.000000', comparedRuns: 5 }]);
	expect(trigger.errors).toEqual([]);
});

test('many runs at the same time are compared with those before them', async () => {
	completed(['1', '1', '1', '1', '1']);
	const trigger = await active({ costLimit: '0', factor: 2 });
	for (let run = 0; run < 30; run += 1) suite.store.tasks.createRun({ cost: run ? '1' : '3' });
	expect(await polls(trigger, 60)).toMatchObject([{ cost: '3', comparedRuns: 5 }]);
});

test('a manual test shows the newest runs, however many there are', async () => {
	completed(Array.from({ length: 60 }, () => '0.5'));
	const { taskRunId } = suite.store.tasks.createRun();
	completed(Array.from({ length: 5 }, () => '0.5'));
	const trigger = await active({ costLimit: '1' });
	expect(await trigger.test()).toMatchObject([{ taskRunId }]);
});

test('a poll without time for all costs leaves the others to the next ones', async () => {
	suite.timings.costSettlingMs = 0;
	const trigger = await active({ costLimit: '1' }, { budgetMs: 60_000 });
	const ids = Array.from({ length: 20 }, () => suite.store.tasks.createRun().taskRunId);
	pass(2 * MINUTE);
	const stop = suite.requests.listen(({ endpoint }) => {
		if (endpoint === 'getTaskRunCost') pass(6_000);
	});
	const come = (await polls(trigger, 6)).map(({ taskRunId }) => taskRunId);
	stop();
	expect(come.sort()).toEqual(ids.sort());
	expect(trigger.errors).toEqual([]);
});

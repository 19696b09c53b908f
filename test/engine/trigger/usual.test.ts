import { editCosts } from '../../support/costs';
import { type ActiveTrigger, listenToLog, suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, active } = suiteWithTrigger({});

/** What a poll finds after so many minutes without one. */
async function later(trigger: ActiveTrigger, minutes: number) {
	pass(minutes * MINUTE);
	await trigger.poll();
	return trigger.take();
}

const durations = {
	event: 'runExceededDuration',
	pendingMinutes: 0,
	runningMinutes: 0,
	factor: 2,
};

/** Runs of the past, each of so many minutes, one after the other; the service ends them after an hour. */
function completed(minutes: number[], more: { name?: string; outcome?: 'FAILED' } = {}): void {
	for (const [index, each] of minutes.entries()) {
		const { name = `etl-2026-02-${String(index + 1).padStart(2, '0')}`, outcome } = more;
		const plan = { pendingMs: 0, runningMs: each * MINUTE, ...(outcome && { outcome }) };
		suite.store.createRun({ name, plan });
		pass((each + 1) * MINUTE);
	}
}

const histories = () =>
	suite.requests.of('listRuns').filter(({ query }) => query.name === 'etl*').length;

test('a run that takes longer than usual is reported, with what is usual', async () => {
	completed([10, 12, 11, 10, 12]);
	completed([50, 50, 50], { outcome: 'FAILED' });
	completed([50], { name: 'etl-tiles' });
	const trigger = await active(durations);
	const { id } = suite.store.createRun({ name: 'etl-2026-03-01', status: 'RUNNING' });
	// Whether it is still running is only certain after five minutes.
	expect(await later(trigger, 26)).toEqual([]);
	expect(await later(trigger, 2)).toMatchObject([
		{
			eventId: `run/${id}/exceeded/RUNNING`,
			...{ limitMinutes: 22, exceededLimit: 'usual', usualMinutes: 11, factor: 2, comparedRuns: 5 },
		},
	]);
	expect(await later(trigger, 5)).toEqual([]);
});

test.each(['newestFirst', 'oldestFirst'] as const)(
	'the last runs count (list %s)',
	async (order) => {
		suite.variants.runOrder = order;
		completed([50, 50, 50, 50, 50, 50, 2, 2, 2, 2, 2]);
		const trigger = await active({ ...durations, options: { comparedRuns: 5 } });
		suite.store.createRun({ name: 'etl', status: 'RUNNING' });
		expect(await later(trigger, 12)).toMatchObject([{ usualMinutes: 2, comparedRuns: 5 }]);
	},
);

test('what comes first counts, and a run is reported once', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active({ ...durations, runningMinutes: 8 });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 14)).toMatchObject([
		{ limitMinutes: 8, exceededLimit: 'fixed', usualMinutes: 10 },
	]);
	expect(await later(trigger, 20)).toEqual([]);
});

test('a run is not compared with itself', async () => {
	completed([1, 1, 1, 1]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', plan: { pendingMs: 0, runningMs: 30 * MINUTE } });
	expect(await later(trigger, 31)).toEqual([]);
});

test('fewer than five completed runs are no history, which is said once', async () => {
	const said = listenToLog();
	completed([1, 1, 1, 1]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	for (let hour = 0; hour < 3; hour += 1) expect(await later(trigger, 61)).toEqual([]);
	expect(said()).toEqual([
		expect.stringMatching(/job run "etl" is not known yet: fewer than five/),
	]);
});

test('the past is read once an hour for all triggers on a name', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	const other = await active({ ...durations, factor: 3, filters: { region: 'aws-us-west-2' } });
	suite.store.createRun({ name: 'etl-7', status: 'RUNNING' });
	suite.store.createRun({ name: 'etl-8', status: 'RUNNING' });
	suite.store.createRun({ name: 'pending', status: 'PENDING' });
	for (let minutes = 0; minutes < 55; minutes += 11) {
		await later(trigger, 11);
		await other.poll();
	}
	expect(histories()).toBe(1);
	await later(trigger, 22);
	expect(histories()).toBe(2);
	const asked = suite.requests.of('listRuns').map(({ query }) => query.name);
	expect(new Set(asked.filter(Boolean))).toEqual(new Set(['etl*']));
});

test('an outage while the past is read loses nothing', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', plan: { pendingMs: 0, runningMs: 30 * MINUTE } });
	pass(29 * MINUTE);
	const outage = suite.fails('listRuns', 503, { skip: 1 });
	expect(await later(trigger, 1)).toEqual([]);
	outage.remove();
	expect(await later(trigger, 1)).toMatchObject([{ usualMinutes: 10 }]);
});

test('a manual test asks about a few names, however many there are', async () => {
	for (let at = 0; at < 60; at += 1) {
		suite.store.createRun({ name: `job-${'abcdefghij'[at % 10]}${'klmnop'[Math.floor(at / 10)]}` });
	}
	pass(20 * MINUTE);
	const trigger = await active(durations);
	suite.requests.clear();
	await expect(trigger.test()).rejects.toThrow('There is no job run to test with yet');
	const names = suite.requests.of('listRuns').map(({ query }) => query.name);
	expect(new Set(names.filter(Boolean)).size).toBe(20);
});

test('a name that no filter can have holds back no other run', async () => {
	const said = listenToLog();
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'odd (one)', status: 'RUNNING' });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 28)).toMatchObject([{ name: 'etl' }]);
	expect(said()).toEqual([
		expect.stringContaining(
			'job run "odd (one)" cannot be read. The service cannot filter by this',
		),
	]);
});

/** What a poll finds that can read the list of runs, and of so many histories. */
async function laterWithout(trigger: ActiveTrigger, status: number, minutes: number, read = 0) {
	const outage = suite.fails('listRuns', status, { skip: 1 + read });
	const found = await later(trigger, minutes);
	outage.remove();
	return found;
}

test('a history that cannot be read for good is said once, holds back no fixed limit, and is tried again', async () => {
	completed([10, 10, 10, 10, 10]);
	const said = listenToLog();
	const trigger = await active({ ...durations, runningMinutes: 20 });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	pass(26 * MINUTE);
	// For five minutes, the failure may pass, and nothing is lost.
	for (let minute = 0; minute < 5; minute += 1) {
		expect(await laterWithout(trigger, 504, 1)).toEqual([]);
	}
	expect(trigger.errors).toMatchObject([{ httpCode: '504' }]);
	expect(await laterWithout(trigger, 504, 1)).toMatchObject([
		{ exceededLimit: 'fixed', limitMinutes: 20, usualMinutes: null, comparedRuns: 0 },
	]);
	suite.store.createRun({ name: 'etl-2', status: 'RUNNING' });
	expect(await laterWithout(trigger, 504, 61)).toMatchObject([{ usualMinutes: null }]);
	expect(said().filter((line) => line.includes('"etl" cannot be read. '))).toHaveLength(1);
	suite.store.createRun({ name: 'etl-3', status: 'RUNNING' });
	expect(await later(trigger, 61)).toMatchObject([{ usualMinutes: 10 }]);
	expect(trigger.errors).toHaveLength(1);
});

test('what is said of one name is not lost where another cannot be read', async () => {
	const said = listenToLog();
	const trigger = await active(durations);
	suite.store.createRun({ name: 'one', status: 'RUNNING' });
	suite.store.createRun({ name: 'other', status: 'RUNNING' });
	expect(await laterWithout(trigger, 503, 1, 1)).toEqual([]);
	expect(trigger.errors).toHaveLength(1);
	await later(trigger, 1);
	const names = said().flatMap((line) => /job run "(\w+)" is not known yet/.exec(line)?.[1] ?? []);
	expect(names.sort()).toEqual(['one', 'other']);
});

test('what a manual test has found out is still said by the trigger', async () => {
	const said = listenToLog();
	suite.store.createRun({ name: 'young', status: 'RUNNING' });
	const trigger = await active(durations);
	pass(2 * MINUTE);
	await expect(trigger.test()).rejects.toThrow('There is no job run to test with yet');
	await later(trigger, 1);
	expect(said()).toEqual([expect.stringContaining('"young" is not known yet')]);
});

test('runs of other work that fill the page are said to do so', async () => {
	completed([10, 10, 10, 10, 10]);
	const others = Array.from({ length: 100 }, () => 0.01);
	completed(others, { name: 'etl-tiles' });
	const said = listenToLog();
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 30)).toEqual([]);
	expect(said()).toEqual([
		expect.stringMatching(/fewer than five of its most recent completed runs/),
	]);
});

test.each([1, -2, 'two', '1,5'])('a factor of %s is refused', async (factor) => {
	await expect(active({ ...durations, factor })).rejects.toThrow(
		/^'Multiple of Usual Duration' must be a number above 1/,
	);
});

test('task runs are compared with those of their task', async () => {
	const { store, timings } = suite;
	Object.assign(timings, { pendingMs: 0, runningMs: 10 * MINUTE });
	for (let count = 0; count < 5; count += 1) {
		store.tasks.createRun();
		store.tasks.createRun({ taskName: 'other' });
		pass(15 * MINUTE);
	}
	timings.runningMs = 1_000;
	for (let count = 0; count < 9; count += 1) store.tasks.createRun({ cached: true });
	timings.runningMs = 100 * MINUTE;
	for (let count = 0; count < 9; count += 1) store.tasks.createRun({ taskName: 'other' });
	pass(105 * MINUTE);
	timings.runningMs = 60 * MINUTE;
	const trigger = await active({ ...durations, event: 'taskRunExceededDuration' });
	const { taskRunId } = store.tasks.createRun();
	expect(await later(trigger, 24)).toEqual([]);
	expect(await later(trigger, 2)).toMatchObject([
		{ taskRunId, eventId: `taskRun/${taskRunId}/exceeded/RUNNING`, usualMinutes: 10 },
	]);
});

describe('costs', () => {
	const costs = { event: 'runExceededCost', costLimit: '0', factor: 3 };

	/** Runs of the past whose costs are final. */
	function settled(minutes: number[]): void {
		completed(minutes);
		pass(45 * MINUTE);
	}

	/** The service says something else of costs in a status. */
	const changed = (status: string, change: object) =>
		editCosts((cost) => (cost.status === status ? { ...cost, ...change } : cost));

	test('a cost that is not final yet tells nothing of what is usual', async () => {
		completed([2, 2, 2, 2, 2]);
		const trigger = await active(costs);
		const said = listenToLog();
		suite.fails('getCosts', changed('settling', { cost: '0.01' }));
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		for (let poll = 0; poll < 6; poll += 1) expect(await later(trigger, 5)).toEqual([]);
		expect(said()).toEqual([
			expect.stringContaining('fewer than five completed runs have a final cost'),
		]);
	});

	test('past costs of 0 are nothing to compare with', async () => {
		settled([1, 1, 1, 1, 1]);
		suite.fails('getCosts', changed('final', { cost: '0' }));
		const trigger = await active(costs);
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		for (let poll = 0; poll < 5; poll += 1) expect(await later(trigger, 10)).toEqual([]);
	});

	test('without a fixed limit, past costs that are refused are an error', async () => {
		settled([10, 10, 10, 10, 10]);
		suite.variants.metricCostWhileRunning = true;
		const trigger = await active(costs);
		const refusal = suite.fails('getCosts', 403);
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		for (let poll = 0; poll < 3; poll += 1) expect(await later(trigger, 15)).toEqual([]);
		expect(trigger.errors).toMatchObject([{ httpCode: '403' }]);
		refusal.remove();
		expect(await later(trigger, 1)).toMatchObject([{ exceededLimit: 'usual' }]);
	});

	/** Runs cost about 0.074 dollars a minute. */
	test('a run that costs more than usual is reported, with what is usual', async () => {
		settled([10, 10, 10, 10, 10]);
		const trigger = await active(costs);
		const { id } = suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		expect(await later(trigger, 29)).toEqual([]);
		expect(await later(trigger, 3)).toMatchObject([
			{
				eventId: `run/${id}/cost`,
				...{ costLimit: '2.222222', exceededLimit: 'usual', factor: 3 },
				...{ usualCost: '0.740741', comparedRuns: 5 },
			},
		]);
	});

	test('a run whose cost becomes known long after its end is compared, too', async () => {
		settled([10, 10, 10, 10, 10]);
		const trigger = await active(costs);
		const outages = [
			suite.fails('getCosts', { kind: 'edit', edit: () => ({ costs: {} }) }),
			suite.fails('getRunMetrics', 404),
		];
		suite.store.createRun({ name: 'etl-9', plan: { pendingMs: 0, runningMs: 40 * MINUTE } });
		for (let poll = 0; poll < 6; poll += 1) {
			expect(await later(trigger, 15)).toEqual([]);
			suite.store.createRun({ name: 'other', plan: { pendingMs: 0, runningMs: MINUTE } });
		}
		// What has no cost is compared with nothing.
		expect(histories()).toBe(0);
		for (const outage of outages) outage.remove();
		expect(await later(trigger, 1)).toMatchObject([{ name: 'etl-9', exceededLimit: 'usual' }]);
	});

	test('the past whose costs cannot be read now is read later', async () => {
		settled([10, 10, 10, 10, 10]);
		const trigger = await active(costs);
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		pass(31 * MINUTE);
		const outage = suite.fails('getCosts', 503, { skip: 1 });
		expect(await later(trigger, 1)).toEqual([]);
		expect(trigger.errors).toHaveLength(1);
		outage.remove();
		expect(await later(trigger, 1)).toMatchObject([{ exceededLimit: 'usual' }]);
	});

	test('the fixed limit counts where the costs of the past are refused, which is asked once an hour', async () => {
		settled([10, 10, 10, 10, 10]);
		const said = listenToLog();
		suite.variants.metricCostWhileRunning = true;
		const trigger = await active({ ...costs, costLimit: '0.7' });
		suite.fails('getCosts', 403);
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		expect(await later(trigger, 5)).toEqual([]);
		expect(await later(trigger, 15)).toMatchObject([
			{ exceededLimit: 'fixed', usualCost: null, comparedRuns: 0 },
		]);
		expect(said()).toEqual([expect.stringMatching(/job run "etl" cannot be read\. \S/)]);
		expect(histories()).toBe(1);
	});

	test('the lower limit counts', async () => {
		settled([10, 10, 10, 10, 10]);
		const trigger = await active({ ...costs, costLimit: '0.7' });
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		expect(await later(trigger, 20)).toMatchObject([{ costLimit: '0.7', exceededLimit: 'fixed' }]);
	});

	test('one of both limits is needed', async () => {
		await expect(active({ ...costs, factor: 0 })).rejects.toThrow(
			/^'Cost Limit \(USD\)' must be an amount above 0, such as 25.00, unless/,
		);
	});
});

import { editCosts, unavailable } from '../../support/costs';
import {
	ActiveTrigger,
	listenToLog,
	suiteWithTrigger,
	type TriggerOptions,
} from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, polls, active: start } = suiteWithTrigger({ event: 'runExceededCost' });

const asked = () => suite.requests.of('getCosts').length;

/** Runs cost about 0.074 dollars a minute. */
const active = async (costLimit = '0.7', options?: TriggerOptions) =>
	await start({ costLimit }, options);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	test('a run comes when it has cost more than the limit, and not again', async () => {
		const trigger = await active('0.7', { engine });
		const { store } = suite;
		const { id } = store.createRun({ name: 'nightly-etl', status: 'RUNNING' });
		store.createRun({ status: 'PENDING' });
		expect(await polls(trigger, 9)).toEqual([]);
		expect(await polls(trigger, 1)).toMatchObject([
			{
				id,
				name: 'nightly-etl',
				status: 'RUNNING',
				cost: '0.7407407340740740200000',
				currency: 'USD',
				costStatus: 'live',
				costLimit: '0.7',
				eventId: `run/${id}/cost`,
			},
		]);
		expect(await polls(trigger, 2)).toEqual([]);
		store.moveRun(id, 'COMPLETED');
		expect(await polls(trigger, 2)).toEqual([]);
		await trigger.restart();
		expect(await polls(trigger, 2)).toEqual([]);
		expect(trigger.errors).toEqual([]);
	});
});

test.each([2, 180])(
	'the cost of a cheaper run of %i minutes is requested until it is final',
	async (minutes) => {
		suite.timings.costSettlingMs = 5 * MINUTE;
		const trigger = await active('20');
		const { id } = suite.store.createRun({ status: 'RUNNING' });
		await polls(trigger, 1);
		pass((minutes - 1) * MINUTE);
		suite.store.moveRun(id, 'COMPLETED');
		suite.requests.clear();
		expect(await polls(trigger, 4)).toEqual([]);
		expect(asked()).toBe(4);
		await polls(trigger, 2);
		suite.requests.clear();
		expect(await polls(trigger, 3)).toEqual([]);
		expect(asked()).toBe(0);
	},
);

test.each([403, 503])(
	'costs that cannot be read (%s) are an error, and nothing is lost',
	async (status) => {
		const trigger = await active('0.05');
		const { store } = suite;
		const outage = suite.fails('getCosts', status);
		const other = suite.fails('getRunMetrics', status);
		const running = store.createRun({ status: 'RUNNING' });
		const ended = store.createRun({ plan: { pendingMs: 0, runningMs: 50_000 } });
		expect(await polls(trigger, 3)).toEqual([]);
		expect(trigger.errors).toMatchObject([{ httpCode: String(status) }]);
		outage.remove();
		other.remove();
		pass(5 * MINUTE);
		const ids = (await polls(trigger, 1)).map(({ eventId }) => eventId);
		expect(ids.sort()).toEqual([running, ended].map(({ id }) => `run/${id}/cost`).sort());
	},
);

test('costs that are refused in the last moments of a poll are reported nevertheless', async () => {
	const trigger = await active('0.05', { budgetMs: 40_000 });
	const { requests, store } = suite;
	const outage = suite.fails('getCosts', 403);
	const other = suite.fails('getRunMetrics', 403);
	const stop = requests.listen(({ endpoint }) => {
		// Too little is left of the 32 seconds that a poll uses of its time for another try.
		if (endpoint === 'getCosts') pass(31_500);
	});
	const { id } = store.createRun({ plan: { pendingMs: 0, runningMs: 50_000 } });
	expect(await polls(trigger, 1)).toEqual([]);
	expect(trigger.errors).toMatchObject([{ httpCode: '403' }]);
	outage.remove();
	other.remove();
	stop();
	expect(await polls(trigger, 1)).toMatchObject([{ eventId: `run/${id}/cost` }]);
});

test('a cost that no poll had time to read for hours comes nevertheless', async () => {
	const trigger = await active('0.05', { budgetMs: 40_000 });
	const outages = ['getCosts', 'getRunMetrics'] as const;
	const rules = outages.map((endpoint) => suite.fails(endpoint, 503));
	const stop = suite.requests.listen(({ endpoint }) => {
		if (endpoint === 'getCosts') pass(31_500);
	});
	const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: 50_000 } });
	for (let hours = 0; hours < 60; hours += 30) {
		expect(await polls(trigger, 1)).toEqual([]);
		pass(30 * 60 * MINUTE);
	}
	for (const rule of rules) rule.remove();
	stop();
	expect(await polls(trigger, 1)).toMatchObject([{ eventId: `run/${id}/cost` }]);
	expect(trigger.errors).toEqual([]);
});

test.each([
	['is requested for a day', 23, 1],
	['is not requested for longer', 25, 0],
])('a cost that the billing system cannot tell %s', async (_, hours, requests) => {
	const trigger = await active();
	suite.fails(
		'getCosts',
		editCosts(() => unavailable()),
	);
	suite.store.createRun({ plan: { pendingMs: 0, runningMs: MINUTE } });
	await polls(trigger, 3);
	pass(hours * 60 * MINUTE);
	const said = listenToLog();
	await polls(trigger, 1);
	expect(said()).toContainEqual(expect.stringMatching(/; the next poll tries again\.$/));
	suite.requests.clear();
	expect(await polls(trigger, 1)).toEqual([]);
	expect(asked()).toBe(requests);
});

describe('runs that the billing system does not know yet', () => {
	const running = (count: number) =>
		Array.from({ length: count }, () => suite.store.createRun({ status: 'RUNNING' }).id);

	beforeEach(() => {
		suite.timings.costLagMs = 24 * 60 * MINUTE;
		suite.variants.metricCostWhileRunning = true;
	});

	test('take at most five requests a poll for their metrics, and each has its turn', async () => {
		const trigger = await active('0.05');
		const ids = running(100);
		const come = [];
		for (let poll = 0; poll < 20; poll++) {
			suite.requests.clear();
			come.push(...(await polls(trigger)));
			// The recent runs, the active ones, their costs.
			expect(suite.requests.count).toBeLessThanOrEqual(3 + 5);
			expect(new Set(come.map(({ id }) => id)).size).toBe(come.length);
		}
		expect(come.map(({ id }) => id).sort()).toEqual([...ids].sort());
		expect(trigger.errors).toEqual([]);
	});

	test('are asked for seldom, and longest first', async () => {
		const trigger = await active('25');
		const [old] = running(1);
		pass(20 * MINUTE);
		running(5);
		const asked = () => suite.requests.of('getRunMetrics').map(({ path }) => path.split('/')[2]);
		await polls(trigger, 1);
		expect(asked()).toContain(old);
		expect(asked()).toHaveLength(5);
		await polls(trigger, 9);
		expect(asked()).toHaveLength(6);
		await polls(trigger, 2);
		expect(asked().slice(6)).toContain(old);
	});

	test('come from their metrics when the costs are refused and only some have metrics', async () => {
		const trigger = await active('0.05');
		suite.fails('getCosts', 403);
		const ids = running(8);
		pass();
		const [last] = running(1);
		for (const id of ids) suite.fails('getRunMetrics', 404, { path: new RegExp(id) });
		expect(await polls(trigger, 2)).toMatchObject([{ id: last, costStatus: 'live' }]);
		expect(trigger.errors).toEqual([]);
	});

	test('are no error when the costs are refused, as long as one has metrics', async () => {
		const trigger = await active('25');
		suite.fails('getCosts', 403);
		for (const id of running(3)) suite.fails('getRunMetrics', 404, { path: new RegExp(id) });
		running(1);
		await polls(trigger, 3);
		expect(trigger.errors).toEqual([]);
	});

	test('that have ended without any cost are watched for two hours', async () => {
		suite.variants.metricCostWhileRunning = false;
		suite.fails('getRunMetrics', 404);
		const trigger = await active('0.05');
		suite.store.createRun({ plan: { pendingMs: 0, runningMs: MINUTE } });
		await polls(trigger, 3);
		for (const [hours, requests] of [
			[1, 1],
			[2, 0],
		]) {
			pass(60 * MINUTE);
			await polls(trigger, 1);
			suite.requests.clear();
			await polls(trigger, 1);
			expect([hours, asked()]).toEqual([hours, requests]);
		}
	});

	test('that have ended are watched until their metrics have had a turn', async () => {
		suite.variants.metricCostWhileRunning = false;
		const trigger = await active('0.05');
		const plan = { pendingMs: 0, runningMs: 5 * MINUTE };
		for (let run = 0; run < 8; run += 1) suite.store.createRun({ plan });
		// Each is read while it runs, and not again within ten minutes.
		expect(await polls(trigger, 7)).toEqual([]);
		pass(3 * 60 * MINUTE);
		expect(await polls(trigger, 2)).toHaveLength(8);
	});
});

test('the cost of a run without an ID to bill is not requested', async () => {
	const trigger = await active('0.05');
	const rewrite = (text: string) => text.replaceAll('"kubeApp":', '"app":');
	suite.fails('listRuns', { kind: 'rewrite', rewrite });
	suite.store.createRun({ status: 'RUNNING' });
	expect(await polls(trigger, 3)).toEqual([]);
	expect([asked(), trigger.errors]).toEqual([0, []]);
});

test.each([
	['cannot be read at that moment', 500, 0],
	['is not found for hours', 404, 3 * 60 * MINUTE],
])('a run that lists no longer show, and whose record %s, comes later', async (_, status, ms) => {
	suite.timings.costDelayMs = 5 * MINUTE;
	const trigger = await active('0.05');
	const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: MINUTE } });
	expect(await polls(trigger, 3)).toEqual([]);
	suite.edits('listRuns', (page: object) => ({ ...page, items: [] }));
	const outage = suite.fails('getRun', status);
	pass(ms);
	expect(await polls(trigger, 6)).toEqual([]);
	outage.remove();
	expect(await polls(trigger, 1)).toMatchObject([{ eventId: `run/${id}/cost` }]);
});

test.each([
	['', 'must not be empty'],
	['0', 'must be an amount above 0'],
	['much', 'must be an amount above 0'],
	['25,00', 'must be an amount above 0 in digits, with a period before the cents: 25.00'],
])('the limit %j is refused', async (limit, message) => {
	await expect(active(limit)).rejects.toThrow(`'Cost Limit (USD)' ${message}`);
});

test.each(['$0.05', '$ 0.05'])('the limit %s is an amount, too', async (limit) => {
	await expect(active(limit)).resolves.toBeDefined();
});

test('a manual test shows the newest runs that have cost more, in their order', async () => {
	const plan = { pendingMs: 0, runningMs: 5 * MINUTE };
	const due: object[] = [];
	for (let run = 0; run < 12; run += 1) {
		const { id } = suite.store.createRun({ plan });
		due.push({ id, costLimit: '0.1', eventId: `run/${id}/cost` });
		suite.store.createRun({ plan: { ...plan, runningMs: 1_000 } });
		pass(10 * MINUTE);
	}
	const parameters = { event: 'runExceededCost', costLimit: '0.1' };
	const shown = await new ActiveTrigger(suite.sandbox, parameters).test();
	expect(shown.length).toBeGreaterThan(1);
	expect(shown).toMatchObject(due.slice(-shown.length));
});

test('a poll fails when no cost can be read, but not when one of several cannot', async () => {
	const trigger = await active();
	suite.store.createRun({ status: 'RUNNING' });
	suite.store.createRun({ status: 'RUNNING' });
	await polls(trigger, 1);
	pass(20 * MINUTE);
	let readable = 0;
	suite.edits('getCosts', ({ costs }: { costs: Record<string, object> }) => ({
		costs: Object.fromEntries(
			Object.entries(costs).map(([key, cost], index) => [
				key,
				index < readable ? cost : { ...cost, cost: 1.5 },
			]),
		),
	}));
	expect(await polls(trigger, 5)).toEqual([]);
	expect(trigger.errors[0]?.message).toContain('unexpected response');
	readable = 1;
	expect(await polls(trigger, 1)).toHaveLength(1);
	suite.faults.clear();
	expect(await polls(trigger, 1)).toHaveLength(1);
});

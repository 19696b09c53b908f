import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { errorOf, suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const get = ofRun('get');

const create = (count: number) =>
	Array.from({ length: count }, () => ({ id: suite.store.createRun().id }));

describe('Job Run: Get', () => {
	it('tells how long a run has been running, or took', async () => {
		const { id } = suite.store.createRun({ plan: { pendingMs: 5_000, runningMs: 60_000 } });
		suite.clock.advance(35_000);
		// Not by n8n's clock.
		clock.now = () => suite.clock.now() + 3_600_000;
		expect((await suite.run(get(id))).json[0].durationSeconds).toBe(30);
		suite.clock.advance(3_600_000);
		expect((await suite.run(get(id))).json[0].durationSeconds).toBe(60);
	});

	it('keeps the order of 60 items, ten at a time, without waiting for slow ones', async () => {
		const input = create(60);
		// The first ones take longest, so the order of arrival would be different.
		for (const [index, { id }] of input.slice(0, 5).entries()) {
			const fault = { kind: 'delay', ms: 1_000 - index * 100 } as const;
			suite.faults.add({ path: new RegExp(id), fault });
		}
		let most = 0;
		suite.requests.listen(() => {
			const open = suite.requests.all().filter(({ status }) => status === undefined);
			most = Math.max(most, open.length);
		});
		const { items } = await suite.run(get('={{ $json.id }}'), { input });
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			input.map(({ id }, item) => [id, { item }]),
		);
		expect(most).toBeGreaterThan(3);
		expect(most).toBeLessThanOrEqual(10);
	});

	it('sends items that fail to the error output, each with its own reason', async () => {
		const [a, b] = create(2);
		const { items, errors } = await suite.run(get('={{ $json.id }}'), {
			input: [a, { id: 'gone' }, { id: '' }, b, { id: 'a/../b' }],
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[a.id, { item: 0 }],
			[b.id, { item: 3 }],
		]);
		expect(errors.map((item) => [errorOf(item)?.message, item.pairedItem])).toEqual([
			['There is no job run with the ID "gone"', { item: 1 }],
			["'Job Run' must not be empty", { item: 2 }],
			['There is no job run with the ID "a/../b"', { item: 4 }],
		]);
		expect(suite.requests.all().at(-1)?.path).toBe('/runs/a%2F..%2Fb');
	});
});

describe('Job Run: Get Metrics', () => {
	const metrics = ofRun('getMetrics');

	/** A run that has been running for ten minutes. */
	function going() {
		const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: 3_600_000 } });
		suite.clock.advance(600_000);
		return id;
	}

	it.each(['objects', 'pairs'] as const)('returns one flat item of %s', async (metricPoints) => {
		Object.assign(suite.variants, { metricPoints, metricCostWhileRunning: true });
		const runId = going();
		const { json } = await suite.succeeds(metrics(runId));
		expect(json).toMatchObject([
			{ runId, cpuUtilizationPercent: 61.5, cpuUtilizationPercentAverage: 62.86 },
		]);
		expect(json[0]).toMatchObject({
			cost: '0.740740734074074',
			measuredAt: '2026-11-21T12:10:00Z',
		});
	});

	it.each(['split', 'both', 'instant', 'series'] as const)(
		'returns the usage of a run whose metrics come in these groups: %s',
		async (groups) => {
			suite.variants.metricGroups = groups;
			const { json } = await suite.run(metrics(going()));
			expect(json[0]).toMatchObject({ cpuUtilizationPercent: 61.5, cost: null, costRounded: null });
		},
	);

	it("has nulls for a run that has not begun, or the service's own error", async () => {
		const { id } = suite.store.createRun({ status: 'PENDING' });
		const empty = await suite.run(metrics(id));
		expect(empty.json[0]).toMatchObject({ cpuUtilizationPercent: null, measuredAt: null });

		suite.variants.metricsWhilePending = 'notFound';
		const { error } = await suite.run(metrics(id));
		expect(error).toMatchObject({ message: 'Metrics of run not found', httpCode: '404' });
	});

	it.each(['[]', '{}', '{"series_metrics":[]}'])('says that %s are not metrics', async (body) => {
		suite.fails('getRunMetrics', { kind: 'replace', body });
		const { error } = await suite.run(metrics(going()));
		expect(error?.message).toMatch(/^Wherobots Cloud returned an unexpected response/);
	});
});

import { closeAll, open } from './open';

afterEach(closeAll);

describe('metrics of a run', () => {
	it('grow over time, and have what a run has cost once it has ended', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: 600_000 } });
		clock.advance(120_000);
		const read = async () => (await admin.get(`/runs/${id}/metrics`)).data;
		const { series_metrics, instant_metrics } = await read();
		expect(series_metrics.CPU_UTILIZATION_PERCENT.metric.data).toHaveLength(3);
		expect(instant_metrics).toEqual({});
		sandbox.variants.metricCostWhileRunning = true;
		expect((await read()).instant_metrics.COST_USD.metric).toEqual({
			data: { value: 0.1481481468148148, timestamp: clock.now() },
			format: 'CURRENCY',
		});
	});

	it('come in one or both groups, as points or pairs, with times in any unit', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: 600_000 } });
		clock.advance(120_000);
		const read = async () => (await admin.get(`/runs/${id}/metrics`)).data;
		sandbox.variants.metricGroups = 'both';
		expect(Object.keys((await read()).instant_metrics)).toContain('CPU_UTILIZATION_PERCENT');
		Object.assign(sandbox.variants, { metricGroups: 'series', metricTimestampUnit: 's' });
		const series = await read();
		expect(series.instant_metrics).toEqual({});
		expect(series.series_metrics.CPU_UTILIZATION_PERCENT.metric.data[2].timestamp).toBe(
			clock.now() / 1000,
		);
		sandbox.variants.metricPoints = 'pairs';
		expect((await read()).series_metrics.CPU_UTILIZATION_PERCENT.metric.data[2]).toEqual([
			clock.now() / 1000,
			expect.any(Number),
		]);
	});
});

describe('costs', () => {
	const costs = async ({ admin }: Pick<Awaited<ReturnType<typeof open>>, 'admin'>, ids: unknown) =>
		await admin.post('/usage/costs', { kubeAppIds: ids });

	it('go from live through settling to final, and stay exact', async () => {
		const opened = await open();
		const { clock, sandbox } = opened;
		const { id } = sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: 60_000 } });
		const app = `app-${id}`;
		const read = async () => (await costs(opened, [app])).data.costs[app];
		clock.advance(30_000);
		expect(await read()).toMatchObject({ status: 'live', cost: '0.0370370367037037010000' });
		clock.advance(30_000);
		expect(await read()).toMatchObject({ status: 'settling', settled_at: null });
		clock.advance(sandbox.timings.costSettlingMs);
		expect(await read()).toMatchObject({ status: 'final', cost: '0.0740740734074074020000' });
	});

	it('list every ID once, including unknown ones', async () => {
		const opened = await open();
		const { status, data } = await costs(opened, ['app-x', 'run-1', 'app-x']);
		expect(status).toBe(200);
		expect(data.costs).toEqual({
			'app-x': { kind: 'unavailable', kube_app_id: 'app-x', reason: 'not_found' },
			'run-1': { kind: 'unavailable', kube_app_id: 'run-1', reason: 'not_found' },
		});
	});

	it.each([[[]], [Array.from({ length: 101 }, (_, i) => `app-${i}`)], ['app-1'], [[1]]])(
		'are refused for %j',
		async (ids) => expect((await costs(await open(), ids)).status).toBe(422),
	);
});

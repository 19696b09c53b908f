import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' });

const metrics = (runId: string, more: object = {}) => ({
	resource: 'jobRun',
	operation: 'getMetrics',
	runId: { __rl: true, mode: 'id', value: runId },
	...more,
});

/** A run that has been running for ten minutes. */
function going() {
	const { id } = suite.sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: 3_600_000 } });
	suite.sandbox.clock.advance(600_000);
	return id;
}

describe('Job Run: Get Metrics', () => {
	it.each([
		['s', 'objects'],
		['ms', 'objects'],
		['us', 'pairs'],
		['ns', 'pairs'],
	] as const)(
		'returns one flat item, with times in %s and points as %s',
		async (metricTimestampUnit, metricPoints) => {
			const variants = { metricTimestampUnit, metricPoints, metricCostWhileRunning: true };
			Object.assign(suite.sandbox.variants, variants);
			const runId = going();
			const { json } = await suite.succeeds(metrics(runId));
			expect(json).toEqual([
				{
					runId,
					cpuUtilizationPercent: 61.5,
					cpuUtilizationPercentAverage: 62.86,
					cpuUtilizationPercentMax: 90.5,
					memoryUtilizationPercent: 73.25,
					memoryUtilizationPercentAverage: 68.25,
					memoryUtilizationPercentMax: 73.25,
					gpuUtilizationPercent: null,
					gpuMemoryUtilizationPercent: null,
					cost: '0.740740734074074',
					costRounded: 0.74,
					currency: 'USD',
					spatialUnits: '1.6666662',
					spatialUnitsRounded: 1.67,
					measuredAt: '2026-11-21T12:10:00Z',
				},
			]);
		},
	);

	it.each(['split', 'both', 'instant', 'series'] as const)(
		'returns the usage of a run whose metrics come in these groups: %s',
		async (groups) => {
			suite.sandbox.variants.metricGroups = groups;
			const { json } = await suite.run(metrics(going()));
			expect(json[0]).toMatchObject({ cpuUtilizationPercent: 61.5, cost: null, costRounded: null });
		},
	);

	it('returns the response unchanged when Simplify is off', async () => {
		const { json } = await suite.run(metrics(going(), { simplify: false }));
		expect(json[0]).toMatchObject({
			series_metrics: { CPU_UTILIZATION_PERCENT: { display_name: 'CPU' } },
		});
	});

	it("has nulls for a run that has not begun, or the service's own error", async () => {
		const { id } = suite.sandbox.store.createRun({ status: 'PENDING' });
		const empty = await suite.run(metrics(id));
		expect(empty.json[0]).toMatchObject({ cpuUtilizationPercent: null, measuredAt: null });

		suite.sandbox.variants.metricsWhilePending = 'notFound';
		const { error } = await suite.run(metrics(id));
		expect(error).toMatchObject({ message: 'Metrics of run not found', httpCode: '404' });
	});

	it.each(['[]', '{}', '{"series_metrics":[]}'])('says that %s are not metrics', async (body) => {
		suite.fails('getRunMetrics', { kind: 'replace', body });
		const { error } = await suite.run(metrics(going()));
		expect(error?.message).toMatch(/^Wherobots Cloud returned an unexpected response/);
	});
});

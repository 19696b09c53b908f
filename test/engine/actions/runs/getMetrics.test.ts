import { suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const metrics = ofRun('getMetrics');

/** A run that has been running for ten minutes. */
function going() {
	const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: 3_600_000 } });
	suite.clock.advance(600_000);
	return id;
}

describe('Job Run: Get Metrics', () => {
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

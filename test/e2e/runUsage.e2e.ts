import { describeWorkflows } from './suite/workflowCases';

describeWorkflows(
	'Workflows with metrics and costs of job runs',
	[
		{
			title: 'a run is submitted, measured, and its cost waited for until it is final',
			workflow: 'test/e2e/workflows/run-usage.json',
			prepare: (sandbox) => {
				sandbox.timings.costSettlingMs = 4_000;
			},
			check: (execution, { sandbox }) => {
				expect(String(execution)).toMatch(/: success$/);
				const [run] = execution.json('Submit');
				expect(run).toMatchObject({ status: 'COMPLETED', costStatus: 'settling' });
				expect(execution.json('Metrics')).toMatchObject([
					{ runId: run.id, cpuUtilizationPercent: 41.5, gpuUtilizationPercent: null },
				]);
				const [cost] = execution.json('Cost');
				expect(cost).toMatchObject({ runId: run.id, costStatus: 'final', currency: 'USD' });
				// Every digit that the service sent, in n8n's database, too.
				expect(cost.cost).toMatch(/^0\.\d{22}$/);
				expect(sandbox.requests.of('getCosts').length).toBeGreaterThan(2);
			},
		},
		{
			title: 'the example reports the costs of a week and finds the limit exceeded',
			workflow: 'examples/weekly-cost-report.json',
			prepare: (sandbox) => {
				for (const hours of [5, 10, 20]) {
					sandbox.store.createRun({
						name: `run-of-${hours}-hours`,
						createTime: Date.now() - 24 * 3_600_000,
						plan: { pendingMs: 0, runningMs: hours * 3_600_000 },
						payload: { timeoutSeconds: 86_400 },
					});
				}
				sandbox.store.createRun({ name: 'just-created', status: 'PENDING' });
			},
			check: (execution) => {
				expect(String(execution)).toMatch(/: success$/);
				expect(execution.json('Report')).toEqual([
					expect.objectContaining({
						total: 155.56,
						runs: 4,
						notFinal: 1,
						withoutCost: 0,
						costliest: expect.arrayContaining(['run-of-20-hours: 88.89 USD']),
					}),
				]);
				expect(execution.json('Send the alert')).toHaveLength(1);
			},
		},
	],
	{ timings: { pendingMs: 500, runningMs: 1_500 } },
);

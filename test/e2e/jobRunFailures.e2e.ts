/** What becomes of job runs when something fails: tried again, started twice, lost, acted upon. */
import { describeWorkflows, useStage } from './suite/workflowCases';

const SUBMIT_AND_WAIT = 'test/e2e/workflows/submit-and-wait.json';

describeWorkflows('Job Run workflows that fail', [
	{
		title: 'Retry on Fail submits each item once, however often it tries',
		workflow: 'test/e2e/workflows/retry-on-fail.json',
		check: (execution, { sandbox }) => {
			expect(execution.status).toBe('error');
			// The third item is refused at each of the three attempts.
			expect(sandbox.requests.of('createRun')).toHaveLength(2 + 3);
			const runs = sandbox.store.runs.all();
			expect(runs.map(({ payload }) => payload.name)).toEqual([
				expect.stringMatching(/^nightly-etl-1-\d+$/),
				expect.stringMatching(/^nightly-etl-2-\d+$/),
			]);
			for (const { id } of runs) expect(execution.error?.description).toContain(id);
		},
	},
	{
		title: 'the error output tells the next node which run to cancel',
		workflow: 'test/e2e/workflows/cancel-on-error.json',
		prepare: ({ faults }) => {
			faults.add({ endpoint: 'getRun', times: 1, fault: { kind: 'status', status: 403 } });
		},
		check: (execution, { sandbox }) => {
			expect(String(execution)).toMatch(/: success$/);
			const [run] = sandbox.store.runs.all();
			expect(execution.items('Submit')).toEqual([]);
			expect(execution.json('Submit', 1)).toMatchObject([
				{ error: { httpCode: 403, runId: run.id, message: expect.stringMatching(/./) } },
			]);
			expect(execution.json('Cancel')).toMatchObject([{ id: run.id }]);
			expect(run.cancelRequestedAt).toBeDefined();
		},
	},
]);

describe('Job Run executions at the same moment', () => {
	const stage = useStage();

	test('use one run when the node is told to use an active one', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		sandbox.variants.runListLagMs = 2_000;
		const id = await importWorkflow(SUBMIT_AND_WAIT, { Submit: { ifNameExists: 'useActive' } });
		const started = await Promise.all([n8n.start(id), n8n.start(id)]);
		const ended = await Promise.all(started.map(async (each) => await n8n.ended(each)));
		const [run, ...others] = sandbox.store.runs.all();
		expect(others).toEqual([]);
		const outputs = ended.flatMap((execution) => execution.json('Submit'));
		expect(outputs.map(({ id: runId, status }) => [runId, status])).toEqual([
			[run.id, 'COMPLETED'],
			[run.id, 'COMPLETED'],
		]);
		expect(outputs.map(({ reused }) => reused).sort()).toEqual([false, true]);
	});
});

import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/until';
import { describeWorkflows, useStage } from './suite/workflowCases';

const SUBMIT_AND_WAIT = 'test/e2e/workflows/submit-and-wait.json';

describeWorkflows('Job Run workflows', [
	{
		title: 'the example submits a run, waits for it and reads its whole log',
		workflow: 'examples/submit-and-wait.json',
		check: (execution, { sandbox }) => {
			expect(String(execution)).toMatch(/: success$/);
			const [submitted] = sandbox.requests.of('createRun');
			expect(sandbox.requests.of('createRun')).toHaveLength(1);
			expect(submitted.query).toEqual({ region: 'aws-us-west-2' });
			expect(submitted.headers['user-agent']).toMatch(/^n8n-nodes-wherobots\/\d+\.\d+\.\d+/);
			expect(submitted.body).toMatchObject({
				runtime: 'tiny',
				name: 'nightly-etl-2026-01-31',
				runPython: { uri: 's3://my-bucket/jobs/nightly_etl.py', args: ['--date=2026-01-31'] },
			});

			const [run] = execution.json('Submit and wait');
			expect(run).toMatchObject({ status: 'COMPLETED', reused: false, region: 'aws-us-west-2' });
			const [log] = execution.json('Read its log');
			expect(log).toMatchObject({ runId: run.id, status: 'COMPLETED', complete: true });
			// The first and the last line of the service's log: nothing is cut, nothing came too late.
			expect(log.text).toMatch(/^INFO SparkContext: Running Spark for nightly-etl-2026-01-31\n/);
			expect(log.text).toMatch(/\nINFO SparkContext: Successfully stopped$/);
			expect(String(log.text).split('\n')).toHaveLength(Number(log.lineCount));
		},
	},
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
]);

describe('Job Run executions', () => {
	const stage = useStage();

	test('stopping an execution cancels the run it waits for', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const id = await importWorkflow(SUBMIT_AND_WAIT, {
			Submit: { pythonUri: 's3://my-bucket/jobs/slow.py' },
		});
		const executionId = await n8n.start(id);
		await until(() => sandbox.requests.of('getRun').length > 0);
		expect(sandbox.requests.of('cancelRun')).toHaveLength(0);

		await n8n.stop(executionId);

		expect((await n8n.ended(executionId)).status).toBe('canceled');
		const [run] = sandbox.store.runs.all();
		await until(() => run.cancelRequestedAt !== undefined);
		await until(() => run.transitions.at(-1)?.status === 'CANCELLED');
		const polls = sandbox.requests.of('getRun').length;
		await sleep(3_000);
		expect(sandbox.requests.of('getRun')).toHaveLength(polls);
	});
});

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
		title: 'a run that fails fails the node, with its cause and traceback',
		workflow: SUBMIT_AND_WAIT,
		parameters: { Submit: { pythonUri: 's3://my-bucket/jobs/fail.py' } },
		check: (execution, { sandbox }) => {
			const [run] = sandbox.store.runs.all();
			expect(execution.status).toBe('error');
			expect(execution.error?.node?.name).toBe('Submit');
			expect(execution.error?.message).toContain(
				'Job run "nightly-etl-2026-01-31" failed: ValueError: column "geometry" not found',
			);
			expect(execution.error?.description).toContain(`Run ID: ${run.id}`);
			expect(execution.error?.description).toMatch(/Return code: 1<br>Traceback[^]*ValueError/);
		},
	},
	{
		title: 'a run is read, followed to its end, and its log kept as a file in n8n',
		workflow: 'test/e2e/workflows/follow-run.json',
		check: async (execution, { n8n }) => {
			expect(String(execution)).toMatch(/: success$/);
			const [raw] = execution.json('Get');
			expect(raw).toMatchObject({ payload: { name: 'nightly-etl-2026-01-31' } });
			expect(execution.json('Wait')).toMatchObject([{ id: raw.id, status: 'COMPLETED' }]);
			const [{ json, binary }] = execution.items('Log file');
			expect(binary?.data).toMatchObject({ fileName: `${raw.id}.log`, mimeType: 'text/plain' });
			const text = (await n8n.binary(binary?.data.id ?? 'none')).toString('utf8');
			expect(text).toMatch(/\nINFO SparkContext: Successfully stopped\n$/);
			expect(text.trimEnd().split('\n')).toHaveLength(Number(json.lineCount));
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

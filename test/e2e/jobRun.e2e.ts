import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/until';
import { useStage } from './suite/stage';

const SUBMIT_AND_WAIT = 'test/e2e/workflows/submit-and-wait.json';

const stage = useStage();

test('the example submits a run, waits for it and reads its whole log', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	const execution = await execute(await importWorkflow('examples/submit-and-wait.json'));
	const [submitted, ...more] = sandbox.requests.of('createRun');
	expect(more).toEqual([]);
	expect(submitted.query).toEqual({});
	expect(submitted.headers['user-agent']).toMatch(/^n8n-nodes-wherobots\/\d+\.\d+\.\d+/);
	const [run] = execution.json('Submit and wait');
	expect(run).toMatchObject({ status: 'COMPLETED', reused: false, region: 'aws-us-west-2' });
	const [log] = execution.json('Read log');
	expect(log).toMatchObject({ runId: run.id, status: 'COMPLETED', complete: true });
	// The first and the last line of the service's log: nothing is cut, nothing came too late.
	expect(log.text).toMatch(/^Setting default log level to "WARN"\.\n/);
	expect(log.text).toMatch(
		/\n\S+ \S+ INFO SparkContext: Running Spark for nightly-etl-2026-01-31\n/,
	);
	expect(log.text).toMatch(/\n\S+ \S+ INFO SparkContext: Successfully stopped$/);
});

test('stopping an execution cancels the run it waits for', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const id = await importWorkflow(SUBMIT_AND_WAIT, {
		Submit: { pythonUri: { __rl: true, mode: 'path', value: 's3://my-bucket/jobs/slow.py' } },
	});
	const executionId = await n8n.start(id);
	await until(() => sandbox.requests.of('getRun').length > 0, { timeoutMs: 60_000 });
	expect(sandbox.requests.of('cancelRun')).toHaveLength(0);

	await n8n.stop(executionId);

	expect((await n8n.ended(executionId)).status).toBe('canceled');
	const [run] = sandbox.store.runs.all();
	await until(() => run.transitions.at(-1)?.status === 'CANCELLED');
	const polls = sandbox.requests.of('getRun').length;
	await sleep(3_000);
	expect(sandbox.requests.of('getRun')).toHaveLength(polls);
});

import { closing, logFile } from '../../../support/failedLogs';
import { until } from '../../../support/until';
import { errorOf, startNode, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

describe('waiting', () => {
	const waiting = { ...pythonRun, waitForCompletion: true };

	it('fails with the exception of the script, its place and its traceback, which the last lines do not show', async () => {
		const message = 'Job failed: exit status 1';
		const logs = logFile('failed-python');
		suite.plans.set('nightly-etl-2026', { outcome: 'FAILED', message, logs });
		const { items } = await suite.run(waiting, { onError: 'continueRegularOutput' });
		const [{ id }] = suite.store.runs.all();
		const error = errorOf(items[0]);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^Job run "nightly-etl-2026" failed: pyspark.*AnalysisException: \[UNRESOLVED_COLUMN/,
			),
			cause: expect.stringContaining('A column, variable, or function parameter with name `geom`'),
			location: 'tiles.py:31',
			returnCode: 1,
			...{ runId: id, runName: 'nightly-etl-2026', status: 'FAILED', outcome: 'FAILED' },
		});
		expect(error?.excerpt).toMatch(/^Traceback[^]*ST_Area[^]*\n.*UNRESOLVED_COLUMN/);
		expect(String(error?.description)).toBe(
			`Run ID: ${id}\nLocation: tiles.py:31\nReturn code: 1\nexit status 1\n${error?.excerpt}`,
		);
		expect(String(error?.description)).not.toMatch(/\tat |run_submit/);
	});

	it('returns the same as data when asked to', async () => {
		const logs = logFile('failed-jar');
		suite.plans.set('nightly-etl-2026', { outcome: 'FAILED', message: 'exit 1', logs });
		const { json } = await suite.run({ ...waiting, waitOptions: { onFailure: 'return' } });
		expect(json[0]).toMatchObject({
			status: 'FAILED',
			message: 'exit 1',
			cause:
				'java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			location: 'Tiles.scala:23',
			returnCode: 1,
		});
		expect(json[0].excerpt).toContain('at com.example.Tiles$.polygon(Tiles.scala:23)');
	});

	it('finds the cause thousands of lines before the end of the log', async () => {
		const [start, end] = [logFile('failed-python').slice(0, 26), closing(1)];
		const frames = Array<string>(4_000).fill(
			'\tat scala.collection.immutable.List.foreach(List.scala:431)',
		);
		const tasks = Array<string>(4_000).fill('26/11/25 03:00:42 WARN TaskSetManager: Lost task 3.0');
		suite.plans.set('nightly-etl-2026', {
			outcome: 'FAILED',
			logs: [...start, ...frames, ...tasks, ...end],
		});
		const { error } = await suite.run(waiting);
		expect(error?.message).toContain('AnalysisException: [UNRESOLVED_COLUMN');
	});

	it("fails with the service's message and the last log lines where the log names no cause", async () => {
		suite.plans.set('nightly-etl-2026', {
			outcome: 'FAILED',
			message: 'Traceback: column not found',
			logs: ['reading', 'joining', 'boom'],
		});
		const { error } = await suite.run({ ...waiting, waitOptions: { logLines: 2 } });
		expect(error?.message).toBe('Job run "nightly-etl-2026" failed: Traceback: column not found');
		expect(error?.description).toContain('joining\nboom');
		expect(error?.description).not.toContain('reading');
		expect(error?.description).toMatch(/Run ID: \S+/);
	});

	it('waits through an outage of the service', async () => {
		suite.plans.set('nightly-etl-2026', { runningMs: 600_000 });
		suite.fails('getRun', 503, { skip: 2, times: 12 });
		expect((await suite.run(waiting)).json[0].status).toBe('COMPLETED');
	});

	it('reports what the last status check said when an outage outlasts the wait', async () => {
		suite.plans.set('nightly-etl-2026', { runningMs: 3_000_000 });
		suite.fails('getRun', 503, { skip: 4 });
		const { items } = await suite.run(
			{ ...waiting, waitOptions: { maxWaitMinutes: 5 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(errorOf(items[0])).toMatchObject({
			message: 'The job run did not end within 5 minutes',
			description: expect.stringMatching(
				/^The last status check failed: [^.]+\. The run was not cancelled\. Run ID: \S+/,
			),
			runId: suite.store.runs.all()[0].id,
			runName: 'nightly-etl-2026',
			status: 'RUNNING',
			httpCode: 503,
			requestId: expect.stringMatching(/./),
			temporary: true,
		});
	});

	it('waits through "not found" while the service does not show the new run yet', async () => {
		suite.variants.runReadLagMs = 15_000;
		expect((await suite.run(waiting)).json[0].status).toBe('COMPLETED');
	});

	it('fails when the run is still not found minutes later, and names it', async () => {
		suite.variants.runReadLagMs = 3_600_000;
		const { items } = await suite.run(waiting, { onError: 'continueRegularOutput' });
		const [{ id }] = suite.store.runs.all();
		expect(errorOf(items[0])).toMatchObject({ httpCode: 404, runId: id });
	});
});

it('stopping the execution ends the wait, and cancels the run that it created', async () => {
	suite.plans.set('nightly-etl-2026', { runningMs: 9_000_000 });
	const running = startNode(suite.sandbox, { ...pythonRun, waitForCompletion: true });
	suite.requests.listen(({ endpoint }) => {
		if (endpoint === 'getRun' && suite.requests.of(endpoint).length === 3) running.cancel();
	});
	await running.result;
	await until(() => suite.requests.of('cancelRun').length > 0);
	const [run] = suite.store.runs.all();
	expect(suite.requests.of('cancelRun')[0].path).toContain(run.id);
	expect(suite.requests.of('getRun')).toHaveLength(3);
});

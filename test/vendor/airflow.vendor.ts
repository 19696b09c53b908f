/** airflow-providers-wherobots: its operator of job runs. */
import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';

const LINES = 350;

describeWith('airflow')('airflow-providers-wherobots', () => {
	let judge: Judge;
	let runs: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('airflow');
		judge.sandbox.plans.set(/logs\.py$/, { logs: LINES });
		judge.sandbox.plans.set(/fail-exec\.py$/, { outcome: 'FAILED_TIMEOUT' });
		runs = await judge.work('airflow_runs.py');
	});

	afterAll(async () => await judge?.stop());

	it('submits without region and runtime, waits for the end and pushes the ID', () => {
		const expected = { ended: true, failure: null, name: 'airflow-default', status: 'COMPLETED' };
		expect(runs.by_default).toEqual(expected);
	});

	it('submits a JAR without a main class, at an address that begins with a space, with any version', () => {
		expect(runs.a_jar_in_full).toBeNull();
	});

	it('follows the log to its end: each line once, with its level', () => {
		expect(runs.log_followed).toEqual({
			failure: null,
			levels: ['INFO', 'WARNING'],
			lines: Array.from(
				{ length: LINES },
				(_, index) => `INFO TaskSetManager: Finished task ${index + 1} of ${LINES}`,
			),
		});
	});

	it('fails when the run has failed', () => {
		expect(runs.failed).toMatch(/^Run \w+ failed, please check the logs$/);
	});

	it.each([
		['timed_out', 'the status TIMED_OUT'],
		['failed_by_timeout', 'the event RUN_FAIL_EXEC of a failed run'],
	])('knows a timeout (%s) by %s', (which) => {
		expect(runs[which]).toMatch(/^Run \w+ failed due to timeout$/);
	});

	it('cancels its run when the task is killed', () => {
		expect(runs.killed).toMatch(/^Run \w+ was cancelled by user$/);
		expect(judge.sandbox.requests.of('cancelRun')).toMatchObject([{ status: 200 }]);
	});

	it('shows the error of the service as it is', () => {
		const { error, message } = runs.refused;
		expect([error, message]).toEqual(['RuntimeError', expect.stringContaining('"field":"name"')]);
	});
});

describeWith('airflow')('airflow-providers-wherobots with SQL', () => {
	let judge: Judge;
	let sql: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('airflow', { timings: { sqlStartMs: 2_000 } });
		judge.sandbox.sql.answer('SELECT * FROM t', { rows: [{ id: 1, name: 'Bonn' }] });
		judge.sandbox.sql.answer(/^CREATE TABLE/, {});
		sql = await judge.work('airflow_sql.py');
	});

	afterAll(async () => await judge?.stop());

	it('executes a statement without region and runtime', () => {
		expect(sql.by_default).toEqual([{ id: 1, name: 'Bonn' }]);
	});

	it('splits statements itself and sends each alone', () => {
		expect(sql.several).toEqual([[], [{ id: 1, name: 'Bonn' }]]);
	});

	it('fails with the message of the statement', () => {
		const message = expect.stringContaining('[TABLE_OR_VIEW_NOT_FOUND]');
		expect(sql.failed).toEqual({ error: 'OperationalError', message });
	});

	it('names itself before the driver in the header for clients', () => {
		const named = judge.sandbox.requests.all().map(({ headers }) => headers['x-wherobots-client']);
		expect(new Set(named)).toEqual(
			new Set([expect.stringMatching(/^client=airflow;ver=[\d.]+, client=dbapi;ver=[\d.]+$/)]),
		);
	});
});

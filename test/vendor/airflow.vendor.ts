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

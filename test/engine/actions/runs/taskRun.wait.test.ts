/** Waiting for a run of a task: one that exists, and one that the same operation submits. */
import { logFile } from '../../../support/failedLogs';
import { by } from '../../../support/files';
import { aWhile, until } from '../../../support/until';
import { startNode, suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

describe('a wait', () => {
	const ofRun = (id: string) => ({
		...{ resource: 'taskRun', operation: 'waitForCompletion', taskRunId: by('id', id) },
	});
	const waitFor = (taskRunId: string, waitOptions = {}) =>
		suite.run({ ...ofRun(taskRunId), waitOptions });

	it.each([
		['at once', {}],
		['that are missing at first', { taskReadsWithoutResults: 3 }],
		['when the state lags', { taskStateLagMs: 120_000, taskEndedAt: 'null' as const }],
	])('returns a run with its results: %s', async (_, variants) => {
		Object.assign(suite.variants, variants);
		const { taskRunId } = suite.store.tasks.createRun();
		expect((await waitFor(taskRunId)).json).toEqual([
			expect.objectContaining({
				state: 'SUCCEEDED',
				results: { o0: 's3://sandbox-bucket/predictions.parquet' },
			}),
		]);
	});

	it('does not wait for results when there are none', async () => {
		const { tasks } = suite.store;
		const script = tasks.createRun({ type: 'scripttask', state: 'SUCCEEDED' });
		await waitFor(script.taskRunId);
		const failed = tasks.createRun({ results: null, state: 'FAILED' });
		await waitFor(failed.taskRunId);
		expect(suite.requests.of('getTaskRun')).toHaveLength(2);
		const nothing = tasks.createRun({ results: null, state: 'SUCCEEDED' });
		const { json } = await waitFor(nothing.taskRunId);
		expect(json).toEqual([expect.objectContaining({ state: 'SUCCEEDED', results: null })]);
	});

	it.each(['FAILED', 'TIMED_OUT', 'CANCELLED', 'REJECTED', 'MISSED', 'SKIPPED', 'UNKNOWN'])(
		'ends with %s, with an error or with the run',
		async (state) => {
			const { taskRunId } = suite.store.tasks.createRun({ state, name: 'roofs' });
			const { error } = await waitFor(taskRunId);
			const words = state.toLowerCase().replace('_', ' ');
			const cause = state === 'FAILED' ? 'The model could not be loaded.' : undefined;
			const ended = cause ? `failed: ${cause}` : `did not succeed: ${words}`;
			expect(error?.message).toBe(`Task run "roofs" ${ended}`);
			const says = [`Task run ID: ${taskRunId}`, cause && 'The log has no lines from the program.'];
			expect(error?.description).toBe(says.filter(Boolean).join('\n'));
			expect(error?.context?.data).toMatchObject({ taskRunId, state });
			expect((error?.context?.data as { cause?: string }).cause).toBe(cause);
			const { json } = await waitFor(taskRunId, { onFailure: 'return' });
			expect(json).toEqual([expect.objectContaining({ state })]);
		},
	);

	it('fails with the exception of the task, its place and its traceback', async () => {
		const run = suite.store.tasks.createRun({ state: 'FAILED', name: 'roofs' });
		suite.store.tasks.appendLog(run, [...logFile('failed-python'), 'releasing a worker']);
		const { error } = await waitFor(run.taskRunId);
		expect(error?.message).toMatch(/^Task run "roofs" failed: .*AnalysisException: \[UNRESOLVED/);
		expect(error?.description).toMatch(
			/^The model could not be loaded\.\n.*\nLocation: tiles.py:31\nReturn code: 1\nTraceback/,
		);
		expect(error?.description).not.toMatch(/\tat |run_submit/);
		expect((await waitFor(run.taskRunId, { onFailure: 'return' })).json[0]).toMatchObject({
			state: 'FAILED',
			cause: expect.stringContaining('UNRESOLVED_COLUMN'),
			location: 'tiles.py:31',
			returnCode: 1,
		});
	});

	it('names the run that failed even when its log cannot be read', async () => {
		const { taskRunId } = suite.store.tasks.createRun({ state: 'FAILED' });
		suite.fails('getTaskRunLogs', 403);
		const { error } = await waitFor(taskRunId);
		expect(error?.message).toContain('failed: The model could not be loaded.');
		expect(error?.description).toMatch(/^Task run ID: \S+\nThe log could not be read: /);
	});

	it('takes the state UNKNOWN for the end only when it lasts', async () => {
		const { clock, store } = suite;
		const run = store.tasks.createRun();
		// It occurs twice, for less than a minute each time, but more than a minute apart.
		const states = [
			['UNKNOWN', 0],
			['RUNNING', 50],
			['UNKNOWN', 120],
			['RUNNING', 170],
			['SUCCEEDED', 200],
		] as const;
		run.transitions = states.map(([state, seconds]) => ({
			state,
			at: clock.now() + seconds * 1_000,
		}));
		expect((await waitFor(run.taskRunId)).json).toMatchObject([{ state: 'SUCCEEDED' }]);
	});

	it('returns a run without results when time is up before they can be read', async () => {
		suite.variants.taskReadsWithoutResults = 1_000;
		const { taskRunId } = suite.store.tasks.createRun();
		const begin = suite.clock.now();
		const { json } = await waitFor(taskRunId, { maxWaitMinutes: 1 });
		expect(json).toMatchObject([{ state: 'SUCCEEDED', results: null }]);
		expect(suite.clock.now() - begin).toBeLessThan(62_000);
	});

	it.each([true, false])('cancels the run when it is stopped, if asked to (%s)', async (asked) => {
		const { taskRunId } = suite.store.tasks.createRun({ state: 'RUNNING' });
		const waitOptions = asked ? { cancelOnStop: true } : {};
		suite.time.restore();
		const running = startNode(suite.sandbox, { ...ofRun(taskRunId), waitOptions });
		await until(() => suite.requests.of('getTaskRun').length > 0);
		running.cancel();
		await running.result;
		const cancellations = () => suite.requests.of('cancelTaskRun').length;
		if (asked) await until(() => cancellations() > 0);
		await aWhile();
		expect(cancellations()).toBe(asked ? 1 : 0);
	});

	it('continues in an unfamiliar state, up to its deadline', async () => {
		const { taskRunId } = suite.store.tasks.createRun({ state: 'PAUSED' });
		const { error } = await waitFor(taskRunId, { maxWaitMinutes: 10 });
		expect(error?.message).toBe('The task run did not end within 10 minutes');
		expect(error?.description).toContain('Its state is PAUSED. The run was not cancelled.');
	});
});

describe('a wait for a run that was just submitted', () => {
	const waiting = {
		...{ resource: 'taskRun', operation: 'create', waitForCompletion: true },
		...{ taskName: by('list', 'predict_mosaic_geometries_recipe'), inputsFrom: 'json' },
		inputsJson: '{"aoi": "s3://sandbox-bucket/aoi.parquet"}',
	};
	const submissions = () => suite.requests.of('runTask').length;

	const inState = (state: string) => ({
		kind: 'edit' as const,
		edit: (run: object) => ({ ...run, state }),
	});

	it('lets Retry On Fail submit again after a failure, but not after an unknown outcome', async () => {
		const failing = inState('FAILED');
		const rule = suite.fails('getTaskRun', failing);
		await suite.run(waiting, { maxTries: 3 });
		expect(submissions()).toBe(3);
		rule.remove();
		suite.fails('getTaskRun', inState('UNKNOWN'));
		const { error } = await suite.run(waiting, { maxTries: 3 });
		expect(error?.message).toContain('did not succeed: unknown');
		expect(submissions()).toBe(4);
	});

	it('does not submit again what is to be submitted only once for a key, and does not count as skipped', async () => {
		suite.fails('getTaskRun', inState('FAILED'));
		const once = { ...waiting, options: { deduplicationKey: 'a' } };
		const { error } = await suite.run(once, { maxTries: 3 });
		expect(error?.message).toContain('did not succeed: failed');
		expect(submissions()).toBe(1);
	});

	it('fails with what may have been submitted for other items', async () => {
		const { faults } = suite;
		faults.add({ endpoint: 'getTaskRun', fault: inState('FAILED') });
		faults.add({ endpoint: 'runTask', skip: 1, fault: { kind: 'status', status: 503 } });
		const { error } = await suite.run(waiting, { input: [{}, {}] });
		expect(error?.message).toContain('did not succeed: failed');
		expect(error?.context?.data).toMatchObject({
			alsoAmbiguous: [{ itemIndex: 1, name: 'predict_mosaic_geometries_recipe' }],
		});
	});
});

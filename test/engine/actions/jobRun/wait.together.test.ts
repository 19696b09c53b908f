/** Many waits at once share their requests: see also test/property/transport/jobRuns/watch.test.ts. */
import { RealClock } from '../../../sandbox';
import { by } from '../../../support/files';
import { until } from '../../../support/until';
import { liveInFastTime, runNode, startNode, type TestTime } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

/** A minute takes two seconds. */
const SPEED = 30;
const MINUTE = 60_000;

const suite = suiteWithSandbox({ seed: 'empty', clock: new RealClock({ speed: SPEED }) });
let time: TestTime;

beforeEach(() => {
	suite.time.restore();
	time = liveInFastTime(suite.sandbox, SPEED);
});
afterEach(() => time.restore());

const requests = (endpoint: Parameters<typeof suite.sandbox.requests.of>[0]) =>
	suite.sandbox.requests.of(endpoint).length;

const waitFor = (waitOptions = {}) => ({
	...{ resource: 'jobRun', operation: 'waitForCompletion', runId: by('id', '={{ $json.id }}') },
	waitOptions,
});

const going = (count: number, ms: number) =>
	Array.from({ length: count }, () => {
		const plan = { pendingMs: 0, runningMs: ms };
		const { id } = suite.sandbox.store.createRun({ plan });
		return { id };
	});

describe('many items that wait for job runs', () => {
	it('take a list of two pages at each check, and a request for each run that has ended', async () => {
		const input = going(120, MINUTE);
		const { json } = await runNode(suite.sandbox, waitFor(), { input });
		expect(json.map(({ id, status }) => [id, status])).toEqual(
			input.map(({ id }) => [id, 'COMPLETED']),
		);
		expect(requests('getRun')).toBeLessThan(120 + 60);
		expect(requests('listRuns')).toBeLessThan(40);
	});

	it.each([403, 503])('are read one by one when the list cannot be read: %i', async (status) => {
		suite.sandbox.faults.add({ endpoint: 'listRuns', fault: { kind: 'status', status } });
		const { json } = await runNode(suite.sandbox, waitFor(), { input: going(5, MINUTE) });
		expect(json).toEqual(Array(5).fill(expect.objectContaining({ status: 'COMPLETED' })));
		// It is not tried again at once, which would hold all of them up.
		expect(requests('listRuns')).toBeLessThan(5);
	});

	it('each wait for their longest time from the beginning', async () => {
		const begin = suite.sandbox.clock.now();
		const { json } = await runNode(suite.sandbox, waitFor({ maxWaitMinutes: 1 }), {
			...{ input: going(30, 60 * MINUTE), onError: 'continueRegularOutput' },
		});
		const message = 'The job run did not end within 1 minute';
		expect(json).toEqual(Array(30).fill({ error: expect.objectContaining({ message }) }));
		expect(suite.sandbox.clock.now() - begin).toBeLessThan(2 * MINUTE);
	});

	it('have their costs compared with their limits in one request a minute', async () => {
		const waitOptions = { cancelAboveCost: '100' };
		await runNode(suite.sandbox, waitFor(waitOptions), { input: going(30, 1.5 * MINUTE) });
		expect(requests('getCosts')).toBeLessThanOrEqual(4);
	});
});

it('many items that wait for their final costs each wait for their longest time', async () => {
	const input = Array.from({ length: 15 }, () =>
		suite.sandbox.store.createRun({ status: 'COMPLETED' }),
	);
	const begin = suite.sandbox.clock.now();
	const parameters = {
		...{ resource: 'jobRun', operation: 'getCost', runId: by('id', '={{ $json.id }}') },
		options: { waitUntilFinal: true, maxWaitMinutes: 1 },
	};
	const { json } = await runNode(suite.sandbox, parameters, {
		...{ input: input.map(({ id }) => ({ id })), onError: 'continueRegularOutput' },
	});
	const message = 'The cost was not final within 1 minute';
	expect(json).toEqual(Array(15).fill({ error: expect.objectContaining({ message }) }));
	expect(suite.sandbox.clock.now() - begin).toBeLessThan(2 * MINUTE);
});

it('many items that create and wait are checked together', async () => {
	const input = Array.from({ length: 30 }, (_, n) => ({ n }));
	for (const { n } of input) suite.sandbox.plans.set(`run-number-${n}`, { runningMs: MINUTE });
	const parameters = { ...pythonRun, name: '=run-number-{{ $json.n }}', waitForCompletion: true };
	const { json } = await runNode(suite.sandbox, parameters, { input });
	expect(json.map(({ name, status }) => [name, status])).toEqual(
		input.map(({ n }) => [`run-number-${n}`, 'COMPLETED']),
	);
	expect(requests('listRuns') + requests('getRun')).toBeLessThan(30 + 20);
});

it('many items that wait for task runs are checked together', async () => {
	const { clock, store } = suite.sandbox;
	const input = Array.from({ length: 30 }, () => {
		const run = store.tasks.createRun({ taskName: 'x' });
		const states = [
			['RUNNING', 0],
			['SUCCEEDED', MINUTE],
		] as const;
		run.transitions = states.map(([state, ms]) => ({ state, at: clock.now() + ms }));
		return { id: run.taskRunId };
	});
	const parameters = {
		...{ resource: 'taskRun', operation: 'waitForCompletion' },
		taskRunId: by('id', '={{ $json.id }}'),
	};
	const { json } = await runNode(suite.sandbox, parameters, { input });
	expect(json).toEqual(Array(30).fill(expect.objectContaining({ state: 'SUCCEEDED' })));
	expect(requests('getTaskRun')).toBeLessThan(30 + 20);
	expect(requests('listTaskRuns')).toBeLessThan(20);
});

it('an execution that is stopped does not end the waits of another one', async () => {
	const stopped = startNode(suite.sandbox, waitFor(), { input: going(20, MINUTE) });
	const other = startNode(suite.sandbox, waitFor(), { input: going(20, MINUTE) });
	await until(() => requests('listRuns') > 1);
	stopped.cancel();
	await stopped.result;
	const { data } = await other.result;
	expect(data.resultData.error).toBeUndefined();
	expect(data.resultData.runData.Wherobots[0].data?.main[0]).toHaveLength(20);
});

/** Many waits at once share their requests: see also test/property/useCases/runs/watch.test.ts. */
import { RealClock } from '../../../sandbox';
import { by } from '../../../support/files';
import { liveInFastTime, suiteWithSandbox, type TestTime } from '../../harness/suite';

/** A minute takes two seconds. */
const SPEED = 30;
const MINUTE = 60_000;

/**
 * Reading each run by itself takes more than six requests in a minute. How many are saved depends on
 * the machine: on a slow one, runs end between two pages of a list, which then lacks others.
 */
const apart = (runs: number) => 6 * runs;

const suite = suiteWithSandbox({ seed: 'empty', clock: new RealClock({ speed: SPEED }) });
let time: TestTime;

beforeEach(() => {
	suite.time.restore();
	time = liveInFastTime(suite.sandbox, SPEED);
});
afterEach(() => time.restore());

const requests = (endpoint: Parameters<typeof suite.requests.of>[0]) =>
	suite.requests.of(endpoint).length;

const waitFor = (waitOptions = {}) => ({
	...{ resource: 'jobRun', operation: 'waitForCompletion', runId: by('id', '={{ $json.id }}') },
	waitOptions,
});

const going = (count: number, ms: number) =>
	Array.from({ length: count }, () => {
		const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: ms } });
		return { id };
	});

it('many items that wait for job runs are checked together, also where the list of active runs has two pages', async () => {
	const input = going(120, MINUTE);
	expect(
		(await suite.run(waitFor(), { input })).json.map(({ id, status }) => [id, status]),
	).toEqual(input.map(({ id }) => [id, 'COMPLETED']));
	expect(requests('getRun') + requests('listRuns')).toBeLessThan(apart(120) / 2);
});

it('many items that wait for their final costs each wait for their longest time', async () => {
	const input = Array.from({ length: 45 }, () => suite.store.createRun({ status: 'COMPLETED' }));
	const begin = suite.clock.now();
	const parameters = {
		...{ resource: 'jobRun', operation: 'getCost', runId: by('id', '={{ $json.id }}') },
		options: { maxWaitMinutes: 1 },
	};
	const { json } = await suite.run(parameters, {
		...{ input: input.map(({ id }) => ({ id })), onError: 'continueRegularOutput' },
	});
	const message = 'The cost was not final within 1 minute';
	expect(json).toEqual(Array(45).fill({ error: expect.objectContaining({ message }) }));
	// Ten at a time, the last would begin after four minutes.
	expect(suite.clock.now() - begin).toBeLessThan(4 * MINUTE);
});

it('many items that wait for task runs are checked together', async () => {
	const { clock, store } = suite;
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
	const { json } = await suite.run(parameters, { input });
	expect(json).toEqual(Array(30).fill(expect.objectContaining({ state: 'SUCCEEDED' })));
	expect(requests('getTaskRun') + requests('listTaskRuns')).toBeLessThan(apart(30) / 2);
});

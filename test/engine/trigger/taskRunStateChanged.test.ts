import { by } from '../../support/files';
import { ActiveTrigger, suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, active, polls } = suiteWithTrigger({ event: 'taskRunStateChanged' });
const tasks = () => suite.store.tasks;
const eventIds = async (trigger: ActiveTrigger) =>
	(await polls(trigger)).map(({ eventId }) => eventId);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	test('old runs do not come, but changes of active ones do', async () => {
		tasks().createRun({ state: 'FAILED' });
		const run = tasks().createRun({ state: 'RUNNING', name: 'Roofs', taskName: 'find_roofs' });
		const trigger = await active({ states: [] }, { engine });
		expect(await polls(trigger)).toEqual([]);
		tasks().move(run, 'FAILED');
		expect(await polls(trigger)).toEqual([
			{
				taskRunId: run.taskRunId,
				name: 'Roofs',
				taskName: 'find_roofs',
				state: 'FAILED',
				runSource: 'manual',
				submittedAt: '2026-03-01T12:00:00.000000Z',
				endedAt: '2026-03-01T12:01:00.000000Z',
				durationSeconds: null,
				errorMessage: 'The model could not be loaded.',
				previousState: 'RUNNING',
				eventId: `taskRun/${run.taskRunId}/FAILED`,
			},
		]);
		expect(await polls(trigger)).toEqual([]);
	});

	test.each(['MISSED', 'SKIPPED', 'REJECTED'])(
		'a run that is %s from the start comes at once',
		async (state) => {
			const trigger = await active({ states: [state] }, { engine });
			const { taskRunId } = tasks().createRun({ state });
			tasks().createRun({ state: 'SUCCEEDED' });
			expect(await polls(trigger)).toMatchObject([
				{ state, previousState: null, eventId: `taskRun/${taskRunId}/${state}` },
			]);
			expect(await polls(trigger)).toEqual([]);
		},
	);
});

describe('a run that its schedule missed', () => {
	test.each(['due', 'recorded'] as const)(
		'comes when it is recorded, up to an hour after newer ones (its time: when %s)',
		async (taskMissedTime) => {
			suite.variants.taskMissedTime = taskMissedTime;
			const trigger = await active({ states: [] });
			const due = suite.clock.now();
			pass(55 * MINUTE);
			const younger = tasks().createRun({ state: 'SUCCEEDED' });
			expect(await eventIds(trigger)).toEqual([`taskRun/${younger.taskRunId}/SUCCEEDED`]);
			expect(await polls(trigger, 2)).toEqual([]);
			const missed = tasks().missRun(due);
			expect(await eventIds(trigger)).toEqual([`taskRun/${missed.taskRunId}/MISSED`]);
			expect(await eventIds(trigger)).toEqual([]);
		},
	);
});

test('by default, the runs that need attention come', async () => {
	const trigger = await active();
	const draft = { runSource: 'schedule' } as const;
	for (const state of ['FAILED', 'SUCCEEDED', 'MISSED', 'RUNNING', 'TIMED_OUT', 'CANCELLED']) {
		tasks().createRun({ ...draft, state });
	}
	const states = (await polls(trigger)).map(({ state }) => state);
	expect(states.sort()).toEqual(['FAILED', 'MISSED', 'TIMED_OUT']);
});

test('all runs that have ended come, whatever their outcome, when that is chosen', async () => {
	const trigger = await active({ states: ['finished', 'CANCELLING'] });
	for (const state of ['PENDING', 'RUNNING', 'CANCELLING', 'SUCCEEDED', 'SKIPPED', 'UNKNOWN']) {
		tasks().createRun({ state });
	}
	const states = (await polls(trigger)).map(({ state }) => state);
	expect(states.sort()).toEqual(['CANCELLING', 'SKIPPED', 'SUCCEEDED', 'UNKNOWN']);
});

test('only runs of the chosen task, source and region come', async () => {
	const trigger = await active({
		states: [],
		filters: {
			taskName: by('name', 'nightly_*'),
			runSource: 'schedule',
			region: 'aws-eu-west-1',
		},
	});
	const draft = { taskName: 'nightly_a', runSource: 'schedule', region: 'aws-eu-west-1' } as const;
	const { taskRunId } = tasks().createRun({ ...draft, state: 'RUNNING' });
	tasks().createRun({ ...draft, taskName: 'hourly', state: 'RUNNING' });
	tasks().createRun({ ...draft, runSource: 'manual', state: 'RUNNING' });
	tasks().createRun({ ...draft, region: 'aws-us-west-2', state: 'RUNNING' });
	expect(await eventIds(trigger)).toEqual([`taskRun/${taskRunId}/RUNNING`]);
});

test('a success comes when the state shows it, with or without an end time, and without results', async () => {
	suite.variants.taskStateLagMs = 2 * MINUTE;
	suite.variants.taskEndedAt = 'null';
	const trigger = await active({ states: ['SUCCEEDED'] });
	const run = tasks().createRun({ state: 'RUNNING' });
	expect(await polls(trigger)).toEqual([]);
	tasks().move(run, 'SUCCEEDED');
	expect(await polls(trigger)).toEqual([]);
	const [item] = await polls(trigger);
	expect(item).toMatchObject({ state: 'SUCCEEDED', endedAt: null });
	expect(item).not.toHaveProperty('results');
});

test('an unknown state counts as active, and all fields come when Simplify is off', async () => {
	const trigger = await active({ states: [], simplify: false });
	const run = tasks().createRun({ state: 'HIBERNATING' });
	expect(await polls(trigger)).toMatchObject([
		{ state: 'HIBERNATING', previousState: null, region: 'aws-us-west-2', cached: false },
	]);
	tasks().move(run, 'SUCCEEDED');
	expect(await polls(trigger)).toMatchObject([
		{ state: 'SUCCEEDED', previousState: 'HIBERNATING', taskRunId: run.taskRunId },
	]);
});

test('a manual test shows the newest five runs in the chosen states, with one request', async () => {
	const made = Array.from({ length: 7 }, (_, at) => {
		pass(1_000);
		tasks().createRun({ state: 'SUCCEEDED' });
		return tasks().createRun({ state: 'FAILED', name: `${at}` }).taskRunId;
	});
	const parameters = { event: 'taskRunStateChanged', states: ['FAILED'] };
	const items = await new ActiveTrigger(suite.sandbox, parameters).test();
	expect(items.map(({ taskRunId }) => taskRunId).sort()).toEqual(made.slice(-5).sort());
	expect(suite.requests.of('listTaskRuns')).toHaveLength(1);
});

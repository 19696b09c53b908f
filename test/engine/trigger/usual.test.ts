import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';

import { type ActiveTrigger, suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, active } = suiteWithTrigger({});

/** What a poll finds after so many minutes without one. */
async function later(trigger: ActiveTrigger, minutes: number) {
	pass(minutes * MINUTE);
	await trigger.poll();
	return trigger.take();
}

const durations = {
	event: 'runExceededDuration',
	pendingMinutes: 0,
	runningMinutes: 0,
	factor: 2,
};

/** Runs of the past, each of so many minutes, one after the other. */
function completed(minutes: number[], more: { name?: string; outcome?: 'FAILED' } = {}): void {
	for (const [index, each] of minutes.entries()) {
		const { name = `etl-2026-02-${String(index + 1).padStart(2, '0')}`, outcome } = more;
		const plan = { pendingMs: 0, runningMs: each * MINUTE, ...(outcome && { outcome }) };
		suite.store.createRun({ name, plan });
		pass((each + 1) * MINUTE);
	}
}

/** What is written to n8n's log from now on. */
function listen(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockReturnValue();
	return () => warn.mock.calls.map(([text]) => text);
}

const histories = () =>
	suite.requests.of('listRuns').filter(({ query }) => query.name === 'etl*').length;

test('a run that takes longer than usual is reported, with what is usual', async () => {
	completed([10, 12, 11, 10, 12]);
	completed([300, 300, 300], { outcome: 'FAILED' });
	completed([500], { name: 'etl-tiles' });
	const trigger = await active(durations);
	const { id } = suite.store.createRun({ name: 'etl-2026-03-01', status: 'RUNNING' });
	// Whether it is still running is only certain after five minutes.
	expect(await later(trigger, 26)).toEqual([]);
	expect(await later(trigger, 2)).toMatchObject([
		{
			eventId: `run/${id}/exceeded/RUNNING`,
			...{ limitMinutes: 22, exceededLimit: 'usual', usualMinutes: 11, factor: 2, comparedRuns: 5 },
		},
	]);
	expect(await later(trigger, 5)).toEqual([]);
});

test('the last runs count, not all of them', async () => {
	completed([100, 100, 100, 100, 100, 100, 2, 2, 2, 2, 2]);
	const trigger = await active({ ...durations, options: { comparedRuns: 5 } });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 12)).toMatchObject([{ usualMinutes: 2, comparedRuns: 5 }]);
});

test('what comes first counts, and a run is reported once', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active({ ...durations, runningMinutes: 8 });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 14)).toMatchObject([
		{ limitMinutes: 8, exceededLimit: 'fixed', usualMinutes: 10 },
	]);
	expect(await later(trigger, 20)).toEqual([]);
});

test('a run that ended between two polls is judged by its own times', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	const plan = { pendingMs: 0, runningMs: 21 * MINUTE };
	suite.store.createRun({ name: 'etl', plan });
	suite.store.createRun({ name: 'etl', plan: { ...plan, runningMs: 19 * MINUTE } });
	expect(await later(trigger, 22)).toMatchObject([{ minutes: 21 }]);
});

test('fewer than five completed runs are no history, which is said once', async () => {
	const said = listen();
	completed([1, 1, 1, 1]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	for (let hour = 0; hour < 3; hour += 1) expect(await later(trigger, 61)).toEqual([]);
	expect(said()).toEqual([
		expect.stringMatching(/job run "etl" is not known yet: fewer than five/),
	]);
});

test('the past is read once an hour for all triggers on a name', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	const other = await active({ ...durations, factor: 3, filters: { region: 'aws-us-west-2' } });
	suite.store.createRun({ name: 'etl-7', status: 'RUNNING' });
	suite.store.createRun({ name: 'etl-8', status: 'RUNNING' });
	for (let minutes = 0; minutes < 55; minutes += 11) {
		await later(trigger, 11);
		await other.poll();
	}
	expect(histories()).toBe(1);
	await later(trigger, 22);
	expect(histories()).toBe(2);
});

test('an outage while the past is read loses nothing', async () => {
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'etl', plan: { pendingMs: 0, runningMs: 30 * MINUTE } });
	pass(29 * MINUTE);
	const outage = suite.fails('listRuns', 503, { skip: 1 });
	expect(await later(trigger, 1)).toEqual([]);
	outage.remove();
	expect(await later(trigger, 1)).toMatchObject([{ usualMinutes: 10 }]);
});

test('a name that no filter can have holds back no other run', async () => {
	const said = listen();
	completed([10, 10, 10, 10, 10]);
	const trigger = await active(durations);
	suite.store.createRun({ name: 'odd (one)', status: 'RUNNING' });
	suite.store.createRun({ name: 'etl', status: 'RUNNING' });
	expect(await later(trigger, 28)).toMatchObject([{ name: 'etl' }]);
	expect(said()).toEqual([expect.stringContaining('job run "odd (one)" is not known yet')]);
});

test.each([1, -2, 'two', '1,5'])('a factor of %s is refused', async (factor) => {
	await expect(active({ ...durations, factor })).rejects.toThrow(
		/^'Times as Long as Usual' must be a number above 1/,
	);
});

test('task runs are compared with those of their task', async () => {
	const { store, timings } = suite;
	Object.assign(timings, { pendingMs: 0, runningMs: 10 * MINUTE });
	for (let count = 0; count < 5; count += 1) {
		store.tasks.createRun();
		store.tasks.createRun({ taskName: 'other', cached: true });
		pass(15 * MINUTE);
	}
	timings.runningMs = 60 * MINUTE;
	const trigger = await active({ ...durations, event: 'taskRunExceededDuration' });
	const { taskRunId } = store.tasks.createRun();
	expect(await later(trigger, 24)).toEqual([]);
	expect(await later(trigger, 2)).toMatchObject([
		{ taskRunId, eventId: `taskRun/${taskRunId}/exceeded/RUNNING`, usualMinutes: 10 },
	]);
});

describe('costs', () => {
	const costs = { event: 'runExceededCost', costLimit: '0', factor: 3 };

	/** Runs cost about 0.074 dollars a minute. */
	test('a run that costs more than usual is reported, with what is usual', async () => {
		completed([10, 10, 10, 10, 10]);
		const trigger = await active(costs);
		const { id } = suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		expect(await later(trigger, 29)).toEqual([]);
		expect(await later(trigger, 3)).toMatchObject([
			{
				eventId: `run/${id}/cost`,
				...{ costLimit: '2.222222', exceededLimit: 'usual', factor: 3 },
				...{ usualCost: '0.740741', comparedRuns: 5 },
			},
		]);
	});

	test('the lower limit counts', async () => {
		completed([10, 10, 10, 10, 10]);
		const trigger = await active({ ...costs, costLimit: '0.7' });
		suite.store.createRun({ name: 'etl-9', status: 'RUNNING' });
		expect(await later(trigger, 20)).toMatchObject([{ costLimit: '0.7', exceededLimit: 'fixed' }]);
	});

	test('one of both limits is needed', async () => {
		await expect(active({ ...costs, factor: 0 })).rejects.toThrow(
			/^'Cost Limit \(USD\)' must be an amount above 0, unless/,
		);
	});
});

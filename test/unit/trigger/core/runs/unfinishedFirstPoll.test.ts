import { runBaseline } from '../../../../../nodes/Wherobots/trigger/core/runs/runBaseline';
import {
	newRunState,
	type RunState,
	type TrackedRun,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const HOUR_LIST = NOW - HOUR - SECOND;

/** The state of a first poll that an earlier poll began at `NOW`, in the list of the last hour. */
function begun(more: Partial<RunState>): RunState {
	return { ...newRunState('scope', NOW - HOUR, []), baseline: 'recent', began: NOW, ...more };
}

const three = [3, 2, 1].map((index) => [run(`run-${index}`, NOW - index * MINUTE, 'RUNNING')]);

test('a first poll whose time is over asks for no further list', async () => {
	const service = new AskedRuns(() => ({ items: [run('active', NOW - 3 * HOUR, 'RUNNING')] }));
	const state = await runBaseline(undefined, 'scope', service, service.timeFor(1));
	expect(service.asked).toEqual([['active']]);
	expect(state).toEqual(
		begun({ readings: 0, runs: [['active', NOW - 3 * HOUR, ['RUNNING']]], resume: undefined }),
	);
});

test('a first poll goes on at the page where its time was over', async () => {
	const service = new AskedRuns((list, cursor) => paged(list === 'active' ? three : [], cursor));
	const state = await runBaseline(undefined, 'scope', service, service.timeFor(2));
	expect(state).toMatchObject({
		baseline: 'active',
		began: NOW,
		readings: 1,
		resume: { cursor: '2', count: 2, oldestNew: NOW - 3 * MINUTE },
	});
	await runBaseline(state, 'scope', service, service.timeFor(3));
	expect(service.asked).toEqual([['active'], ['active', '1'], ['active', '2']]);
});

test('what a first poll has read of ended runs is kept until it is finished', async () => {
	const old: TrackedRun = ['old', NOW - 3 * HOUR, ['COMPLETED'], { endedAt: NOW - HOUR }];
	const service = new AskedRuns((_, cursor) => paged(three, cursor));
	const state = await runBaseline(begun({ runs: [old] }), 'scope', service, service.timeFor(1));
	expect(state.runs).toEqual([
		['old', NOW - 3 * HOUR, ['COMPLETED']],
		['run-3', NOW - 3 * MINUTE, ['RUNNING']],
	]);
});

test('a list that was not refused goes on in the next poll, however often it has been read', async () => {
	let reading = 0;
	const service = new AskedRuns((_, cursor) => {
		reading += cursor === undefined ? 1 : 0;
		return paged(
			[0, 1].map((index) => [run(`${reading}-${index}`, NOW - HOUR, 'RUNNING')]),
			cursor,
		);
	});
	// Three readings of two pages, and the first page of the fourth.
	const state = await runBaseline(undefined, 'scope', service, service.timeFor(7));
	expect(state).toMatchObject({ baseline: 'active', readings: 4, resume: { cursor: '1' } });
	expect(state.runs).toHaveLength(7);
});

test('the rest of a last reading goes on in the next poll, too', async () => {
	const service = new AskedRuns((_, cursor) => paged(three, cursor));
	const previous = begun({ readings: 4, resume: { cursor: '1', count: 1, final: 0 } });
	const state = await runBaseline(previous, 'scope', service, service.timeFor(1));
	expect(state).toMatchObject({ baseline: 'recent', readings: 4, resume: { cursor: '2' } });
});

test('a list whose cursors were refused is cut short at its last reading, and what it lacks is no news', async () => {
	const service = new AskedRuns((_, cursor) => paged(three, cursor));
	const state = await runBaseline(begun({ readings: 3 }), 'scope', service, service.timeFor(1));
	expect(service.asked).toEqual([[HOUR_LIST]]);
	const runs: TrackedRun[] = [['run-3', NOW - 3 * MINUTE, ['RUNNING']]];
	expect(state).toEqual({ ...newRunState('scope', NOW - HOUR, runs), since: NOW });
});

test('a list whose cursors were refused is begun again before that', async () => {
	const service = new AskedRuns((_, cursor) => paged(three, cursor));
	const state = await runBaseline(begun({ readings: 2 }), 'scope', service, service.timeFor(1));
	expect(state).toMatchObject({ baseline: 'recent', readings: 3, resume: { cursor: '1' } });
});

describe('a request of a first poll that fails', () => {
	const failure = new Error('The service failed');
	const active = run('active', NOW - 3 * HOUR, 'RUNNING');

	test.each([
		['with time left', unlimited],
		['when the time is over', { spent: () => true }],
	])('fails the poll if nothing has been read, %s', async (_, budget) => {
		const service = new AskedRuns(() => failure);
		await expect(runBaseline(undefined, 'scope', service, budget)).rejects.toBe(failure);
	});

	test('fails the poll while there is time left', async () => {
		const service = new AskedRuns((list) => (list === 'active' ? { items: [active] } : failure));
		await expect(runBaseline(undefined, 'scope', service, unlimited)).rejects.toBe(failure);
	});

	test('does not fail the poll when it was the time that was too short, and what has been read is kept', async () => {
		const service = new AskedRuns((list) => (list === 'active' ? { items: [active] } : failure));
		const state = await runBaseline(undefined, 'scope', service, service.timeFor(2));
		expect(state).toMatchObject({ baseline: 'recent', readings: 0, began: NOW });
		expect(state.runs.map(([id]) => id)).toEqual(['active']);
	});
});

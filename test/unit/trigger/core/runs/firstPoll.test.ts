import { runBaseline } from '../../../../../nodes/Wherobots/trigger/core/runs/runBaseline';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import {
	DAY,
	HOUR,
	MINUTE,
	NEVER_SHOWN,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, iso, NOW, paged, run, unlimited } from './askedRuns';

const HOUR_LIST = NOW - HOUR - SECOND;
const DAY_LIST = NOW - DAY - SECOND;

/** The state of a first poll that an earlier poll began at `NOW`. */
function begun(more: Partial<RunState>): RunState {
	return { ...newRunState('scope', NOW - HOUR, []), baseline: 'active', began: NOW, ...more };
}

test('a first poll reads the active runs and those of the last hour once, and nothing of it fires', async () => {
	const active = run('active', NOW - 3 * DAY, 'RUNNING');
	const ended = run('ended', NOW - 10 * MINUTE, 'COMPLETED');
	const service = new AskedRuns((list) => ({ items: list === 'active' ? [active] : [ended] }));
	const polled = await pollRuns(undefined, 'scope', service, unlimited);
	expect(service.asked).toEqual([['active'], [HOUR_LIST]]);
	expect(polled).toEqual({
		state: {
			...newRunState('scope', NOW - 15 * MINUTE, [
				['active', NOW - 3 * DAY, ['RUNNING']],
				['ended', NOW - 10 * MINUTE, ['COMPLETED'], { endedAt: NOW }],
			]),
			since: NOW - 10 * MINUTE,
		},
		changes: [],
		exceeded: [],
		notes: [],
	});
});

test('without a run in the last hour, it looks a day back', async () => {
	const service = new AskedRuns(() => ({ items: [] }));
	const state = await runBaseline(undefined, 'scope', service, unlimited);
	expect(service.asked).toEqual([['active'], [HOUR_LIST], [DAY_LIST]]);
	expect(state).toEqual(newRunState('scope', NOW - DAY, []));
});

test('the list of the last day is not read again when an earlier poll has begun it', async () => {
	const service = new AskedRuns(() => ({ items: [] }));
	const previous = begun({ baseline: 'recent', watermark: NOW - DAY });
	const state = await runBaseline(previous, 'scope', service, unlimited);
	expect(service.asked).toEqual([[DAY_LIST]]);
	expect(state).toEqual(newRunState('scope', NOW - DAY, []));
});

test('the records that earlier polls have read of a list count as records of it', async () => {
	const service = new AskedRuns(() => ({ items: [], total: 10 }));
	const resume = { cursor: 'rest', count: 10, total: 10, final: 0 };
	const previous = begun({ baseline: 'recent', readings: 1, resume });
	const state = await runBaseline(previous, 'scope', service, unlimited);
	expect(service.asked).toEqual([[HOUR_LIST, 'rest']]);
	expect(state).toEqual(newRunState('scope', NOW - HOUR, []));
});

test('a first poll that takes several polls looks an hour back from its beginning', async () => {
	const service = new AskedRuns(() => ({ items: [run('one', NOW - HOUR, 'RUNNING')] }));
	service.time = NOW + 10 * MINUTE;
	const state = await runBaseline(begun({}), 'scope', service, unlimited);
	expect(service.asked).toEqual([['active'], [HOUR_LIST]]);
	expect(state.watermark).toBe(NOW - HOUR);
});

test('a list of several pages does not move the watermark', async () => {
	const pages = [[run('b', NOW - MINUTE, 'RUNNING')], [run('a', NOW - 20 * MINUTE, 'RUNNING')]];
	const service = new AskedRuns((list, cursor) => paged(list === 'active' ? [] : pages, cursor));
	const state = await runBaseline(undefined, 'scope', service, unlimited);
	// Once more, since the first reading showed runs that were not known.
	const reading = [[HOUR_LIST], [HOUR_LIST, '1']];
	expect(service.asked).toEqual([['active'], ...reading, ...reading]);
	expect(state.watermark).toBe(NOW - HOUR);
});

test('a list that shows others each time it is read is read four times', async () => {
	let count = 0;
	const service = new AskedRuns((list, cursor) => {
		if (list !== 'active') return { items: [run('recent', NOW - 10 * MINUTE, 'COMPLETED')] };
		count += 1;
		return paged(
			[0, 1].map(() => [run(`run-${count}`, NOW - 3 * HOUR, 'RUNNING')]),
			cursor,
		);
	});
	await runBaseline(undefined, 'scope', service, unlimited);
	const reading = [['active'], ['active', '1']];
	expect(service.asked).toEqual([...Array(4).fill(reading).flat(), [HOUR_LIST]]);
});

test('a run without a creation time is followed, and says nothing of what has been shown', async () => {
	const items = [
		run('dated', NOW - 30 * MINUTE, 'RUNNING'),
		run('undated', undefined, 'RUNNING'),
		null as never,
		run('..', NOW, 'RUNNING'),
	];
	const service = new AskedRuns((list) => ({ items: list === 'active' ? [] : items }));
	const state = await runBaseline(undefined, 'scope', service, unlimited);
	expect(state.runs).toEqual([
		['dated', NOW - 30 * MINUTE, ['RUNNING']],
		['undated', NOW, ['RUNNING'], { shownAt: NEVER_SHOWN }],
	]);
	expect([state.watermark, state.since]).toEqual([NOW - 35 * MINUTE, NOW - 30 * MINUTE]);
});

test('a run that is created in the second in which a first poll began is left to the next poll', async () => {
	const items = [run('new', NOW, 'RUNNING'), run('old', NOW - 1_000, 'RUNNING')];
	const service = new AskedRuns(() => ({ items }));
	const previous = begun({ began: NOW + 300_000 });
	service.time = NOW + 400_000;
	const state = await runBaseline(previous, 'scope', service, unlimited);
	expect(state.runs.map(([id]) => id)).toEqual(['old']);
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map(({ run: { id } }) => id)).toEqual(['new']);
});

test.each([
	['that has ended since had not', 30, 'COMPLETED', []],
	['that has ended in that second had not', 0, 'COMPLETED', []],
	['that had ended before has ended', -1, 'COMPLETED', ['COMPLETED']],
	['in a status that nobody has heard of keeps it', 30, 'ARCHIVING', ['ARCHIVING']],
])(
	'for a first poll that an earlier poll began, a run %s',
	async (_, seconds, status, expected) => {
		const startTime = iso(NOW - MINUTE);
		const completeTime = iso(NOW + seconds * SECOND);
		const items = [run('one', NOW - 10 * MINUTE, status, { startTime, completeTime })];
		const service = new AskedRuns((list) => ({ items: list === 'active' ? [] : items }));
		service.time = NOW + MINUTE;
		const state = await runBaseline(begun({}), 'scope', service, unlimited);
		expect(state.runs.map(([, , statuses]) => statuses)).toEqual([expected]);
		const { changes } = await pollRuns(state, 'scope', service, unlimited);
		expect(changes.map((change) => change.run.status)).toEqual(expected.length > 0 ? [] : [status]);
	},
);

test.each([
	['at its beginning', undefined],
	['in a later poll', NOW],
])(
	"where the service's clock is months behind, runs are no runs of the future for a first poll %s",
	async (_, began) => {
		const active = run('active', NOW - 3 * HOUR, 'RUNNING');
		const recent = run('recent', NOW - 10 * MINUTE, 'PENDING');
		const service = new AskedRuns((list) => ({ items: list === 'active' ? [active] : [recent] }));
		service.time = NOW - 150 * DAY;
		service.localTime = NOW;
		const previous = began === undefined ? undefined : begun({ began });
		const state = await runBaseline(previous, 'scope', service, unlimited);
		expect(service.asked).toEqual([['active'], [HOUR_LIST]]);
		expect(state).toEqual({
			...newRunState('scope', NOW - 15 * MINUTE, [
				['active', NOW - 3 * HOUR, ['RUNNING']],
				['recent', NOW - 10 * MINUTE, ['PENDING']],
			]),
			since: NOW - 10 * MINUTE,
		});
	},
);

import type { OddPolls } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import {
	newRunState,
	type RunState,
	type TrackedRun,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const NEWEST = NOW - 30 * MINUTE;
const ALL = [WATERMARK - SECOND];
const NEWER = [NEWEST - SECOND];

const known: TrackedRun = ['known', NEWEST, ['COMPLETED']];
const shown = run('known', NEWEST, 'COMPLETED');

/** Ten minutes after everything since the watermark was read, twenty minutes after the newest run. */
function atRest(more: Partial<RunState> = {}): RunState {
	return {
		...newRunState('scope', WATERMARK, [known]),
		newest: NEWEST,
		restUntil: NOW + 10 * MINUTE,
		...more,
	};
}

test('a poll at rest asks only for what is newer than the newest run, and stays at rest', async () => {
	const service = new AskedRuns(() => ({ items: [shown] }));
	const { state, changes } = await pollRuns(atRest(), 'scope', service, unlimited);
	expect(service.asked).toEqual([NEWER]);
	expect(changes).toEqual([]);
	expect(state).toEqual(atRest());
});

test('a new run ends the rest, and everything since the watermark is read again', async () => {
	const items = [run('new', NOW - MINUTE, 'PENDING'), shown];
	const service = new AskedRuns(() => ({ items }));
	const { changes } = await pollRuns(atRest(), 'scope', service, unlimited);
	expect(service.asked).toEqual([NEWER, ALL]);
	expect(changes.map((change) => change.run.id)).toEqual(['new']);
});

test.each([
	['with nothing new keeps the rest', [], true],
	['with a new run ends the rest', [run('new', NEWEST, 'PENDING')], false],
])('at rest, a second page %s', async (_, items, isKept) => {
	const service = new AskedRuns((list, cursor) => {
		if (list !== NEWER[0]) return { items: [] };
		return cursor === undefined ? { items: [shown], next: '1' } : { items };
	});
	const { state } = await pollRuns(atRest(), 'scope', service, unlimited);
	const requests = [NEWER, [...NEWER, '1']];
	expect(service.asked).toEqual(isKept ? requests : [...requests, ALL]);
	expect(state.restUntil).toBe(isKept ? NOW + 10 * MINUTE : undefined);
});

test('everything is read again, and only that, when the rest has lasted as long as the standstill before it', async () => {
	const service = new AskedRuns(() => ({ items: [shown] }));
	await pollRuns(atRest({ restUntil: NOW }), 'scope', service, unlimited);
	expect(service.asked).toEqual([ALL]);
});

test('without any run there is no rest', async () => {
	const service = new AskedRuns(() => ({ items: [] }));
	const state = atRest({ runs: [], newest: undefined });
	await pollRuns(state, 'scope', service, unlimited);
	expect(service.asked).toEqual([ALL]);
});

test.each([
	['ends the rest', undefined, [NEWER, ALL]],
	['does not where lists are taken as they are', [10, NOW - HOUR] as OddPolls, [NEWER]],
])('a full page without a next one that is shorter than its total %s', async (_, odd, asked) => {
	const service = new AskedRuns(() => ({ items: [shown], total: 50, isFull: true }));
	await pollRuns(atRest({ odd }), 'scope', service, unlimited);
	expect(service.asked).toEqual(asked);
});

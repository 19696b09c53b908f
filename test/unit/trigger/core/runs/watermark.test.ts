import type { OddPolls } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { MAX_CHANGES, pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import {
	HOUR,
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const LIST = WATERMARK - SECOND;

/** A service whose list of recent runs has these pages, and which has no active runs. */
function listing(...pages: Run[][]): AskedRuns {
	return new AskedRuns((list, cursor) => paged(list === 'active' ? [] : pages, cursor));
}

const newest = run('newest', NOW - MINUTE, 'COMPLETED');
const middle = run('middle', NOW - 20 * MINUTE, 'COMPLETED');
const oldest = run('oldest', NOW - 40 * MINUTE, 'COMPLETED');

const known = ({ id, createTime = '', status }: Run): TrackedRun => {
	const created = Date.parse(createTime) * 1000;
	return [id, created, [status]];
};

/** The newest run has been shown before. */
const stateOf = (runs: TrackedRun[]) => ({
	...newRunState('scope', WATERMARK, runs),
	newest: NOW - MINUTE,
});

describe('after a poll', () => {
	test('the watermark is at what was final before the poll', async () => {
		const service = listing([newest], [oldest]);
		const polled = await pollRuns(stateOf([]), 'scope', service, unlimited, {});
		expect(service.asked).toEqual([[LIST], [LIST, '1']]);
		expect(polled.changes.map((change) => change.run.id)).toEqual(['newest', 'oldest']);
		expect(polled.shown).toEqual([newest, oldest]);
		expect(polled.notes).toEqual([]);
		const watermark = NOW - 6 * MINUTE;
		expect(polled.state).toEqual({ ...stateOf([known(newest), known(oldest)]), watermark });

		const again = await pollRuns(polled.state, 'scope', listing([newest]), unlimited);
		expect(again.state).toEqual({ ...stateOf([known(newest)]), watermark });
		// Where nobody asks for them, thousands of runs are not collected.
		expect(again.shown).toEqual([]);
	});

	test('the watermark stays when the list is shorter than its total', async () => {
		const service = new AskedRuns(() => ({ items: [newest], total: 2 }));
		const state = stateOf([known(newest)]);
		const polled = await pollRuns(state, 'scope', service, unlimited);
		expect(polled.state.watermark).toBe(WATERMARK);
		expect(polled.state.odd).toEqual([1, NOW]);
	});

	test('a run that has ended and is no longer listed is forgotten', async () => {
		const old: TrackedRun = ['old', NOW - 3 * HOUR, ['COMPLETED']];
		const state = stateOf([old, known(newest)]);
		const polled = await pollRuns(state, 'scope', listing([newest]), unlimited);
		expect(polled.state.runs).toEqual([known(newest)]);
	});

	test('an ordinary list clears the record of odd ones', async () => {
		const odd: OddPolls = [9, NOW - HOUR];
		const state = { ...stateOf([known(newest)]), odd };
		const polled = await pollRuns(state, 'scope', listing([newest]), unlimited);
		expect(polled.state.odd).toBeUndefined();
		expect(polled.state.watermark).toBe(NOW - 6 * MINUTE);
	});
});

describe('a list that is too long for a poll', () => {
	test('is continued by the next poll, and the watermark stays meanwhile', async () => {
		const service = listing([newest], [middle], [oldest]);
		const before = stateOf([]);
		const first = await pollRuns(before, 'scope', service, service.timeFor(1));
		expect(first.state).toMatchObject({
			watermark: WATERMARK,
			resume: { cursor: '1', final: NOW - 6 * MINUTE, count: 1 },
		});
		const second = await pollRuns(first.state, 'scope', service, unlimited);
		expect(service.asked).toEqual([[LIST], [LIST, '1'], [LIST, '2']]);
		expect(second.changes.map((change) => change.run.id)).toEqual(['middle', 'oldest']);
		expect(second.state.watermark).toBe(NOW - 6 * MINUTE);
	});

	test.each([
		['stays when it has fewer runs than its total', undefined, 3, WATERMARK],
		['stays when lists have just been odd', [1, NOW] as OddPolls, 2, WATERMARK],
		['moves otherwise', undefined, 2, NOW - 6 * MINUTE],
		['moves when odd lists have become normal', [10, NOW - HOUR] as OddPolls, 3, NOW - 6 * MINUTE],
	])('has a watermark that %s', async (_, odd, total, expected) => {
		const resume = { cursor: '1', count: 1, total, final: NOW - 6 * MINUTE };
		const runs = [newest, oldest].map(known);
		const state = { ...stateOf(runs), resume, odd };
		const polled = await pollRuns(state, 'scope', listing([newest], [oldest]), unlimited);
		expect(polled.state.watermark).toBe(expected);
	});

	test('leaves the watermark where it is when its total falls from one poll to the next', async () => {
		const pages = [[newest], [middle], [oldest]];
		const totals = [3, 4, 3];
		const service = new AskedRuns((list, cursor) => {
			if (list === 'active') return { items: [] };
			return { ...paged(pages, cursor), total: totals[Number(cursor ?? 0)] };
		});
		const { state } = await pollRuns(stateOf([]), 'scope', service, service.timeFor(2));
		const polled = await pollRuns(state, 'scope', service, unlimited);
		expect(polled.state).toMatchObject({ watermark: WATERMARK, odd: [1, NOW] });
	});

	test('leaves the watermark where it is when a run that is added may hide one that moved', async () => {
		const pages = [[newest], [middle]];
		const service = new AskedRuns((list, cursor) => {
			if (list === 'active') return { items: [] };
			return { ...paged(pages, cursor), total: cursor === undefined ? 2 : 3 };
		});
		const polled = await pollRuns(stateOf([]), 'scope', service, unlimited);
		expect(polled.state).toMatchObject({ watermark: WATERMARK, odd: [1, NOW] });
	});

	test('is continued by the next poll even when one poll has the maximum number of changes', async () => {
		const size = MAX_CHANGES / 5;
		const pages = Array.from({ length: 7 }, (_, page) =>
			Array.from({ length: size }, (__, index) => run(`${page}-${index}`, NOW - HOUR, 'COMPLETED')),
		);
		const service = listing(...pages);
		const before = stateOf([]);
		const polled = await pollRuns(before, 'scope', service, unlimited);
		expect(service.asked).toHaveLength(5);
		expect(polled.changes).toHaveLength(MAX_CHANGES);
		expect(polled.state.resume).toMatchObject({ cursor: '5' });
	});
});

describe('with more ended runs than can be remembered', () => {
	// There are ten a second; those from 500 seconds on are half of what can be remembered.
	const bound = WATERMARK + 500 * SECOND;

	test.each([
		['moves to where half of them are left', WATERMARK, bound, 1],
		['stays when it is already there', bound, bound, 0],
		['does not go back', bound + MINUTE, bound + MINUTE, 0],
	])('the watermark %s', async (_, watermark, expected, noted) => {
		const runs = Array.from({ length: MAX_REMEMBERED + 5 }, (__, index): TrackedRun => {
			return [`run-${index}`, WATERMARK + index * (SECOND / 10), ['COMPLETED']];
		});
		// A list that lacks a run keeps the watermark where it is.
		const service = new AskedRuns(() => ({
			items: [run('run-0', WATERMARK, 'COMPLETED')],
			total: MAX_REMEMBERED + 5,
		}));
		const before = newRunState('scope', watermark, runs);
		const { state, notes } = await pollRuns(before, 'scope', service, unlimited);
		expect(state.watermark).toBe(expected);
		const note = 'Too many runs to remember; the overlap is shortened.';
		expect(notes).toEqual(noted === 0 ? [] : [note]);
	});
});

import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, run } from './askedRuns';

const created = (index: number) => NOW - index * MINUTE;

/** The oldest is the first that is remembered. */
const four = [4, 3, 2, 1].map((index): TrackedRun => {
	return [`run-${index}`, created(index), ['COMPLETED']];
});

/** A poll with a new key, of a service that has one of the runs, with time to ask for so many. */
async function pollWithNewKey(runs: TrackedRun[], has: number, requests = Infinity) {
	const service = new AskedRuns(() => ({ items: [] }));
	service.single = [run(`run-${has}`, created(has), 'FAILED')];
	const budget = { spent: () => service.askedRuns.length >= requests };
	const state = newRunState('scope', NOW - HOUR, runs);
	const doubt = { credential: 'new', asked: 0 };
	const polled = await pollRuns(state, 'scope', service, budget, doubt);
	return { ...polled, asked: service.askedRuns, lists: service.asked };
}

test('a new key is recognized by any of the three newest runs, and nothing fires', async () => {
	const { asked, lists, state, ...found } = await pollWithNewKey(four, 3);
	expect(asked).toEqual(['run-1', 'run-2', 'run-3']);
	expect(lists).toEqual([]);
	expect(state).toEqual(newRunState('scope', NOW - HOUR, four));
	expect(found).toEqual({ changes: [], shown: [], exceeded: [], notes: [] });
});

test.each([
	['when the service has none of them', 4, Infinity, 3],
	['when there is no time to ask for them', 2, 1, 1],
])('it is not recognized %s', async (_, has, requests, count) => {
	const { asked, state } = await pollWithNewKey(four, has, requests);
	expect(asked).toHaveLength(count);
	expect(state.doubt).toEqual({ credential: 'new', asked: 1, since: NOW });
});

test('a trigger that remembers no run begins anew', async () => {
	const { lists, state } = await pollWithNewKey([], 1);
	expect(lists[0]).toEqual([NOW]);
	expect(state.doubt).toBeUndefined();
});

import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { Page } from '../../../../../nodes/Wherobots/transport/pagination';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const NEWEST = NOW - 30 * MINUTE;
const LIST = WATERMARK - SECOND;
const failure = new Error('The service failed');

const newest: TrackedRun = ['newest', NEWEST, ['COMPLETED']];
const followed: TrackedRun = ['followed', NOW - 3 * HOUR, ['RUNNING']];

describe('when the cursor of an earlier poll is refused', () => {
	const resume = { cursor: 'refused', count: 1, final: 0 };
	const note =
		'The service no longer continues the list of runs; the next poll reads it from the start.';

	const refusing = (answer: () => Page<Run>) =>
		new AskedRuns((_, cursor) => (cursor === undefined ? answer() : failure));

	test('the next poll reads the list from the start, and single runs are read meanwhile', async () => {
		const items = [run('new', NOW - MINUTE, 'PENDING'), run('newest', NEWEST, 'COMPLETED')];
		const service = refusing(() => ({ items }));
		service.single = [run('followed', NOW - 3 * HOUR, 'COMPLETED')];
		const known = { ...newRunState('scope', WATERMARK, [newest, followed]), newest: NEWEST };
		const first = await pollRuns({ ...known, resume }, 'scope', service, unlimited);
		expect(first.changes.map((change) => change.run.id)).toEqual(['followed']);
		expect(first.notes).toEqual([note]);
		expect(first.state).toMatchObject({ watermark: WATERMARK, resume: undefined });
		const { changes, state } = await pollRuns(first.state, 'scope', service, unlimited);
		expect(service.asked).toEqual([[LIST, 'refused'], [LIST]]);
		expect(changes.map((change) => change.run.id)).toEqual(['new']);
		// The newest run that was known before, minus the overlap.
		expect(state.watermark).toBe(NEWEST - 5 * MINUTE);
	});
});

describe('a request that fails', () => {
	const state = newRunState('scope', WATERMARK, [followed, ['other', NOW - 2 * HOUR, ['RUNNING']]]);
	const items = [run('new', NOW - MINUTE, 'PENDING')];
	const failingThen = () => new AskedRuns((list) => (list === 'active' ? failure : { items }));

	test.each([
		['with time left', unlimited],
		['when time is up', { spent: () => true }],
	])('fails a poll that has read nothing, %s', async (_, budget) => {
		const service = new AskedRuns(() => failure);
		await expect(pollRuns(state, 'scope', service, budget)).rejects.toBe(failure);
	});

	test('for the list of active runs is a note, and each of them is read by itself', async () => {
		const service = failingThen();
		service.single = [run('followed', NOW - 3 * HOUR, 'COMPLETED')];
		const { changes, notes } = await pollRuns(state, 'scope', service, unlimited);
		expect(changes.map((change) => change.run.id)).toEqual(['new', 'followed']);
		expect(notes).toEqual(['Not all active runs could be listed (The service failed).']);
	});

	test('does not fail the poll when time was too short, and what has been read comes', async () => {
		const service = failingThen();
		const polled = await pollRuns(state, 'scope', service, service.timeFor(2));
		expect(polled.changes.map((change) => change.run.id)).toEqual(['new']);
		expect(polled.state.runs).toHaveLength(3);
	});
});

test('a run that slips between two pages comes when the list is read next, however old it is by then', async () => {
	const at = (id: string, minute: number) => run(id, NOW + minute * MINUTE, 'COMPLETED');
	const pages = [[at('latest', 9), at('new', 8)], [at('known', 0)]];
	const service = new AskedRuns((_, cursor) => paged(pages, cursor));
	service.time = NOW + 10 * MINUTE;
	const known = newRunState('scope', NOW - 5 * MINUTE, [['known', NOW, ['COMPLETED']]]);
	const { state } = await pollRuns({ ...known, newest: NOW }, 'scope', service, unlimited);
	pages[1].unshift(at('slipped', 2));
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map((change) => change.run.id)).toEqual(['slipped']);
});

import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import { changeId } from '../../../../../nodes/Wherobots/trigger/events/runStatusChanged';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	readState,
	type TrackedRun,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import type { Run } from '../../../../../nodes/Wherobots/service/types';

const NOW = Date.parse('2026-03-10T12:00:00Z') * 1000;
const unlimited = { spent: () => false };

/** A service that lists nothing and knows these runs. */
function source(runs: Array<Partial<Run> & { id: string }>, fails: string[] = []): RunSource<Run> {
	return {
		kind: jobRuns,
		now: () => NOW,
		knowsTime: () => true,
		localNow: () => NOW,
		broken: (what) => new Error(what),
		maySuspectCursor: () => false,
		runs: async () => ({ items: [] }),
		run: async (id) => {
			if (fails.includes(id)) throw new Error('The service failed');
			return runs.find((run) => run.id === id) as Run | undefined;
		},
	};
}

const hours = (count: number) => NOW - count * 3_600_000_000;
const iso = (time: number) => new Date(time / 1000).toISOString();

function following(...ids: string[]) {
	const runs = ids.map((id): TrackedRun => [id, hours(48), ['RUNNING']]);
	return newRunState('scope', hours(1), runs);
}

test('a run that was not found several times, over an hour, is no longer tracked', async () => {
	let state = following('gone');
	const notes: string[] = [];
	for (let minute = 0; minute <= 62; minute++) {
		const service = { ...source([]), now: () => NOW + minute * 60_000_000 };
		const polled = await pollRuns(state, 'scope', service, unlimited);
		state = polled.state;
		notes.push(...polled.notes);
		expect(polled.changes).toEqual([]);
		const isFollowed = state.runs.some(([, , statuses]) => statuses.includes('RUNNING'));
		expect(isFollowed).toBe(minute < 60);
	}
	expect(notes).toEqual(['Run gone was not found for an hour; it is no longer tracked.']);
});

test.each([
	['not found a few times', 4, 600],
	['not found many times within a short time', 20, 10],
])('a run that was %s is still tracked', async (_, times, seconds) => {
	let state = following('flaps');
	for (let time = 0; time < times; time++) {
		const service = { ...source([]), now: () => NOW + time * seconds * 1_000_000 };
		({ state } = await pollRuns(state, 'scope', service, unlimited));
	}
	const ended = { id: 'flaps', status: 'COMPLETED', createTime: iso(hours(48)) };
	const { changes } = await pollRuns(state, 'scope', source([ended]), unlimited);
	expect(changes.map(({ run }) => changeId(run))).toEqual(['run/flaps/COMPLETED']);
});

test('a run in an unknown status is tracked for the length of its timeout and a day', async () => {
	const payload = { timeoutSeconds: 3600 };
	const status = 'HIBERNATING';
	const service = source([
		{ id: 'old', status, payload, createTime: iso(hours(40)), startTime: iso(hours(26)) },
		{ id: 'young', status, payload, createTime: iso(hours(40)), startTime: iso(hours(24)) },
		{ id: 'known', status: 'RUNNING', payload, createTime: iso(hours(900)) },
	]);
	const polled = await pollRuns(following('old', 'young', 'known'), 'scope', service, unlimited);
	expect(polled.changes.map(({ run }) => run.id).sort()).toEqual(['old', 'young']);
	const active = polled.state.runs.filter(([, , statuses]) => !statuses.includes('CANCELLED'));
	expect(active.map(([id]) => id).sort()).toEqual(['known', 'young']);
});

test('one run that cannot be read does not hide the others', async () => {
	const service = source(
		[{ id: 'ends', status: 'COMPLETED', createTime: iso(hours(48)) }],
		['bad'],
	);
	const { state, changes } = await pollRuns(following('bad', 'ends'), 'scope', service, unlimited);
	expect(changes.map(({ run }) => run.id)).toEqual(['ends']);
	const active = state.runs.filter(([, , [status]]) => status === 'RUNNING');
	expect(active.map(([id]) => id)).toEqual(['bad']);
});

test('nothing but failures is an error', async () => {
	const polled = pollRuns(following('bad'), 'scope', source([], ['bad']), unlimited);
	await expect(polled).rejects.toThrow('The service failed');
});

test('when there is not enough time to read all tracked runs, the others come first next time', async () => {
	const ids = Array.from({ length: 30 }, (_, index) => `run-${index}`);
	const asked: string[] = [];
	const service: RunSource<Run> = {
		...source([]),
		run: async (id) => {
			asked.push(id);
			return { id, status: 'RUNNING', name: id, createTime: iso(hours(48)) };
		},
	};
	let state = following(...ids);
	for (let poll = 0; poll < 3; poll++) {
		const until = asked.length + 10;
		const budget = { spent: () => asked.length >= until };
		({ state } = await pollRuns(state, 'scope', service, budget));
	}
	expect(new Set(asked)).toEqual(new Set(ids));
});

test('records that cannot be tracked are left out, whatever they contain', async () => {
	const createTime = iso(hours(0));
	const odd = [
		...[{}, { id: 5, status: 'PENDING' }, { id: 'x' }, { status: 'PENDING' }],
		...['', '.', '..', '\uD800'].map((id) => ({ id, status: 'PENDING', createTime })),
		{ id: 'fine', status: 'half \uDC00', createTime },
		{ id: '__proto__', status: 'PENDING', createTime: 'soon' },
	];
	const service: RunSource<Run> = { ...source([]), runs: async () => ({ items: odd as Run[] }) };
	const { changes, state } = await pollRuns(following(), 'scope', service, unlimited);
	expect(changes.map(({ run }) => changeId(run))).toEqual([
		'run/fine/half%20%EF%BF%BD',
		'run/__proto__/PENDING',
	]);
	expect(readState(JSON.parse(JSON.stringify(state))).kind).toBe('state');
});

test('the newest run is found in any notation of the times, and in any order', async () => {
	const newest = '2026-03-10T11:20:00.5+00:00';
	const notations = [
		'2026-03-10T10:59:00.100000Z',
		'2026-03-10T11:19:00.100000Z',
		'2026-03-10T11:18:00Z',
		'2026-03-10T12:19:00+02:00',
		'2026-03-10T11:19:59.9Z',
		newest,
		'later than everything, Z',
	];
	for (let turn = 0; turn < notations.length; turn++) {
		const times = [...notations.slice(turn), ...notations.slice(0, turn)];
		const items = times.map(
			(createTime, index) => ({ id: `run-${index}`, status: 'COMPLETED', createTime }) as Run,
		);
		const service = { ...source([]), runs: async () => ({ items }) };
		let state = newRunState('scope', hours(2), []);
		for (let poll = 0; poll < 3; poll++) {
			({ state } = await pollRuns(state, 'scope', service, unlimited));
		}
		expect(state.watermark).toBe(Date.parse('2026-03-10T11:15:00Z') * 1000);
	}
});

test('a list that leads to an empty last page costs a poll with nothing to do one more request, not three', async () => {
	const run = { id: 'one', status: 'COMPLETED', createTime: iso(hours(2)) } as Run;
	let requests = 0;
	const service: RunSource<Run> = {
		...source([]),
		runs: async (query, cursor) => {
			requests += 1;
			const isListed = 'createdFrom' in query && query.createdFrom <= hours(2);
			return cursor === undefined && isListed ? { items: [run], next: 'end' } : { items: [] };
		},
	};
	let state = newRunState('scope', hours(2.1), []);
	for (let poll = 0; poll < 3; poll++) {
		requests = 0;
		({ state } = await pollRuns(state, 'scope', service, unlimited));
	}
	expect(requests).toBe(2);
});

test('the last page of a list that an earlier poll began is not a list of one page', async () => {
	// Meanwhile, a run that is newer than what was final then has slipped between the pages.
	const final = hours(1) + 60_000_000;
	const resume = { cursor: 'last', count: 1, final };
	const state = { ...newRunState('scope', hours(1), [['new', NOW, ['COMPLETED']]]), resume };
	const polled = await pollRuns(state, 'scope', source([]), unlimited);
	expect(polled.state.watermark).toBe(final);
});

import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import {
	newRunState,
	type RunState,
	type TrackedRun,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, iso, NOW, paged, run, unlimited } from './askedRuns';

const HOUR_LIST = NOW - HOUR - SECOND;
const failure = new Error('The service failed');
const active = run('active', NOW - 3 * DAY, 'RUNNING');
const followed: TrackedRun = ['active', NOW - 3 * DAY, ['RUNNING']];
const three = [3, 2, 1].map((index) => [run(`run-${index}`, NOW - index * MINUTE, 'RUNNING')]);

/** The state of a first poll that began at `NOW` and still has to read the list of recent runs. */
function begun(more: Partial<RunState> = {}): RunState {
	return { ...newRunState('scope', NOW - HOUR, []), began: NOW, ...more };
}

const serving = (recent: unknown[], all: unknown[] = []) =>
	new AskedRuns((list) => ({ items: (list === 'active' ? all : recent) as never[] }));

test('a first poll reads the active runs and those of the last hour once, and none of them fires', async () => {
	const service = serving([run('ended', NOW - 10 * MINUTE, 'COMPLETED')], [active]);
	const polled = await pollRuns(undefined, 'scope', service, unlimited);
	expect(service.asked).toEqual([[NOW], ['active'], [HOUR_LIST]]);
	expect(polled).toEqual({
		shown: [],
		state: {
			...newRunState('scope', NOW - HOUR, [followed, ['ended', NOW - 10 * MINUTE, ['COMPLETED']]]),
			newest: NOW - 10 * MINUTE,
		},
		changes: [],
		exceeded: [],
		notes: [],
	});
});

test('when no response tells the time, a first poll looks back a day, as the clock may be ahead', async () => {
	const service = serving([]);
	service.isTimeKnown = false;
	const { state } = await pollRuns(undefined, 'scope', service, unlimited);
	expect(service.asked).toEqual([[NOW], ['active'], [NOW - DAY - SECOND]]);
	expect(state).toEqual(newRunState('scope', NOW - DAY, []));
});

test('a list of active runs that differs each time it is read is read four times', async () => {
	let count = 0;
	const service = new AskedRuns((list, cursor) => {
		if (list !== 'active') return { items: [run('recent', NOW - 10 * MINUTE, 'COMPLETED')] };
		count += 1;
		const page = () => [run(`run-${count}`, NOW - 3 * HOUR, 'RUNNING')];
		return paged([page(), page()], cursor);
	});
	await pollRuns(undefined, 'scope', service, unlimited);
	const reading = [['active'], ['active', '1']];
	expect(service.asked).toEqual([[NOW], ...Array(4).fill(reading).flat(), [HOUR_LIST]]);
});

test('a list of active runs with several pages is read again, because runs can slip between them', async () => {
	let reading = 0;
	const service = new AskedRuns((list, cursor) => {
		if (list !== 'active') return { items: [] };
		reading += cursor === undefined ? 1 : 0;
		return paged(reading === 1 ? [three[0], three[2]] : three, cursor);
	});
	const { state } = await pollRuns(undefined, 'scope', service, unlimited);
	expect(state.runs.map(([id]) => id).sort()).toEqual(['run-1', 'run-2', 'run-3']);
});

test('a list of active runs that is too long for one poll is continued by the next', async () => {
	const service = new AskedRuns((list, cursor) => paged(list === 'active' ? three : [], cursor));
	const first = await pollRuns(undefined, 'scope', service, service.timeFor(3));
	expect(first.state).toMatchObject({ baseline: 0, began: NOW, resume: { cursor: '2' } });
	const second = await pollRuns(first.state, 'scope', service, service.timeFor(3));
	expect(second.state).toMatchObject({ baseline: 1 });
	await pollRuns(second.state, 'scope', service, unlimited);
	const reading = [['active'], ['active', '1'], ['active', '2']];
	expect(service.asked).toEqual([[NOW], ...reading, ...reading, [HOUR_LIST]]);
});

test('a list of active runs whose cursors are refused does not keep the first poll from ending', async () => {
	const service = new AskedRuns((list, cursor) => {
		if (list !== 'active') return { items: [] };
		return cursor === undefined ? { items: three[0], next: '1' } : failure;
	});
	let state: RunState | undefined;
	for (let poll = 0; poll < 12; poll++) {
		service.asked.length = 0;
		({ state } = await pollRuns(state, 'scope', service, service.timeFor(1)));
	}
	expect(state?.baseline).toBeUndefined();
});

test('a list of active runs whose cursor is refused is read again from the start by the next poll', async () => {
	const resume = { cursor: 'p2', count: 1, final: 0 };
	const service = new AskedRuns(() => failure);
	const { state } = await pollRuns(begun({ baseline: 0, resume }), 'scope', service, unlimited);
	expect(service.asked).toEqual([['active', 'p2']]);
	expect(state).toMatchObject({ baseline: 1, began: NOW, resume: undefined });
});

test('a first poll whose time is up after its first response is continued by the next', async () => {
	const service = serving([], [active]);
	const { state } = await pollRuns(undefined, 'scope', service, service.timeFor(1));
	expect(service.asked).toEqual([[NOW]]);
	expect(state).toEqual(begun({ baseline: 0 }));
});

test.each([
	['ends with a list that has as many runs as its total', 1, undefined],
	['does not end with a list that has fewer', 2, NOW],
])('a first poll %s', async (_, total, began) => {
	const service = new AskedRuns(() => ({ items: [run('old', NOW - MINUTE, 'PENDING')], total }));
	const { state } = await pollRuns(begun(), 'scope', service, unlimited);
	expect(state.began).toBe(began);
});

test('a change of a run fires once the run is followed, even before the first poll is finished', async () => {
	const service = serving([]);
	service.single = [run('active', NOW - 3 * DAY, 'COMPLETED')];
	const polled = await pollRuns(begun({ runs: [followed] }), 'scope', service, unlimited);
	expect(polled.changes.map((change) => change.run.status)).toEqual(['COMPLETED']);
});

test('until the list has been read to its end, runs that existed before the first poll do not fire', async () => {
	const pages = [[run('old', NOW - MINUTE, 'PENDING')], [run('new', NOW, 'PENDING')], [], []];
	const service = new AskedRuns((_, cursor) => paged(pages, cursor));
	const polled = await pollRuns(begun(), 'scope', service, service.timeFor(2));
	expect(polled.state).toMatchObject({ began: NOW, resume: { cursor: '2' } });
	expect(polled.changes.map((change) => change.run.id)).toEqual(['new']);
	expect(polled.state.runs.map(([id]) => id)).toEqual(['old', 'new']);
});

test('a run that is created after the first response is left to the next poll, if the clock says so', async () => {
	const service: AskedRuns = new AskedRuns((list) => {
		if (list === 'active') return { items: [] };
		service.time = NOW + 2 * SECOND;
		const runs = [run('new', NOW + SECOND, 'RUNNING'), run('old', NOW + SECOND - 1_000, 'RUNNING')];
		return { items: list === NOW ? [] : runs };
	});
	const { state } = await pollRuns(undefined, 'scope', service, unlimited);
	expect(state.runs.map(([id]) => id)).toEqual(['old']);
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map((change) => change.run.id)).toEqual(['new']);
});

test.each([
	[
		'ended after it began',
		{ status: 'COMPLETED', completeTime: iso(NOW + 30 * SECOND) },
		['COMPLETED'],
	],
	[
		'ended in the second in which it began',
		{ status: 'COMPLETED', completeTime: iso(NOW) },
		['COMPLETED'],
	],
	['started after it began', { status: 'RUNNING', startTime: iso(NOW + 30 * SECOND) }, ['RUNNING']],
	['ended before it began', { status: 'COMPLETED', completeTime: iso(NOW - SECOND) }, []],
])(
	'when a first poll takes several polls, the status of an older run that %s is reported by the next one if it is news',
	async (_, facts, expected) => {
		const older = run('older', NOW - 10 * MINUTE, facts.status, facts);
		// As the newer one is known first, the watermark passes the older one.
		const younger = run('younger', NOW - MINUTE, 'RUNNING');
		const service = serving([older, younger], [younger]);
		service.single = [older, younger];
		service.time = NOW + MINUTE;
		let { state } = await pollRuns(begun({ baseline: 3 }), 'scope', service, unlimited);
		const created = state.runs.filter(([id]) => id === 'older').map(([, time]) => time);
		expect(created).toEqual(expected.map(() => NOW - 10 * MINUTE));
		const statuses: string[] = [];
		for (let poll = 0; poll < 3; poll++) {
			const polled = await pollRuns(state, 'scope', service, unlimited);
			state = polled.state;
			statuses.push(...polled.changes.map((change) => change.run.status));
		}
		expect(statuses).toEqual(expected);
	},
);

test('a list of active runs that several polls have read is read again, because runs can slip between them', async () => {
	let slipped = false;
	const service = new AskedRuns((list, cursor) => {
		if (list !== 'active') return { items: [] };
		const runs = slipped ? three.slice(1) : three;
		const page = Number(cursor ?? 0);
		slipped ||= page === 1;
		const next = page < 2 ? String(page + 1) : undefined;
		return { items: runs[page] ?? [], next, total: runs.length };
	});
	const first = await pollRuns(undefined, 'scope', service, service.timeFor(3));
	const second = await pollRuns(first.state, 'scope', service, unlimited);
	expect(second.state.runs.map(([id]) => id).sort()).toEqual(['run-1', 'run-2', 'run-3']);
});

test('a run that ended in the second in which a first poll began does not fire when the first response shows its end', async () => {
	const service = serving([run('ended', NOW, 'COMPLETED', { completeTime: iso(NOW) })]);
	const { state } = await pollRuns(undefined, 'scope', service, unlimited);
	expect(state.runs).toEqual([['ended', NOW, ['COMPLETED']]]);
});

test('a run that was created before the first poll was finished, but slipped between two pages, fires', async () => {
	const pages = [10, 60].map((minute) => [run(`at-${minute}`, NOW + minute * MINUTE, 'PENDING')]);
	const service = new AskedRuns((list, cursor) => paged(list === 'active' ? [] : pages, cursor));
	service.time = NOW + HOUR;
	const { state } = await pollRuns(begun(), 'scope', service, unlimited);
	expect(state).toMatchObject({ began: undefined, watermark: begun().watermark });
	pages[0].push(run('slipped', NOW + 30 * MINUTE, 'PENDING'));
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map((change) => change.run.id)).toEqual(['slipped']);
});

test("when the service's clock is months behind, runs do not count as future ones", async () => {
	const service = serving([run('recent', NOW - 10 * MINUTE, 'PENDING')], [active]);
	service.time = NOW - 150 * DAY;
	service.localTime = NOW;
	const { state } = await pollRuns(undefined, 'scope', service, unlimited);
	expect(state.newest).toBe(NOW - 10 * MINUTE);
	expect(state.runs).toEqual([followed, ['recent', NOW - 10 * MINUTE, ['PENDING']]]);
});

describe('a request that fails', () => {
	const broken = () =>
		new AskedRuns((list) => {
			if (list === NOW) return { items: [] };
			return list === 'active' ? { items: [active] } : failure;
		});

	test.each([
		['with time left', unlimited],
		['when time is up', { spent: () => true }],
	])('fails the poll if nothing has been read, %s', async (_, budget) => {
		const polled = pollRuns(undefined, 'scope', new AskedRuns(() => failure), budget);
		await expect(polled).rejects.toBe(failure);
	});

	test('fails the poll while there is time left', async () => {
		await expect(pollRuns(undefined, 'scope', broken(), unlimited)).rejects.toBe(failure);
	});

	test('does not fail the poll when time was too short, and what has been read is kept', async () => {
		const service = broken();
		const { state } = await pollRuns(undefined, 'scope', service, service.timeFor(3));
		expect(state).toMatchObject({ baseline: undefined, began: NOW, runs: [followed] });
	});
});

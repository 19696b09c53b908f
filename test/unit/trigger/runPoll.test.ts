/** Polls of runs: what is asked for, what counts as a change, and whom a trigger follows for how long. */
import { type JobRun, jobRuns } from '../../../nodes/Wherobots/service/records/jobRun';
import {
	type Budget,
	DAY,
	HOUR,
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
	type RunState,
	type TrackedRun,
} from '../../../nodes/Wherobots/trigger/core/cursor';
import { MAX_CHANGES, pollRuns } from '../../../nodes/Wherobots/trigger/core/runPoll';
import { TrackedRuns } from '../../../nodes/Wherobots/trigger/core/runs';
import { AskedRuns, failure, NOW, paged, run, unlimited } from './service';

const OVERLAP = jobRuns.overlap;
const WATERMARK = NOW - 10 * MINUTE;

const before = (runs: TrackedRun[] = [], more: Partial<RunState> = {}): RunState => ({
	scope: 'scope',
	watermark: WATERMARK,
	runs,
	...more,
});

const active = (id: string): TrackedRun => [id, NOW - 3 * HOUR, ['RUNNING']];

async function poll(state: RunState | undefined, service: AskedRuns, budget: Budget = unlimited) {
	const { changes, ...polled } = await pollRuns(state, 'scope', service, budget);
	return { ...polled, changes: changes.map(({ run: { id, status } }) => `${id} ${status}`) };
}

/** A service with these lists, each in one page. */
const serving = (recent: JobRun[], listed: JobRun[] = []) =>
	new AskedRuns((list) => ({ items: list === 'active' ? listed : recent }));

const sixteen = Array.from({ length: 16 }, (_, index) => `S${index}`);

test.each([
	['each status, once', ['PENDING', 'PENDING', 'FAILED'], ['PENDING', 'FAILED']],
	['no status before the one that was seen', ['RUNNING', 'PENDING'], ['RUNNING']],
	['nothing of a run that has ended', ['FAILED', 'RUNNING', 'PAUSED'], ['FAILED']],
	['but another outcome', ['FAILED', 'COMPLETED'], ['FAILED', 'COMPLETED']],
	['an unknown status, and those after it', ['PAUSED', 'PENDING'], ['PAUSED', 'PENDING']],
	['sixteen statuses at most, and the end', [...sixteen, 'S', 'FAILED'], [...sixteen, 'FAILED']],
])('of a run comes %s', (_, shown, expected) => {
	const tracked = new TrackedRuns(jobRuns, []);
	const told = shown
		.map((status) => ({ status, previous: tracked.observe({ id: 'a', status }, NOW) }))
		.filter(({ previous }) => previous !== undefined);
	expect(told.map(({ status }) => status)).toEqual(expected);
	expect(told.map(({ previous }) => previous)).toEqual([null, ...expected.slice(0, -1)]);
});

test('of a run that has ended, the state keeps no more than its end', async () => {
	const active = [run('a', NOW - MINUTE, 'RUNNING')];
	const { state } = await poll(undefined, serving(active, active));
	const ended = await poll(state, serving([run('a', NOW - MINUTE, 'COMPLETED')]));
	expect(ended.changes).toEqual(['a COMPLETED']);
	expect(JSON.stringify(ended.state.runs)).not.toContain('RUNNING');
});

describe('a first poll', () => {
	test.each([
		['an hour', true, HOUR],
		['a day when nothing tells the time, as the clock may be ahead', false, DAY],
	])('looks back %s, follows what is active, and yields nothing', async (_, isKnown, back) => {
		const service = serving(
			[run('ended', NOW - MINUTE, 'COMPLETED')],
			[run('old', NOW - DAY, 'RUNNING')],
		);
		service.isTimeKnown = isKnown;
		const { changes, state } = await poll(undefined, service);
		expect(changes).toEqual([]);
		expect(service.asked).toEqual(['recent', 'active', 'recent']);
		expect(state.watermark).toBe(NOW - back);
		expect(state.runs.map(([id]) => id)).toEqual(['old', 'ended']);
		expect(state.began ?? state.baseline).toBeUndefined();
		const next = serving([run('ended', NOW - MINUTE, 'COMPLETED')]);
		next.single = [run('old', NOW - DAY, 'COMPLETED')];
		expect((await poll(state, next)).changes).toEqual(['old COMPLETED']);
	});

	test('that takes several polls reads active runs twice, as they slip between pages, and yields only what has happened since', async () => {
		const three = ['a', 'b', 'c'].map((id) => [run(id, NOW - DAY, 'RUNNING')]);
		const recent = [[run('old', NOW - MINUTE, 'PENDING')], [run('new', NOW + MINUTE, 'PENDING')]];
		const service = new AskedRuns((list, cursor) =>
			paged(list === 'active' ? three : recent, cursor),
		);
		const first = await poll(undefined, service, service.timeFor(3));
		expect(first.state).toMatchObject({ began: NOW, baseline: 2, resume: { cursor: '1' } });
		service.time += 2 * MINUTE;
		const second = await poll(first.state, service, { spent: () => service.asked.length >= 8 });
		expect(second.changes).toEqual([]);
		expect(service.asked.filter((list) => list === 'active')).toHaveLength(2);
		const third = await poll(second.state, service);
		expect(third.changes).toEqual(['new PENDING']);
		expect(third.state.began).toBeUndefined();
	});
});

describe('while a first poll is not finished', () => {
	test('what has been there since before it comes only when it changes', async () => {
		const old = run('old', NOW - MINUTE, 'RUNNING');
		const service = serving([old, run('new', NOW + MINUTE, 'RUNNING')]);
		const { changes, state } = await poll(before([], { began: NOW }), service);
		expect(changes).toEqual(['new RUNNING']);
		const later = serving([run('old', NOW - MINUTE, 'COMPLETED')]);
		expect((await poll(state, later)).changes).toEqual(['old COMPLETED']);
	});

	test('a run of the second in which it began was there before, a later one was not', async () => {
		const [same, later] = [NOW + 500_000, NOW + SECOND];
		const shown = serving([run('same', same, 'RUNNING'), run('later', later, 'RUNNING')]);
		const { state } = await poll(undefined, shown);
		expect((await poll(state, shown)).changes).toEqual(['later RUNNING']);
	});

	test('the end of a run that it has seen active is left to the next poll', async () => {
		const [active, ended] = ['RUNNING', 'COMPLETED'].map((status) =>
			run('a', NOW - MINUTE, status),
		);
		const { state } = await poll(undefined, serving([ended], [active]));
		expect((await poll(state, serving([ended]))).changes).toEqual(['a COMPLETED']);
	});

	test('recent runs are left to the next poll when the active ones took its time', async () => {
		const service = serving([run('old', NOW - MINUTE, 'RUNNING')]);
		const { state } = await poll(undefined, service, service.timeFor(3));
		expect(service.asked).toEqual(['recent', 'active']);
		expect((await poll(state, service)).changes).toEqual([]);
	});
});

test('a first poll whose list contradicts itself is finished all the same, so that late runs from before it come', async () => {
	const service = new AskedRuns((list) => ({ items: [], total: list === 'recent' ? 1 : 0 }));
	const { state } = await poll(undefined, service);
	expect(service.asked).toEqual(['recent', 'active', 'recent', 'recent']);
	const late = serving([run('late', NOW - SECOND, 'COMPLETED')]);
	expect((await poll(state, late)).changes).toEqual(['late COMPLETED']);
});

describe('the list of recent runs', () => {
	test('moves the watermark to what was final before, and what has ended before that is forgotten', async () => {
		const earlier = before([['ended', WATERMARK, ['COMPLETED']]], { newest: NOW - MINUTE });
		const { state } = await poll(earlier, serving([run('new', NOW, 'COMPLETED')]));
		expect(state.watermark).toBe(NOW - MINUTE - OVERLAP);
		expect(state.runs).toEqual([['new', NOW, ['COMPLETED']]]);
	});

	test('with fewer runs than it says is read once more, and then taken as it is', async () => {
		const service = new AskedRuns(() => ({ items: [], total: 1 }));
		const first = await poll(before([], { newest: NOW }), service);
		expect(first.state).toMatchObject({ watermark: WATERMARK, inconsistent: 1 });
		expect(first.notes).toEqual([expect.stringContaining('fewer records than it reported')]);
		expect((await poll(first.state, service)).state.watermark).toBe(NOW - OVERLAP);
	});

	test('that contradicts itself again is not passed beyond what was new in it, so that what slipped comes', async () => {
		const slipped = run('slipped', NOW - 7 * MINUTE, 'COMPLETED');
		const service = new AskedRuns(() => ({ items: [slipped], total: 9 }));
		const state = before([], { newest: NOW, inconsistent: 9 });
		const { changes, state: after } = await poll(state, service);
		expect(changes).toEqual(['slipped COMPLETED']);
		expect(after.watermark).toBe(NOW - 7 * MINUTE);
	});

	test.each([
		['is not read on when it has as many runs as are known', 2, 'new', {}, ['recent']],
		['is read on when it has others', 3, 'new', {}, ['recent', 'recent 1']],
		['is read on when it does not show the newest', 2, 'a', {}, ['recent', 'recent 1']],
		['is not when the last one contradicted itself', 2, 'new', { inconsistent: 2 }, ['recent']],
		['but is when that one said more', 2, 'new', { inconsistent: 3 }, ['recent', 'recent 1']],
	] as const)('%s', async (_, total, shown, more, asked) => {
		const known: TrackedRun[] = ['a', 'new'].map((id, at) => [id, WATERMARK + at, ['COMPLETED']]);
		const page = { items: [run(shown, WATERMARK, 'COMPLETED')], total };
		const service = new AskedRuns((__, cursor) => ({ ...page, next: cursor ? undefined : '1' }));
		const { state } = await poll(before(known, { newest: NOW, ...more }), service);
		expect(service.asked).toEqual(asked);
		if (asked.length === 1) expect(state.watermark).toBe(NOW - OVERLAP);
	});

	test('that is longer than a poll goes on in the next, which single runs do not wait for', async () => {
		const pages = ['a', 'b', 'c'].map((id) => [run(id, NOW, 'PENDING')]);
		const service = new AskedRuns((_, cursor) => paged(pages, cursor));
		service.single = [run('old', NOW - 3 * HOUR, 'COMPLETED')];
		const first = await poll(before([active('old')], { newest: NOW }), service, service.timeFor(4));
		expect(first.changes).toEqual(['a PENDING', 'b PENDING', 'old COMPLETED']);
		expect(first.state).toMatchObject({ watermark: WATERMARK, resume: { cursor: '2' } });
		const second = await poll(first.state, service);
		expect(second.changes).toEqual(['c PENDING']);
		expect(second.state.watermark).toBe(NOW - OVERLAP);
	});

	test('is left for the next poll when it has shown 5,000 changes', async () => {
		const ended = (_: unknown, index: number) => run(`${index}`, NOW, 'COMPLETED');
		const items = Array.from({ length: MAX_CHANGES }, ended);
		const { changes, state } = await poll(before(), new AskedRuns(() => ({ items, next: '1' })));
		expect(changes).toHaveLength(MAX_CHANGES);
		expect(state.resume).toMatchObject({ cursor: '1' });
	});

	test('shows no older runs than it was asked for, and nothing that cannot be followed', async () => {
		const from = WATERMARK - MINUTE;
		const service = serving([
			...[run('older', from - 1_000, 'COMPLETED'), run('oldest', from, 'COMPLETED')],
			run('timeless', NOW, 'PENDING', { createTime: undefined }),
			// No ID, one that would change the address, and no status.
			...[run('', NOW, 'FAILED'), run('..', NOW, 'FAILED'), run('a', NOW, '')],
		]);
		const { changes } = await poll(before(), service);
		expect(changes).toEqual(['oldest COMPLETED', 'timeless PENDING']);
	});

	test.each([
		[MAX_REMEMBERED, WATERMARK, 0],
		[MAX_REMEMBERED + 1, WATERMARK + 50 * SECOND, 1],
	])('with %i ended runs keeps those that can be remembered', async (count, to, notes) => {
		const ended = (_: unknown, index: number): TrackedRun => {
			return [`${index}`, WATERMARK + index * 10_000, ['COMPLETED']];
		};
		const polled = await poll(before(Array.from({ length: count }, ended)), serving([]));
		expect(polled.state.watermark).toBe(to);
		expect(polled.notes).toHaveLength(notes);
	});
});

describe('active runs that are not recent', () => {
	const one = run('one', NOW - 3 * HOUR, 'COMPLETED');
	const two = run('two', NOW - 3 * HOUR, 'RUNNING');
	const noLists = { spent: (share = 1) => share < 0.5 };

	test.each([
		['one is read by itself', 1, unlimited, ['recent', 'one']],
		['two are looked for in the list of active ones', 2, unlimited, ['recent', 'active', 'one']],
		['also when lists took a third of the time', 2, noLists, ['recent', 'active', 'one']],
		['none is read when time is up', 1, { spent: () => true }, ['recent']],
	])('%s', async (_, count, budget, asked) => {
		const service = serving([], [two]);
		service.single = [one, two];
		await poll(before([active('one'), active('two')].slice(0, count)), service, budget);
		expect(service.asked).toEqual(asked);
	});

	test('do not hide others when one cannot be read; nothing but failures is an error', async () => {
		const service = serving([]);
		service.single = [one, failure];
		const runs = [active('one'), active('two')];
		const { changes, notes } = await poll(before(runs), service);
		expect(changes).toEqual(['one COMPLETED']);
		expect(notes).toEqual([expect.stringContaining('Runs that could not be read: 1.')]);
		service.single = [two, failure];
		expect(await poll(before(runs), service)).toMatchObject({ changes: [], notes });
		service.single = [failure];
		await expect(poll(before(runs), service)).rejects.toBe(failure);
		const others = serving([run('new', NOW, 'PENDING')]);
		others.single = [failure];
		expect((await poll(before(runs), others)).changes).toEqual(['new PENDING']);
	});

	const NOT_ALL = 'Not all active runs could be listed.';
	const cutShort = () =>
		new AskedRuns((list) => ({ items: [], next: list === 'active' ? '1' : undefined }));

	test.each([
		['the rate is short', serving([]), true, unlimited, []],
		['their list is too long for a poll', cutShort(), false, noLists, [NOT_ALL]],
	])(
		'are read in turn, one for each page of their list, when %s',
		async (_, service, isCrowded, budget, notes) => {
			service.isCrowded = () => isCrowded;
			const many = Array.from({ length: 101 }, (__, index) => active(`r${index}`));
			const first = await poll(before(many), service, budget);
			expect(first.notes).toEqual(notes);
			await poll(first.state, service, budget);
			expect(service.asked.filter((each) => each.startsWith('r') && each !== 'recent')).toEqual([
				'r0',
				'r1',
				'r2',
				'r3',
			]);
		},
	);

	test('that the rest of an unfinished list of recent runs will show are not asked for', async () => {
		const service = new AskedRuns((list) => ({
			items: [],
			next: list === 'recent' ? '1' : undefined,
		}));
		const recent: TrackedRun = ['recent one', WATERMARK, ['RUNNING']];
		await poll(before([active('one'), recent]), service, service.timeFor(3));
		expect(service.asked).toEqual(['recent', 'one']);
	});

	test.each([
		['a few times over an hour', 4, 20 * MINUTE, true],
		['often within an hour', 20, MINUTE, true],
		['five times over an hour', 5, 15 * MINUTE, false],
	])('are followed although they were not found %s: %#', async (_, times, apart, isFollowed) => {
		let state = before([active('one')]);
		const service = serving([]);
		for (let time = 0; time < times; time++) {
			({ state } = await poll(state, service));
			service.time += apart;
		}
		expect(state.runs).toHaveLength(isFollowed ? 1 : 0);
		service.single = [two];
		const found = await poll(before([['two', NOW, ['RUNNING'], [4, 0]]]), service);
		expect(found.state.runs).toEqual([['two', NOW, ['RUNNING']]]);
	});

	test.each([
		['PAUSED', 30 * DAY, 1],
		['PAUSED', 30 * DAY + SECOND, 0],
		['RUNNING', 400 * DAY, 1],
	])('in status %s are followed for so long', async (status, age, followed) => {
		const service = serving([]);
		service.single = [run('one', NOW - age, status)];
		const { state, notes } = await poll(before([['one', NOW - age, [status]]]), service);
		expect(state.runs).toHaveLength(followed);
		expect(notes).toHaveLength(1 - followed);
	});

	test('are not mistaken for the run that a response names', async () => {
		const service = serving([]);
		jest.spyOn(service, 'run').mockResolvedValue(run('another', NOW, 'COMPLETED'));
		expect((await poll(before([active('one')]), service)).changes).toEqual([]);
	});
});

test('a run is shown as it was last, though another list of the poll is behind', async () => {
	const end = run('a', NOW, 'COMPLETED');
	const service = serving([end], [run('a', NOW, 'RUNNING'), run('b', NOW - DAY, 'RUNNING')]);
	const state = before([['a', NOW, ['RUNNING']], active('b'), active('c')]);
	const { shown } = await pollRuns(state, 'scope', service, unlimited, true);
	expect(shown.map(({ run: { id, status } }) => `${id} ${status}`)).toEqual([
		'a COMPLETED',
		'b RUNNING',
	]);
});

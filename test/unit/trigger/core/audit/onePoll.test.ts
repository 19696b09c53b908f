/** Where a poll stops, and what it keeps. */
import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import {
	AskedLog,
	before,
	event,
	known,
	NOW,
	poll,
	rules,
	unlimited,
	WATERMARK,
} from './askedPoll';

const failure = new Error('The service failed');
const list = [WATERMARK - SECOND, undefined, undefined, 5_000];

describe('a list whose first page has as many events as are known', () => {
	const seen = ['a', 'b'].map((id) => known(id, WATERMARK + MINUTE));
	const listed = (id: string) =>
		new AskedLog((_, cursor) => ({
			items: cursor === undefined ? [event(id, WATERMARK + MINUTE)] : [],
			next: cursor === undefined ? 'p2' : undefined,
			total: 2,
		}));

	test.each([
		['is not read on', 'a', {}, 1],
		['is read on when one of them is new', 'c', {}, 2],
		[
			'is read on when something is final, which the watermark then passes',
			'a',
			{ newest: WATERMARK + 10 * MINUTE },
			2,
		],
	])('%s', async (_, id, more, requests) => {
		const log = listed(id);
		await poll(before(seen, more), log);
		expect(log.asked).toHaveLength(requests);
	});
});

test('with 5,000 new events a poll is full, and the next one goes on with the page after them', async () => {
	const items = Array.from({ length: 5_000 }, (_, index) =>
		event(String(index), WATERMARK + MINUTE),
	);
	const log = new AskedLog((_, cursor) =>
		cursor === undefined ? { items, next: 'p2' } : { items: [event('last', WATERMARK + MINUTE)] },
	);
	const full = await poll(before([]), log);
	expect(full.events).toHaveLength(5_000);
	expect(log.asked).toEqual([list]);
	const { events, state } = await poll(full.state, log);
	expect(events).toEqual(['last']);
	expect(state.resume).toBeUndefined();
});

describe('a poll with a request that fails', () => {
	const inRanges = before([], { newest: NOW, span: MINUTE });
	const after = (requests: number) => {
		const log: AskedLog = new AskedLog(() =>
			log.asked.length > requests ? failure : { items: [event('read', WATERMARK + SECOND)] },
		);
		return log;
	};

	test.each([
		['has failed', 0, Infinity],
		['has failed, although it has read something', 1, Infinity],
		['has failed when its time is over and it has read nothing', 0, 1],
	])('%s', async (_, read, time) => {
		const log = after(read);
		const budget = time === Infinity ? unlimited : log.timeFor(time);
		await expect(poll(inRanges, log, budget)).rejects.toBe(failure);
	});

	test('keeps what it has read when its time is over', async () => {
		const log = after(1);
		const { events, state } = await poll(inRanges, log, log.timeFor(2));
		expect(events).toEqual(['read']);
		expect(state.watermark).toBe(WATERMARK + MINUTE);
	});
});

test('a poll that begins without time asks once', async () => {
	const log = new AskedLog(() => ({ items: [event('one', NOW - 2 * MINUTE)] }));
	expect((await poll(before([]), log, log.timeFor(0))).events).toEqual(['one']);
	expect(log.asked).toEqual([list]);
});

describe('of events around the time from which on it is asked for', () => {
	const from = WATERMARK - SECOND;

	test('the older ones do not come, whatever the service shows', async () => {
		const items = [event('older', from - 1_000), event('of that time', from)];
		const { events } = await poll(before([]), new AskedLog(() => ({ items })));
		expect(events).toEqual(['of that time']);
	});

	test('the older ones are forgotten', async () => {
		const kept = [known('of that time', from), known('younger', from + SECOND)];
		const seen = [known('older', from - 1_000), ...kept];
		const { state } = await poll(before(seen), new AskedLog(() => ({ items: [] })));
		expect(state.seen).toEqual(kept);
	});
});

test('a new event shows how new the log is', async () => {
	const time = NOW - 2 * MINUTE;
	const { state } = await poll(before([]), new AskedLog(() => ({ items: [event('new', time)] })));
	expect(state.newest).toBe(time);
	expect(state.seen).toEqual([known('new', time)]);
});

describe('an event', () => {
	test.each([
		['comes once it has settled', -MINUTE, rules, true],
		['waits until it has', 1_000 - MINUTE, rules, false],
		['comes at once when it is dated ahead', MINUTE, rules, true],
		[
			'of the present second comes at once without a settle delay',
			SECOND / 2,
			{ ...rules, settle: 0 },
			true,
		],
	])('%s', async (_, after, by, isNews) => {
		const log = new AskedLog(() => ({ items: [event('new', NOW + after)] }));
		const { events } = await poll(before([]), log, unlimited, by);
		expect(events).toEqual(isNews ? ['new'] : []);
	});
});

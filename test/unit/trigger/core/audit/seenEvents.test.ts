import { digest } from '../../../../../nodes/Wherobots/trigger/core/digest';
import {
	MAX_SEEN,
	MAX_SEEN_PER_SECOND,
	SeenEvents,
} from '../../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import type { SeenEvent } from '../../../../../nodes/Wherobots/trigger/core/state';
import {
	listedFrom,
	MINUTE,
	NEVER_SHOWN,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { START as NOW } from '../slowService';
import { event } from './askedLog';

const KEY = digest('audit/a');

describe('an event', () => {
	const past = event('a', NOW - MINUTE);
	const future = event('a', NOW + MINUTE);
	const timeless = { event_id: 'a' };

	test.each([
		['counts as shown at its own time', past, NOW - MINUTE, NOW - MINUTE, NOW - MINUTE],
		['from the future counts as shown now', future, NOW + MINUTE, NOW, NOW],
		['without a time says nothing of what was shown', timeless, NOW, undefined, undefined],
	])('%s, and is new once', (_, shownEvent, time, shown, newest) => {
		const seen = new SeenEvents();
		const added = { id: 'audit/a', time, event: shownEvent };
		expect(seen.take(shownEvent, NOW)).toEqual({ shown, added });
		expect(seen.newest).toBe(newest);
		expect(seen.take(shownEvent, NOW + 5 * MINUTE)).toEqual({ shown });
		expect(seen.newest).toBe(newest);
	});

	test.each([
		['its time', past, NOW - MINUTE],
		['now, where it is from the future', future, NOW],
		['no time, where it has none', timeless, 0],
	])(
		'that is known lets one from the future count as shown as of %s, when only n8n tells the time',
		(_, shownEvent, until) => {
			const seen = new SeenEvents();
			seen.take(shownEvent, NOW);
			expect(seen.shownUntil(NOW, false)).toBe(until);
			expect(seen.shownUntil(NOW, true)).toBe(NOW);
		},
	);

	test.each([
		['with its time', past, [KEY, NOW - MINUTE]],
		[
			'from the future also with the time at which it counts as shown',
			future,
			[KEY, NOW + MINUTE, NOW],
		],
		[
			'without a time with that of the poll, and that it never counts',
			timeless,
			[KEY, NOW, NEVER_SHOWN],
		],
	])('is kept %s', (_, shownEvent, entry) => {
		const seen = new SeenEvents();
		seen.take(shownEvent, NOW);
		// Plain JSON: nothing in it is undefined.
		expect(seen.entries(0)).toStrictEqual([entry]);
		expect(new SeenEvents(seen.entries(0)).newest).toBe(seen.newest);
	});

	test.each([
		['is kept for a list that begins at its time', NOW - MINUTE, 1],
		['is forgotten for one that begins later', NOW - MINUTE + 1, 0],
	])('%s', (_, from, kept) => {
		expect(new SeenEvents([[KEY, NOW - MINUTE]]).entries(from)).toHaveLength(kept);
	});
});

test('the newest times come newest first, whatever the order of the events', () => {
	const seen = new SeenEvents([
		['timeless', 5, NEVER_SHOWN],
		['a', 2],
		['b', 4],
		['c', 1],
		['d', 3],
	]);
	expect(seen.newestTimes(3)).toEqual([4, 3, 2]);
});

describe('the watermark that keeps the events to be remembered few', () => {
	/** So many events, the newest first, with as many of them a second. */
	function crowd(count: number, perSecond: number): SeenEvent[] {
		const time = (index: number) => NOW + Math.floor((index * SECOND) / perSecond);
		return Array.from({ length: count }, (_, index): SeenEvent => {
			return [`event-${index}`, time(index)];
		}).reverse();
	}

	test('is not needed for as many as can be remembered', () => {
		expect(new SeenEvents(crowd(MAX_SEEN, 10)).bound()).toBeUndefined();
	});

	test.each([
		['one more', MAX_SEEN + 1],
		['more than may be of a single second', MAX_SEEN_PER_SECOND + 1],
	])('leaves half as many as can be remembered, in whole seconds, of %s', (_, count) => {
		const seen = new SeenEvents(crowd(count, 10));
		const bound = seen.bound() ?? NaN;
		// Ten a second, the last second having just begun.
		expect(bound).toBe(NOW + (count - 1) * (SECOND / 10) - (MAX_SEEN / 2 / 10) * SECOND);
		expect(seen.entries(bound)).toHaveLength(MAX_SEEN / 2 + 1);
	});

	test.each([
		['keeps', 'as many events as may be of one', MAX_SEEN_PER_SECOND, NOW, MAX_SEEN_PER_SECOND + 2],
		['lets go of', 'more', MAX_SEEN_PER_SECOND + 1, NOW + 2 * SECOND, 1],
	])('%s a second with %s', (_, __, count, expected, kept) => {
		const before: SeenEvent[] = [['before', NOW - SECOND]];
		const after: SeenEvent[] = [['after', NOW + SECOND]];
		const seen = new SeenEvents([...after, ...crowd(count, count), ...before]);
		const bound = seen.bound() ?? NaN;
		expect(bound).toBe(expected);
		// The next list begins a second before its watermark.
		expect(seen.entries(listedFrom(bound))).toHaveLength(kept);
	});
});

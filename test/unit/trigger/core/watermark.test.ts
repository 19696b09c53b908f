import {
	DAY,
	HOUR,
	isFuture,
	isResting,
	listedFrom,
	mayRest,
	MINUTE,
	NEVER_SHOWN,
	newSince,
	nextWatermark,
	RUN_OVERLAP,
	SECOND,
	shownTime,
	wholeSecond,
} from '../../../../nodes/Wherobots/trigger/core/watermark';

const T = Date.parse('2026-03-10T12:00:00Z') * 1000;

test('lengths of time are in microseconds', () => {
	expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1e6, 60e6, 3_600e6, 86_400e6]);
	expect(RUN_OVERLAP).toBe(5 * MINUTE);
});

describe('the watermark', () => {
	test.each([
		['stays without anything shown', undefined, T],
		['goes to whole seconds before the newest', T + 10 * MINUTE + 999_999, T + 5 * MINUTE],
		['does not go back', T + MINUTE, T],
		['is exact', T + 5 * MINUTE + SECOND, T + SECOND],
	])('%s', (_, shown, expected) => {
		expect(nextWatermark(T, shown, 5 * MINUTE)).toBe(expected);
	});

	test('lists are asked for from a second before it on', () => {
		expect(listedFrom(T)).toBe(T - SECOND);
		expect(listedFrom(T + 999_999)).toBe(T - SECOND);
		expect(wholeSecond(T + 999_999)).toBe(T);
		expect(wholeSecond(T)).toBe(T);
	});
});

test.each([
	[T, false],
	[T + 2 * SECOND, false],
	[T + 2 * SECOND + 1, true],
])(
	'a time lies in the future only beyond what is known of the clock (%i: %s)',
	(time, expected) => {
		expect(isFuture(time, T)).toBe(expected);
	},
);

describe('news of a first poll', () => {
	test.each([
		['before its first response nothing is', undefined, T, Infinity],
		['within the second of its beginning nothing is', T + 300, T + 999_999, Infinity],
		['later, what is of that second or younger', T + 300, T + SECOND, T],
		['in a later poll, too', T + 300, undefined, T],
		['with a clock that was set back, nothing is', T + 300, T - SECOND, Infinity],
	])('%s', (_, began, now, expected) => {
		expect(newSince(began, now)).toBe(expected);
	});
});

describe('rest', () => {
	test.each([
		['without a full reading', undefined, T, T, false],
		['without a record', T, undefined, T, false],
		['with a clock that was set back', T, T - MINUTE, T - 1, false],
		['as long again as the standstill has lasted', T, T - MINUTE, T + MINUTE - 1, true],
		['from the very moment on', T, T - MINUTE, T, true],
		['no longer than that', T, T - MINUTE, T + MINUTE, false],
		['an hour at most', T, T - DAY, T + HOUR - 1, true],
		['no longer than an hour', T, T - DAY, T + HOUR, false],
		['not while the newest lies ahead', T, T + MINUTE, T, false],
	])('%s', (_, checkedAt, newest, now, expected) => {
		expect(isResting(checkedAt, newest, now)).toBe(expected);
	});
});

test.each([
	['rests for as long as the standstill has lasted', MINUTE - 1, true],
	['no longer', MINUTE, false],
	['has to ask by a clock that is behind the last reading', -1, true],
	['stays within the hour that a rest may last', HOUR, false],
	['has to ask by a clock that is beyond it', HOUR + 1, true],
])('by a time that nothing has told: %s', (_, since, expected) => {
	expect(mayRest(T, T - MINUTE, T + since)).toBe(expected);
});

test('a rest may begin at once', () => {
	expect(mayRest(T, T, T)).toBe(false);
	expect(mayRest(T, T - MINUTE, T)).toBe(true);
});

test('a record counts as shown at its own time, when it was first shown, or never', () => {
	expect([shownTime(T), shownTime(T, T - 1)]).toEqual([T, T - 1]);
	expect(shownTime(T, NEVER_SHOWN)).toBeUndefined();
});

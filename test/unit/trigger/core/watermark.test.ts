import {
	DAY,
	HOUR,
	isResting,
	listedFrom,
	MINUTE,
	nextWatermark,
	restUntil,
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
	['as shown at its time', T, T],
	['so, too, within what is known of the clock', T + 2 * SECOND, T + 2 * SECOND],
	['as shown now when it is from the future', T + 2 * SECOND + 1, T],
])('a record counts %s', (_, time, expected) => {
	expect(shownTime(time, T)).toBe(expected);
});

describe('rest', () => {
	const LOCAL = T + 180 * MINUTE;

	test.each([
		['lasts as long again as the standstill has lasted', T - MINUTE, LOCAL + MINUTE],
		['lasts an hour at most', T - DAY, LOCAL + HOUR],
		['is over at once while the newest lies ahead', T + MINUTE, LOCAL],
	])('%s', (_, newest, expected) => {
		expect(restUntil(newest, T, LOCAL)).toBe(expected);
	});

	test.each([
		['without a full reading', undefined, false],
		['until then', T + 1, true],
		['not from then on', T, false],
		['for an hour at most, when the clock was set back', T + HOUR, true],
		['no longer', T + HOUR + 1, false],
	])('%s', (_, until, expected) => {
		expect(isResting(until, T)).toBe(expected);
	});
});

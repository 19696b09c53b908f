import {
	boundOf,
	DAY,
	HOUR,
	MAX_PER_SECOND,
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
	Watermark,
	wholeSecond,
} from '../../../../nodes/Wherobots/trigger/core/watermark';

const T = Date.parse('2026-03-10T12:00:00Z') * 1000;

const from = (watermark: number, more = {}) =>
	new Watermark({ watermark, ...more }, 5 * MINUTE, T + HOUR);

test('lengths of time are in microseconds', () => {
	expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1e6, 60e6, 3_600e6, 86_400e6]);
});

test.each([
	['stays at the watermark when nothing has been shown', undefined, T],
	['is in whole seconds, the overlap before the newest', T + 10 * MINUTE + 999_999, T + 5 * MINUTE],
	['does not go back', T + MINUTE, T],
	['is exact', T + 5 * MINUTE + SECOND, T + SECOND],
])('the end of what is final %s', (_, newest, expected) => {
	expect(from(T, { newest }).final).toBe(expected);
});

test('lists are requested from a second before it', () => {
	expect(from(T).listedFrom).toBe(T - SECOND);
	expect(from(T + 999_999).listedFrom).toBe(T - SECOND);
	expect(wholeSecond(T + 999_999)).toBe(T);
	expect(wholeSecond(T)).toBe(T);
});

test.each([
	['slightly ahead of the clock counts as shown', 2 * SECOND, T + 2 * SECOND],
	['further ahead does not', 2 * SECOND + 1, undefined],
])('a time %s', (_, ahead, expected) => {
	const watermark = from(T);
	watermark.show(T + ahead, T);
	expect(watermark.fields().newest).toBe(expected);
});

test('an older time does not replace the newest one', () => {
	const watermark = from(T, { newest: T + MINUTE });
	watermark.show(T, T);
	expect(watermark.fields().newest).toBe(T + MINUTE);
});

test.each([
	['moves to what is final', T + MINUTE + 1, false, undefined, T + MINUTE],
	['does not go back', T - MINUTE, false, undefined, T],
	['stays when the list is odd', T + MINUTE, true, undefined, T],
	[
		'stays when lists have been odd only for a short time',
		T + MINUTE,
		true,
		[10, T + 55 * MINUTE],
		T,
	],
	['stays when only a few lists have been odd', T + MINUTE, true, [9, T], T],
	[
		'moves when all lists have been odd for a long time',
		T + MINUTE,
		true,
		[10, T + 50 * MINUTE],
		T + MINUTE,
	],
	['moves when a list is not odd, although others were', T + MINUTE, false, [1, T], T + MINUTE],
])('after a list the watermark %s', (_, final, isOdd, odd, expected) => {
	const watermark = from(T, { odd });
	expect(watermark.pass(final, isOdd)).toBe(!isOdd || expected > T);
	expect(watermark.time).toBe(expected);
});

test.each([
	['not when it moves to the end of that', 0, false],
	['when it moves further', SECOND, true],
	['not when it stays', -MINUTE, false],
])('whether a watermark passes more than is final: %s', (_, after, expected) => {
	const watermark = from(T, { newest: T + 5 * MINUTE + SECOND });
	watermark.pass(watermark.final + after, false);
	expect(watermark.isShortened).toBe(expected);
});

test('a watermark that nothing has moved has passed nothing', () => {
	expect(from(T, { newest: T }).isShortened).toBe(false);
	expect(from(T).isShortened).toBe(false);
});

test.each([
	['are counted', true, [1, T], [2, T]],
	['are counted from now on', true, undefined, [1, T + HOUR]],
	[
		'keep their count, but only since now, when the clock was set back',
		true,
		[1, T + DAY],
		[2, T + HOUR],
	],
	['are forgotten after one without', false, [9, T], undefined],
])('polls with odd lists %s', (_, isOdd, odd, expected) => {
	const watermark = from(T, { odd });
	watermark.pass(T, isOdd);
	expect(watermark.fields().odd).toEqual(expected);
});

test('a poll that reads no list to its end leaves the count as it is', () => {
	expect(from(T, { odd: [3, T] }).fields().odd).toEqual([3, T]);
});

describe('with more records of one second than are remembered, the watermark', () => {
	const ofSecond = (count: number) => Array<number>(count).fill(T + SECOND / 2);

	test.each([
		['does not move if they are no more', ofSecond(MAX_REMEMBERED), undefined],
		['goes to that second', ofSecond(MAX_PER_SECOND), T],
		['goes to it if those before make them too many', [T - MINUTE, ...ofSecond(MAX_PER_SECOND)], T],
		['passes it if they are far too many', ofSecond(MAX_PER_SECOND + 1), T + 2 * SECOND],
	])('%s', (_, times, expected) => {
		expect(boundOf(times, T - HOUR)).toBe(expected);
	});
});

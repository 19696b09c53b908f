import {
	DAY,
	HOUR,
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
	['stays without anything shown', undefined, T],
	['goes to whole seconds before the newest', T + 10 * MINUTE + 999_999, T + 5 * MINUTE],
	['does not go back', T + MINUTE, T],
	['is exact', T + 5 * MINUTE + SECOND, T + SECOND],
])('what is final %s', (_, newest, expected) => {
	expect(from(T, { newest }).final).toBe(expected);
});

test('lists are asked for from a second before it on', () => {
	expect(from(T).listedFrom).toBe(T - SECOND);
	expect(from(T + 999_999).listedFrom).toBe(T - SECOND);
	expect(wholeSecond(T + 999_999)).toBe(T);
	expect(wholeSecond(T)).toBe(T);
});

test.each([
	['counts as shown within what is known of the clock', 2 * SECOND, T + 2 * SECOND],
	['that is further ahead does not', 2 * SECOND + 1, undefined],
])('a time %s', (_, ahead, expected) => {
	const watermark = from(T);
	watermark.show(T + ahead, T);
	expect(watermark.fields().newest).toBe(expected);
});

test('an older time does not take the place of the newest one', () => {
	const watermark = from(T, { newest: T + MINUTE });
	watermark.show(T, T);
	expect(watermark.fields().newest).toBe(T + MINUTE);
});

test.each([
	['moves to it', T + MINUTE + 1, false, undefined, T + MINUTE],
	['does not go back', T - MINUTE, false, undefined, T],
	['stays when it is odd', T + MINUTE, true, undefined, T],
	['stays when lists have not been odd for long', T + MINUTE, true, [10, T + 55 * MINUTE], T],
	['stays when few have been odd', T + MINUTE, true, [9, T], T],
	['moves when all have been odd for long', T + MINUTE, true, [10, T], T + MINUTE],
])('after a list the watermark %s', (_, final, isOdd, odd, expected) => {
	const watermark = from(T, { odd });
	expect(watermark.pass(final, isOdd)).toBe(!isOdd || expected > T);
	expect(watermark.time).toBe(expected);
});

test.each([
	['not what is final', 0, false],
	['more than that', SECOND, true],
	['not where it stays', -MINUTE, false],
])('a watermark passes %s', (_, after, expected) => {
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
		'are counted from an earlier now, when the clock was set back',
		true,
		[1, T + DAY],
		[2, T + HOUR],
	],
	['are forgotten after one that is not', false, [9, T], undefined],
])('polls with odd lists %s', (_, isOdd, odd, expected) => {
	const watermark = from(T, { odd });
	watermark.pass(T, isOdd);
	expect(watermark.fields().odd).toEqual(expected);
});

test('a poll that reads no list to its end leaves them as they are', () => {
	expect(from(T, { odd: [3, T] }).fields().odd).toEqual([3, T]);
});

import { MAX_SEEN } from '../../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import type { Range } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { SeenEvent } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, poll, rules, WATERMARK, type AskedRange } from './askedPoll';

/** One more than are remembered, a hundred a second; the last of them is the newest. */
function tooMany(newest: number): SeenEvent[] {
	return Array.from({ length: MAX_SEEN + 1 }, (_, index): SeenEvent => {
		const time = WATERMARK + Math.floor(index / 100) * SECOND;
		return [`event-${index}`, index === MAX_SEEN ? newest : time];
	});
}

/** From there on half of what can be remembered is left. */
const HALF = WATERMARK + 50 * SECOND;
const upTo = (end: number): AskedRange => [WATERMARK - SECOND, end, undefined, 2_000];
const restFrom = (start: number): AskedRange => [start - SECOND, undefined, undefined, 5_000];
const noteOf = (time: string) =>
	`Too many events to remember for the whole overlap: events before ${time} that have not appeared yet will be missed.`;

const logOf = () =>
	new AskedLog(({ end }) => ({
		items: end === undefined ? [] : [event('late', WATERMARK + SECOND)],
	}));

test.each([
	['less', WATERMARK + 100 * SECOND, [noteOf('2026-03-10T11:00:50.000Z')]],
	['just as much', HALF + 5 * MINUTE, []],
])(
	'with too many events to remember, half are forgotten, with a warning when the overlap lets go of %s',
	async (_, newest, expected) => {
		const seen = tooMany(newest);
		const log = logOf();
		const { state, notes } = await poll(before(seen), log);
		expect(log.asked).toEqual([upTo(HALF), restFrom(HALF)]);
		expect(notes).toEqual(expected);
		const left = seen.filter(([, time]) => time >= HALF - SECOND);
		expect(state).toStrictEqual(before(left, { watermark: HALF }));
	},
);

test('with too many events to remember, those that are too young to be given are not passed', async () => {
	const log = logOf();
	log.time = WATERMARK + 100 * SECOND;
	const settled = WATERMARK + 20 * SECOND;
	const waiting = { ...rules, settle: 80 * SECOND };
	const seen = tooMany(WATERMARK + 100 * SECOND);
	const { state, notes } = await poll(before(seen), log, undefined, waiting);
	expect(log.asked).toEqual([upTo(settled), restFrom(settled)]);
	expect(state.watermark).toBe(settled);
	expect(notes).toEqual([noteOf('2026-03-10T11:00:20.000Z')]);
});

describe('with too many events to remember', () => {
	const resume = { cursor: '1', count: 1 };
	const seen = tooMany(WATERMARK + 100 * SECOND);
	const ofOneSecond = seen.map(([key]): SeenEvent => [key, WATERMARK]);

	test.each<[string, Range, SeenEvent[], AskedRange]>([
		['a list of everything is left for what is final', { start: WATERMARK }, seen, upTo(HALF)],
		[
			'a list of everything is continued where that would forget none',
			{ start: WATERMARK },
			ofOneSecond,
			[WATERMARK - SECOND, undefined, '1'],
		],
		[
			'a range is continued',
			{ start: WATERMARK, end: HALF },
			seen,
			[WATERMARK - SECOND, HALF, '1'],
		],
	])('%s', async (_, range, events, asked) => {
		const log = logOf();
		await poll(before(events, { resume, range }), log, log.timeFor(1));
		expect(log.asked).toEqual([asked]);
	});
});

test('with too many events to remember and a long overlap, each poll reads a shorter range than the one before', async () => {
	// Five a second: from 1,001 seconds on there are half of those that can be remembered.
	const crowd = Array.from({ length: MAX_SEEN + 1 }, (_, index): SeenEvent => {
		return [`event-${index}`, WATERMARK + Math.floor(index / 5) * SECOND];
	});
	const log = new AskedLog(() => ({ items: [event('late', WATERMARK + SECOND)], next: '1' }));
	const by = { ...rules, overlap: HOUR };
	log.time = WATERMARK + 50 * MINUTE;
	const first = await poll(before(crowd), log, log.timeFor(1), by);
	await poll(first.state, log, log.timeFor(2), by);
	expect(log.asked[1][1]).toBeLessThan(log.asked[0][1] as number);
});

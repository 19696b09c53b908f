import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	AskedLog,
	before,
	event,
	keyOf,
	known,
	NOW,
	poll,
	unlimited,
	WATERMARK,
	type AskedRange,
} from './askedPoll';

/** The range that is final when the newest event is five minutes younger than its end. */
const rangeOf = (start: number, end: number): AskedRange => [start - SECOND, end, undefined, 2_000];
const restFrom = (start: number): AskedRange => [start - SECOND, undefined, undefined, 5_000];
const late = event('late', WATERMARK + SECOND);

/** A log that gives this page of ranges with an end, and the newest events of the others. */
const logWith = (page: AuditPage, rest = [event('new', NOW - 2 * MINUTE)]) =>
	new AskedLog(({ end }) => (end === undefined ? { items: rest } : page));

describe('a time that is long over', () => {
	const end = WATERMARK + 25 * MINUTE;
	const newest = known('newest', end + 5 * MINUTE);

	test('is read first, then everything after it', async () => {
		const log = logWith({ items: [late] });
		const polled = await poll(before([newest]), log);
		expect(log.asked).toEqual([rangeOf(WATERMARK, end), restFrom(end)]);
		const seen = [known('new', NOW - 2 * MINUTE)];
		expect(polled).toStrictEqual({
			state: before(seen, { watermark: NOW - 7 * MINUTE }),
			events: ['late', 'new'],
			notes: [],
		});
	});

	test('is asked for once more before it is believed that nothing happened in it', async () => {
		const log = logWith({ items: [] });
		await poll(before([newest]), log);
		const range = rangeOf(WATERMARK, end);
		expect(log.asked).toEqual([range, range, restFrom(end)]);
	});

	test('is dealt with when the poll has no time for what comes after it', async () => {
		const log = logWith({ items: [late] });
		const polled = await poll(before([newest]), log, log.timeFor(1));
		expect(log.asked).toEqual([rangeOf(WATERMARK, end)]);
		expect(polled).toStrictEqual({
			state: before([newest], { watermark: end }),
			events: ['late'],
			notes: [],
		});
	});
});

test('of a time that is over, what one poll cannot read is left to the next', async () => {
	const end = WATERMARK + 10 * MINUTE;
	const newest = known('newest', end + 5 * MINUTE);
	const log = logWith({ items: [late], next: '1' });
	const polled = await poll(before([newest]), log, log.timeFor(1));
	expect(log.asked).toEqual([rangeOf(WATERMARK, end)]);
	const time = WATERMARK + SECOND;
	expect(polled).toEqual({
		state: before([newest, known('late', time)], {
			resume: { cursor: '1', oldestNew: time, newest: time, count: 1, last: keyOf('late') },
			range: { start: WATERMARK, end },
		}),
		events: ['late'],
		notes: [],
	});
});

describe('a time that is over and has many events', () => {
	const end = WATERMARK + 40 * MINUTE;
	const seen = [known('newest', end + 5 * MINUTE)];

	test('is read in ranges of an eighth, which the next poll goes on with', async () => {
		const log = logWith({ items: [late], next: '1' });
		const { state } = await poll(before(seen), log, log.timeFor(1));
		expect(log.asked).toEqual([rangeOf(WATERMARK, end)]);
		expect(state).toStrictEqual(
			before([...seen, known('late', WATERMARK + SECOND)], { span: 5 * MINUTE }),
		);
	});

	test('is read in ranges of the length that the poll before has found, which grows again', async () => {
		const log = logWith({ items: [late] });
		const { state } = await poll(before(seen, { span: MINUTE }), log, log.timeFor(1));
		const range = { watermark: WATERMARK + MINUTE, span: 4 * MINUTE };
		expect(log.asked).toEqual([rangeOf(WATERMARK, range.watermark)]);
		expect(state).toStrictEqual(before(seen, range));
	});

	test('no longer determines the length of ranges once it is dealt with', async () => {
		const newest = known('newest', WATERMARK + 9 * MINUTE);
		const log = logWith({ items: [late] }, [event('newest', WATERMARK + 9 * MINUTE)]);
		const { state } = await poll(before([newest], { span: MINUTE }), log, unlimited);
		expect(log.asked).toEqual([
			rangeOf(WATERMARK, WATERMARK + MINUTE),
			rangeOf(WATERMARK + MINUTE, WATERMARK + 4 * MINUTE),
			restFrom(WATERMARK + 4 * MINUTE),
		]);
		expect(state).toStrictEqual(before([newest], { watermark: WATERMARK + 4 * MINUTE }));
	});
});

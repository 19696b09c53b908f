import { AuditReading } from '../../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import {
	FinalRanges,
	LONG_RANGE,
} from '../../../../../nodes/Wherobots/trigger/core/audit/finalRanges';
import type { AuditPage, Range } from '../../../../../nodes/Wherobots/trigger/core/source';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { paged } from '../askedSource';
import { START as NOW } from '../slowService';
import { AskedLog, event } from './askedLog';

const rules = { overlap: 0, settle: 0 };

/** An event in every range that ends now. */
const recent = (id: string) => event(id, NOW - SECOND / 2);

/** A log with pages of so many events. */
function logOf(...sizes: number[]): AskedLog {
	let total = 0;
	const pages = sizes.map((size) =>
		Array.from({ length: size }, () => recent(`event-${(total += 1)}`)),
	);
	return new AskedLog((_, cursor) => ({ ...paged(pages, cursor), total }));
}

/** A log that gives the same page whatever it is asked for. */
const logWith = (page: AuditPage) => new AskedLog(() => page);

/** A poll with time for so many requests. */
function pollOf(log: AskedLog, span?: number, requests = Infinity): FinalRanges {
	const budget = log.timeFor(requests);
	return new FinalRanges(new AuditReading([], false, rules, log, budget), span);
}

const rangeOf = (length: number): Required<Range> => ({ start: NOW - length, end: NOW });

/** What comes of reading a range of this length, which is as long as the ranges of the poll are. */
async function outcome(log: AskedLog, length: number, requests?: number) {
	const ranges = pollOf(log, length, requests);
	const { isDone, resume } = await ranges.read(rangeOf(length));
	const { span } = ranges;
	return { isDone, cursor: resume?.cursor, span, requests: log.asked.length };
}

test.each([
	['80 minutes', 80 * MINUTE, 10 * MINUTE],
	['510 seconds, without the rest of a second', 510 * SECOND, 63 * SECOND],
	['four seconds, but not below one', 4 * SECOND, SECOND],
])('shorter ranges than one are an eighth of it: of %s', (_, length, expected) => {
	const ranges = pollOf(logOf());
	expect(ranges.narrow(length)).toEqual({ isDone: false });
	expect(ranges.span).toBe(expected);
	expect(ranges.from(NOW - HOUR, NOW)).toEqual({ start: NOW - HOUR, end: NOW - HOUR + expected });
});

describe('the range after one that is dealt with', () => {
	test.each([
		['is four times as long after a single page', MINUTE, [1], 4 * MINUTE],
		['stays as long as it is where that is longer still', 10 * MINUTE, [1], 10 * MINUTE],
		['stays as long as it is after two pages', MINUTE, [1, 1], MINUTE],
		['stays as long as it is after five pages', MINUTE, [1, 1, 1, 1, 1], MINUTE],
		['is half as long after six pages', MINUTE, [1, 1, 1, 1, 1, 1], MINUTE / 2],
	])('%s', async (_, span, sizes, expected) => {
		const log = logOf(...sizes);
		const ranges = pollOf(log, span);
		expect(await ranges.read(rangeOf(MINUTE))).toEqual({ isDone: true });
		expect(log.asked).toHaveLength(sizes.length);
		expect(ranges.span).toBe(expected);
	});
});

describe('a range', () => {
	const longer = LONG_RANGE + 8 * SECOND;

	test.each([
		['a quarter of an hour is read to its end', LONG_RANGE, [1, 1], true, LONG_RANGE, 2],
		['a longer time is read in shorter ones', longer, [1, 1], false, 113 * SECOND, 1],
		['a longer time is read as it is when it has a single page', longer, [1], true, 4 * longer, 1],
	])('of %s', async (_, length, sizes, isDone, span, requests) => {
		expect(await outcome(logOf(...sizes), length)).toEqual({ isDone, span, requests });
	});
});

describe('a range that comes in one piece', () => {
	test.each([
		['may be cut after 2,000 events', 2 * SECOND, 2_000],
		['comes whole when it is as short as a range can be', SECOND, Infinity],
	])('%s', async (_, length, most) => {
		const log = logOf(1, 1);
		await pollOf(log).read(rangeOf(length));
		const start = NOW - length - SECOND;
		expect(log.asked).toEqual([
			[start, NOW, undefined, most],
			[start, NOW, '1'],
		]);
	});

	test('is read in shorter ones when it is cut', async () => {
		const log = logWith({ items: [recent('a')], isCut: true });
		const shorter = { isDone: false, span: 2 * SECOND, requests: 1 };
		expect(await outcome(log, 16 * SECOND)).toEqual(shorter);
	});

	test('is asked for again instead when it is as short as a range can be', async () => {
		const log = logWith({ items: [recent('a')], total: 2, isFull: true });
		expect(await outcome(log, SECOND)).toEqual({ isDone: true, span: 4 * SECOND, requests: 3 });
	});
});

describe('a range of several pages', () => {
	const LENGTH = 8 * MINUTE;
	const crowded = [1_000, 1_000, 1_000, 1_000];

	test.each([
		['in shorter ones once it has shown more than 2,000 events', LENGTH, crowded, false, MINUTE, 3],
		[
			'to its end when it has 2,000 before the last page',
			LENGTH,
			[1_000, 1_000, 0],
			true,
			LENGTH,
			3,
		],
		['to its end when no range can be shorter', SECOND, crowded, true, SECOND, 4],
	])('is read %s', async (_, length, sizes, isDone, span, requests) => {
		expect(await outcome(logOf(...sizes), length)).toEqual({ isDone, span, requests });
	});

	test.each([
		['the time of this one is over', LENGTH, [1, 1, 1], 2, '2'],
		['the time is over just as it shows more than 2,000 events', LENGTH, crowded, 3, '3'],
		['this one has as many events as it may have', SECOND, [2_500, 2_500, 2_500], undefined, '2'],
	])('is continued by the next poll when %s', async (_, length, sizes, requests, cursor) => {
		const continued = { isDone: false, cursor, span: length, requests: Number(cursor) };
		expect(await outcome(logOf(...sizes), length, requests)).toEqual(continued);
	});
});

describe('a range with fewer events than the service says it has', () => {
	const short = { items: [recent('a')], total: 2 };

	test('is read in shorter ones', async () => {
		const shorter = { isDone: false, span: 15 * SECOND, requests: 1 };
		expect(await outcome(logWith(short), 2 * MINUTE)).toEqual(shorter);
	});

	test('has been asked for often enough when it is a minute', async () => {
		const done = { isDone: true, span: 4 * MINUTE, requests: 1 };
		expect(await outcome(logWith(short), MINUTE)).toEqual(done);
	});

	test('is read once more, in a longer one, when there are none at all', async () => {
		const longer = { isDone: false, span: 8 * MINUTE, requests: 3 };
		expect(await outcome(logWith({ items: [], total: 1 }), 2 * MINUTE)).toEqual(longer);
	});
});

describe('a range is believed', () => {
	const repeating = [[recent('a')], [recent('a'), recent('b')]];

	test.each([
		['the second time when it has no event', [[]]],
		['the second time when its pages repeat one', repeating],
	])('%s, and what lies before it with it', async (_, pages) => {
		const ranges = pollOf(new AskedLog((__, cursor) => paged(pages, cursor)));
		expect(await ranges.read(rangeOf(MINUTE))).toEqual({ isDone: false });
		expect(await ranges.read(rangeOf(MINUTE))).toEqual({ isDone: true });
		const before = { start: NOW - MINUTE, end: NOW - SECOND };
		expect(await ranges.read(before)).toEqual({ isDone: true });
		// Of this one the end has not been read before.
		const after = { start: NOW - MINUTE, end: NOW + SECOND };
		expect(await ranges.read(after)).toEqual({ isDone: false });
	});

	test('at once when a longer one has events, after a shorter one had none', async () => {
		const late = event('a', NOW - 30 * MINUTE);
		const log = new AskedLog(({ end = NOW }) => ({
			items: end < NOW - 30 * MINUTE ? [] : [late],
		}));
		const ranges = pollOf(log, 10 * MINUTE);
		const start = NOW - HOUR;
		const first = ranges.from(start, NOW);
		expect(first.end).toBe(start + 10 * MINUTE);
		expect(await ranges.read(first)).toEqual({ isDone: false });
		const second = ranges.from(start, NOW);
		expect(second).toEqual({ start, end: start + 40 * MINUTE });
		expect(await ranges.read(second)).toEqual({ isDone: true });
	});
});

/** Polls of the audit log: what is asked for, what comes, and what is remembered. */
import { AuditEvent } from '../../../nodes/Wherobots/service/records/auditEvent';

import {
	pollNewRecords,
	type RecordPage,
	type RecordRules,
} from '../../../nodes/Wherobots/trigger/core/newRecords';
import {
	DAY,
	toDigest,
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
	type RecordState,
	type SeenRecord,
} from '../../../nodes/Wherobots/trigger/core/cursor';
import { AskedLog, event, NOW, paged, unlimited } from './service';

const rules: RecordRules = { overlap: 5 * MINUTE, settle: MINUTE };
const WATERMARK = NOW - 60 * MINUTE;

const before = (more: Partial<RecordState> = {}): RecordState => ({
	scope: 'scope',
	watermark: WATERMARK,
	way: 'query',
	seen: [],
	...more,
});

/** A state after which so much of the log is final. */
const finalFor = (length: number, more: Partial<RecordState> = {}) =>
	before({ newest: WATERMARK + length + rules.overlap, ...more });

const known = (id: string, time: number): SeenRecord => [toDigest(`audit/${id}`), time];
const knownFrom = (time: number, count: number, apart = 0) =>
	Array.from({ length: count }, (_, index) => known(`${index}`, time + index * apart));
const eventsAt = (time: number, count: number) =>
	Array.from({ length: count }, (_, index) => event(`${index}`, time));

async function poll(state: RecordState | undefined, log: AskedLog, budget = unlimited, by = rules) {
	const { records, ...polled } = await pollNewRecords(state, 'scope', by, log, budget);
	return { ...polled, events: records.map(({ id }) => id.replace('audit/', '')) };
}

const showing = (items: AuditEvent[], more: Partial<RecordPage<AuditEvent>> = {}) =>
	new AskedLog(() => ({ items, ...more }));
const inPages = (...pages: AuditEvent[][]) => new AskedLog((_, cursor) => paged(pages, cursor));

/** The length in seconds of each range that was asked for, from the watermark of then on. */
const lengths = ({ asked }: AskedLog) =>
	asked.map(([start, end, cursor]) => {
		const length = end === undefined ? 'all' : (end - start) / SECOND - 1;
		return cursor === undefined ? length : `${length} from ${cursor}`;
	});

describe('a first poll', () => {
	test.each([
		['the overlap', true, rules.overlap],
		['a day when nothing tells the time, as the clock may be ahead', false, DAY],
	])('looks back %s, and yields nothing', async (_, isTimeKnown, back) => {
		const log = showing([event('old', NOW - MINUTE)]);
		log.isTimeKnown = isTimeKnown;
		const { events, state } = await poll(undefined, log);
		expect(events).toEqual([]);
		expect(log.asked).toEqual([
			[NOW, undefined, undefined, 1],
			[NOW - back - MINUTE, undefined, undefined, Infinity],
		]);
		expect(state).toMatchObject({ watermark: NOW - back, seen: [known('old', NOW - MINUTE)] });
	});

	test('whose list contradicts itself is finished all the same, so that late events from before it come', async () => {
		const log = showing([], { total: 1 });
		const { state } = await poll(undefined, log);
		expect(log.asked).toHaveLength(3);
		const later = showing([event('late', NOW - SECOND)]);
		later.time += 2 * MINUTE;
		expect((await poll(state, later)).events).toEqual(['late']);
	});

	test('leaves what has happened since it began to the next one', async () => {
		const items = [event('same second', NOW + SECOND / 2), event('later', NOW + SECOND)];
		const { state } = await poll(undefined, showing(items));
		const next = showing(items);
		next.time += 2 * MINUTE;
		expect((await poll(state, next)).events).toEqual(['later']);
	});
});

const atOnce = { ...rules, settle: 0 };

test.each([
	['comes once it has settled', NOW - MINUTE, rules, ['new']],
	['waits until it has', NOW - MINUTE + 1_000, rules, []],
	['comes at once when it is dated ahead', NOW + MINUTE, rules, ['new']],
	['of the present second comes at once without a delay', NOW + 500_000, atOnce, ['new']],
	['of the minute before the watermark comes', WATERMARK - MINUTE, rules, ['new']],
	['from before that does not, whatever the service shows', WATERMARK - MINUTE - 1_000, rules, []],
])('an event %s', async (_, time, by, expected) => {
	const { events } = await poll(before(), showing([event('new', time)]), unlimited, by);
	expect(events).toEqual(expected);
});

test('an event without a time comes once, and hides none of a log that is behind', async () => {
	const items = [event('old', WATERMARK + MINUTE), new AuditEvent({ event_id: 'timeless' })];
	const first = await poll(before(), showing(items));
	expect(first.events).toEqual(['old', 'timeless']);
	items.push(event('late', WATERMARK + 2 * MINUTE));
	expect((await poll(first.state, showing(items))).events).toEqual(['late']);
});

test('a list with fewer events than it says is read once more, and then taken as it is', async () => {
	const log = showing([], { total: 1 });
	const first = await poll(finalFor(2 * MINUTE), log);
	expect(first.state).toMatchObject({ watermark: WATERMARK, inconsistent: 1 });
	expect(first.notes).toEqual([expect.stringContaining('fewer records than it reported')]);
	const second = await poll(first.state, log);
	expect(second.state).toMatchObject({ watermark: WATERMARK + 2 * MINUTE, inconsistent: 1 });
	expect(second.notes).toEqual([]);
	expect((await poll(second.state, showing([]))).state.inconsistent).toBeUndefined();
});

test('with 5,000 new events a poll is full, and the next one goes on with the page after them', async () => {
	const time = WATERMARK + MINUTE;
	const log = inPages(eventsAt(time, 5_000), [event('last', time)]);
	const full = await poll(before(), log);
	expect(full.events).toHaveLength(5_000);
	expect(log.asked).toHaveLength(1);
	expect((await poll(full.state, log)).events).toEqual(['last']);
});

describe('a long backlog', () => {
	test('is read in ranges that fit a page, longer ones where little happened', async () => {
		const minutely = Array.from({ length: 55 }, (_, index) =>
			event(`event-${index}`, WATERMARK + (index + 0.5) * MINUTE),
		);
		const log = new AskedLog(({ start, end = Infinity }, cursor = '0') => {
			const times = (each: AuditEvent) => each.time as number;
			const items = minutely.filter((each) => times(each) >= start && times(each) <= end);
			const next = Number(cursor) + 10;
			const hasMore = next < items.length;
			return { items: items.slice(+cursor, next), next: hasMore ? `${next}` : undefined };
		});
		const { events, state } = await poll(finalFor(55 * MINUTE, { newest: NOW }), log);
		const [shorter, longer] = [
			[412, 1_648, 206],
			[824, '824 from 10', 824],
		];
		expect(lengths(log).slice(0, 8)).toEqual(['all', 3_300, ...shorter, ...longer]);
		expect(events).toHaveLength(55);
		expect(state).toMatchObject({ watermark: NOW - rules.overlap });
		expect(state.span).toBeUndefined();
	});

	const early = knownFrom(WATERMARK + MINUTE, MAX_REMEMBERED + 1);
	const inRanges = (span: number) => finalFor(20 * MINUTE, { span });

	test.each([
		['more than a quarter of an hour is final', finalFor(15 * MINUTE + SECOND), 0, 901],
		['not: less is', finalFor(15 * MINUTE), 0, 'all from 1'],
		['too many events are remembered', finalFor(10 * MINUTE, { seen: early }), 0, 600],
		['not: as many as may be', finalFor(10 * MINUTE, { seen: early.slice(1) }), 0, 'all from 1'],
		['a range is longer than that', inRanges(15 * MINUTE + SECOND), 0, 112],
		['not: a range is as long', inRanges(15 * MINUTE), 0, '900 from 1'],
		['a range has more than 2,000 events', inRanges(10 * MINUTE), 2_001, 75],
		['not: as many', inRanges(10 * MINUTE), 2_000, '600 from 1'],
		['so has one of two seconds', inRanges(2 * SECOND), 2_001, 1],
		['not: it is a second long', inRanges(SECOND), 2_001, '1 from 1'],
	])('is divided further when %s', async (_, state, count, second) => {
		const log = inPages(eventsAt(WATERMARK + SECOND / 2, count), []);
		await poll(state, log, log.timeFor(2));
		expect(lengths(log)[1]).toBe(second);
	});

	test('is read in ranges where an export is cut, and whole where nothing is final', async () => {
		const cut = () => new AskedLog((_, __, most) => ({ items: [], isCut: most !== Infinity }));
		const [some, none] = [cut(), cut()];
		await poll(finalFor(10 * MINUTE), some, some.timeFor(3));
		expect(some.asked.map(([, , , most]) => most)).toEqual([5_000, 2_000, 2_000]);
		expect(lengths(some)).toEqual(['all', 600, 75]);
		await poll(before(), none);
		expect(none.asked).toEqual([[WATERMARK - MINUTE, undefined, undefined, Infinity]]);
	});
});

test.each([
	[MAX_REMEMBERED, 0, 0],
	[MAX_REMEMBERED + 1, 50 * SECOND, 1],
])(
	'of %i events after what is final, the overlap keeps those that can be remembered',
	async (count, shortened, notes) => {
		const seen = knownFrom(WATERMARK + 2 * MINUTE, count, 10_000);
		const polled = await poll(finalFor(2 * MINUTE, { seen }), showing([]));
		expect(polled.state.watermark).toBe(WATERMARK + 2 * MINUTE + shortened);
		expect(polled.notes).toHaveLength(notes);
	},
);

test.each([
	['after a pause longer than the retention', 100, 1, 1],
	['but not without any events', 100, 0, 0],
	['nor after a pause as long as the retention', 90, 1, 0],
])("n8n's log says which events are gone %s", async (_, days, count, notes) => {
	const state = before({ watermark: NOW - days * DAY });
	const polled = await poll(state, showing(eventsAt(NOW - DAY, count)));
	expect(polled.notes).toHaveLength(notes);
});

import {
	AuditReading,
	MAX_EVENTS,
} from '../../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { SeenEvent } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { paged, unlimited } from '../askedSource';
import { START as NOW } from '../slowService';
import { AskedLog, event } from './askedLog';

const rules = { overlap: 5 * MINUTE, settle: MINUTE };
const MILLISECOND = SECOND / 1_000;
const range = { start: NOW - HOUR };
const LIST = NOW - HOUR - SECOND;

const one = event('one', NOW - 10 * MINUTE);
const two = event('two', NOW - 20 * MINUTE);

/** A log with this first page, and the other one for every cursor. */
function listing(first: AuditPage, rest: AuditPage = { items: [] }): AskedLog {
	return new AskedLog((_, cursor) => (cursor === undefined ? first : rest));
}

function readingOf(
	log: AskedLog,
	{ seen = [] as SeenEvent[], isTrusting = false, budget = unlimited } = {},
): AuditReading {
	return new AuditReading(seen, isTrusting, rules, log, budget);
}

const idsOf = ({ events }: AuditReading) => events.map(({ id }) => id);

describe('a range', () => {
	test.each([
		['to its end', NOW - MINUTE],
		['to the newest event where it has no end', undefined],
	])('is asked for from the whole second before it on, %s', async (_, end) => {
		const log = new AskedLog((__, cursor) => paged([[one], [two]], cursor));
		const reading = readingOf(log);
		const late = { start: range.start + 300 * MILLISECOND, end };
		await reading.readFirst(late, 7);
		await reading.read(late, {});
		const whole = end === undefined ? [LIST] : [LIST, end];
		expect(log.asked).toEqual([[LIST, end, undefined, 7], whole, [LIST, end, '1']]);
		expect(reading.responses).toBe(3);
	});

	test('that cannot be read counts as no response', async () => {
		const failure = new Error('The service failed');
		const reading = readingOf(new AskedLog(() => failure));
		await expect(reading.readFirst(range, 7)).rejects.toBe(failure);
		expect(reading).toMatchObject({ responses: 0, isOdd: undefined, events: [] });
	});
});

describe('a first page', () => {
	const all = { isCut: false, isOdd: false, next: undefined };
	const more = { isCut: false, isOdd: undefined, next: '1' };
	const cut = { isCut: true, isOdd: undefined, next: undefined };

	test.each<[string, AuditPage, AuditPage | undefined, object]>([
		['that names no other one is the whole list', { items: [one], total: 1 }, undefined, all],
		[
			'that has as many events as its total is the whole list when the page it names is empty',
			{ items: [one], next: '1', total: 1 },
			{ items: [] },
			all,
		],
		[
			'that has as many events as its total is not the whole list when the page it names has others',
			{ items: [one], next: '1', total: 1 },
			{ items: [two] },
			more,
		],
		[
			'that has as many events as its total is not the whole list when the page it names leads on',
			{ items: [one], next: '1', total: 1 },
			{ items: [], next: '2' },
			more,
		],
		[
			'that has fewer events than its total is not the whole list',
			{ items: [one], next: '1', total: 2 },
			undefined,
			more,
		],
		[
			'that names another one is not the whole list where no total is told',
			{ items: [one], next: '1' },
			undefined,
			more,
		],
		['that is cut says so', { items: [one], isCut: true }, undefined, cut],
		[
			'that is full and ends the list before its total is cut',
			{ items: [one], isFull: true, total: 2 },
			undefined,
			cut,
		],
	])('%s', async (_, first, rest, expected) => {
		const log = listing(first, rest);
		const reading = readingOf(log);
		const page = await reading.readFirst(range, 7);
		expect({ isCut: page.isCut, isOdd: reading.isOdd, next: page.next }).toEqual(expected);
		expect(page.items).toEqual([one]);
		// The page it names is looked at only where it tells whether there are more.
		const asked = [
			[LIST, undefined, undefined, 7],
			[LIST, undefined, '1'],
		];
		expect(log.asked).toEqual(rest ? asked : asked.slice(0, 1));
		expect(reading.responses).toBe(log.asked.length);
		// Events of the page after it come when that is read in its turn.
		expect(idsOf(reading)).toEqual(['audit/one']);
	});

	test('is not compared with its total where lists are taken as they are', async () => {
		const reading = readingOf(listing({ items: [one], isFull: true, total: 2 }), {
			isTrusting: true,
		});
		expect(await reading.readFirst(range, 7)).toMatchObject({ isCut: false });
		expect(reading.isOdd).toBe(false);
	});

	test('is kept when the page it names cannot be read', async () => {
		const first = { items: [one], next: '1', total: 1 };
		const log = new AskedLog((_, cursor) => (cursor ? new Error('timeout exceeded') : first));
		const reading = readingOf(log);
		expect(await reading.readFirst(range, 7)).toMatchObject({ items: [one], next: '1' });
		expect(idsOf(reading)).toEqual(['audit/one']);
	});

	test('is all that is asked for when the time is over', async () => {
		const log = listing({ items: [one], next: '1', total: 1 });
		const reading = readingOf(log, { budget: log.timeFor(1) });
		expect(reading.mustStop).toBe(false);
		expect(await reading.readFirst(range, 7)).toMatchObject({ next: '1' });
		expect(log.asked).toHaveLength(1);
		expect(reading.mustStop).toBe(true);
	});
});

describe('a list', () => {
	test.each([
		['that has all of its events, each once, is not odd', [one], [two], 2, false],
		['that has an event twice is odd', [two, one], [one], 2, true],
		['that has fewer events than its total is odd', [one], [two], 3, true],
	])('%s', async (_, first, rest, total, isOdd) => {
		const log = listing({ items: first, next: '1', total }, { items: rest, total });
		const reading = readingOf(log);
		expect(await reading.read(range, {})).toMatchObject({ kind: 'complete', pages: 2 });
		expect(reading.isOdd).toBe(isOdd);
	});

	test.each([
		['leaves open whether lists are odd', false],
		['does not change that another one was not odd', true],
	])('that is left before its end %s', async (_, isAnotherRead) => {
		const final = { start: NOW - 2 * HOUR, end: NOW - HOUR };
		const log = new AskedLog(({ end }) => (end ? { items: [two] } : { items: [one], next: '1' }));
		const reading = readingOf(log, { budget: log.timeFor(isAnotherRead ? 2 : 1) });
		if (isAnotherRead) await reading.readFirst(final, 7);
		expect(await reading.read(range, {})).toMatchObject({ kind: 'truncated' });
		expect(reading.isOdd).toBe(isAnotherRead ? false : undefined);
	});
});

test.each([
	['goes on with one event fewer than a poll may have', MAX_EVENTS - 1, 'complete', 2],
	['stops when the poll has as many events as it may have', MAX_EVENTS, 'truncated', 1],
])('a reading %s', async (_, count, kind, requests) => {
	const items = Array.from({ length: count }, (__, index) => event(`event-${index}`, NOW - HOUR));
	const log = listing({ items, next: '1' }, { items: [one] });
	const reading = readingOf(log);
	expect([reading.isFull, reading.mustStop]).toEqual([false, false]);
	expect(await reading.read(range, {})).toMatchObject({ kind });
	expect(log.asked).toHaveLength(requests);
	expect(reading.events).toHaveLength(MAX_EVENTS);
	expect([reading.isFull, reading.mustStop]).toEqual([true, true]);
});

describe('events', () => {
	test('of a range are given once, apart from those of before and those that are too young', async () => {
		const undated = { event_id: 'undated' };
		const items = [
			event('in-an-hour', NOW + HOUR),
			event('present', NOW + 2 * SECOND),
			event('too-young', NOW - MINUTE + MILLISECOND),
			event('old-enough', NOW - MINUTE),
			undated,
			event('second-before', LIST),
			two,
			event('before', LIST - MILLISECOND),
		];
		const reading = readingOf(listing({ items }));
		const given = ['in-an-hour', 'old-enough', 'undated', 'second-before', 'two'];
		// One from the future counts as shown when it could have settled: of later, it says nothing.
		const newest = NOW - MINUTE;
		const first = await reading.readFirst(range, 7);
		expect(first.reading).toEqual({ newest, oldestNew: LIST });
		expect(idsOf(reading)).toEqual(given.map((id) => `audit/${id}`));
		const again = await reading.readFirst(range, 7);
		expect(again.reading).toEqual({ newest });
		expect(reading.events).toHaveLength(given.length);
	});

	test.each<[string, SeenEvent[]]>([
		['none is known', []],
		['older ones are known', [['known', NOW - 2 * MINUTE]]],
	])('that are too young are left to a later poll where %s', async (_, seen) => {
		const log = listing({ items: [event('young', NOW - MINUTE + MILLISECOND)] });
		const reading = readingOf(log, { seen });
		expect((await reading.readFirst(range, 7)).reading).toEqual({});
		expect(reading.events).toEqual([]);
		log.time = NOW + SECOND;
		await reading.readFirst(range, 7);
		expect(idsOf(reading)).toEqual(['audit/young']);
	});

	test.each([
		['are given where the watermark could pass them', 6, ['audit/present']],
		['are left to a later poll where it could not', 4, []],
	])('of now, after the clock has been set back, %s', async (_, minutesBack, given) => {
		const log = listing({ items: [event('present', NOW)] });
		const seen: SeenEvent[] = [['known', NOW + minutesBack * MINUTE]];
		const reading = readingOf(log, { seen });
		await reading.readFirst(range, 7);
		expect(idsOf(reading)).toEqual(given);
	});
});

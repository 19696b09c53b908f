import { MAX_EVENTS } from '../../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { paged } from '../askedSource';
import {
	AskedLog,
	before,
	event,
	keyOf,
	known,
	NOW,
	poll,
	WATERMARK,
	type AskedRange,
} from './askedPoll';

/** Not so new that anything since the watermark could be final. */
const NEWEST = WATERMARK + 4 * MINUTE;
const OLDER = WATERMARK + 3 * MINUTE;
const FROM = WATERMARK - SECOND;
const ALL: AskedRange = [FROM, undefined, undefined, 5_000];
const page = (cursor: string): AskedRange => [FROM, undefined, cursor];

/** A log whose list of everything since the watermark has these pages; other ranges have the last one. */
const logOf = (...pages: Array<AuditPage['items']>) =>
	new AskedLog(({ start, end }, cursor) =>
		start === FROM && end === undefined ? paged(pages, cursor) : { items: pages[pages.length - 1] },
	);

describe('everything since the watermark, on several pages', () => {
	const both = [known('newest', NEWEST), known('older', OLDER)];
	const newest = event('newest', NEWEST);
	const older = event('older', OLDER);

	test('that show nothing new lets the next polls rest, and the watermark waits', async () => {
		const log = logOf([newest], [older]);
		const polled = await poll(before(both), log);
		expect(log.asked).toEqual([ALL, page('1')]);
		const state = before(both, { checkedAt: NOW });
		expect(polled).toStrictEqual({ state, events: [], notes: [] });
	});

	test('that show something new lets no poll rest, and the watermark waits', async () => {
		const log = logOf([newest], [older]);
		const polled = await poll(before(both.slice(0, 1)), log);
		expect(log.asked).toEqual([ALL, page('1')]);
		expect(polled).toStrictEqual({ state: before(both), events: ['older'], notes: [] });
	});

	test('that come short of the total lets no poll rest, and what is newer than the newest event is asked for', async () => {
		const log = new AskedLog((_, cursor) =>
			cursor === undefined
				? { items: [newest], next: '1', total: 3 }
				: { items: [older], total: 3 },
		);
		const polled = await poll(before(both), log, log.timeFor(3));
		expect(log.asked).toEqual([ALL, page('1'), [NEWEST - SECOND]]);
		const state = before(both, { mistrust: { times: 1, since: NOW } });
		expect(polled).toStrictEqual({ state, events: [], notes: [] });
	});

	test('goes on in the next poll when the time is over', async () => {
		const log = logOf([newest], [older]);
		const polled = await poll(before(both), log, log.timeFor(1));
		expect(log.asked).toEqual([ALL]);
		const resume = { cursor: '1', newest: NEWEST, count: 1, last: keyOf('newest') };
		const state = before(both, { resume, range: { start: WATERMARK } });
		expect(polled).toEqual({ state, events: [], notes: [] });
	});

	test('goes on in the next poll when there are as many events as a poll may give', async () => {
		const pages = Array.from({ length: 4 }, (_, index) =>
			Array.from({ length: MAX_EVENTS / 2 }, (__, place) => event(`${index}-${place}`, OLDER)),
		);
		const log = logOf(...pages);
		const { state, events } = await poll(before([]), log);
		expect(log.asked).toEqual([ALL, page('1')]);
		expect(events).toHaveLength(MAX_EVENTS);
		expect(state).toMatchObject({ resume: { cursor: '2' }, range: { start: WATERMARK } });
	});
});

describe('when pages show that what happened since the watermark is final', () => {
	const first = event('first', WATERMARK + MINUTE);
	const others = [event('last', WATERMARK + 2 * MINUTE)];
	const rangeUntil = (end: number): AskedRange => [FROM, end, undefined, 2_000];
	const restFrom = (start: number): AskedRange => [start - SECOND, undefined, undefined, 5_000];

	test('the first page makes the rest of the list wait for the final range', async () => {
		const log = logOf([event('new', WATERMARK + 10 * MINUTE)], [first]);
		const end = WATERMARK + 5 * MINUTE;
		const polled = await poll(before([]), log);
		expect(log.asked).toEqual([ALL, rangeUntil(end), restFrom(end)]);
		expect(polled.events).toEqual(['new', 'first']);
		expect(polled.state).toStrictEqual(
			before([known('new', WATERMARK + 10 * MINUTE)], { watermark: end }),
		);
	});

	test('the list is read on while no more than a quarter of an hour of it is final', async () => {
		const time = WATERMARK + 20 * MINUTE;
		const log = logOf([first], [event('new', time)], others);
		const polled = await poll(before([]), log);
		expect(log.asked).toEqual([ALL, page('1'), page('2')]);
		const seen = [known('first', WATERMARK + MINUTE), known('new', time)];
		expect(polled).toStrictEqual({
			state: before([...seen, known('last', WATERMARK + 2 * MINUTE)]),
			events: ['first', 'new', 'last'],
			notes: [],
		});
	});

	test('the list is left when more than that is final, and the final range is read', async () => {
		const time = WATERMARK + 20 * MINUTE + SECOND;
		const log = logOf([first], [event('new', time)], others);
		const end = time - 5 * MINUTE;
		const polled = await poll(before([]), log);
		expect(log.asked).toEqual([ALL, page('1'), rangeUntil(end), restFrom(end)]);
		expect(polled.events).toEqual(['first', 'new', 'last']);
		expect(polled.state).toStrictEqual(before([known('new', time)], { watermark: end }));
	});

	test('the list is kept for the next poll when there is no time for the final range', async () => {
		const log = logOf([first], [event('new', WATERMARK + 30 * MINUTE)], others);
		const polled = await poll(before([]), log, log.timeFor(2));
		expect(log.asked).toEqual([ALL, page('1')]);
		expect(polled.events).toEqual(['first', 'new']);
		expect(polled.state).toMatchObject({
			watermark: WATERMARK,
			resume: { cursor: '2' },
			range: { start: WATERMARK },
		});
	});
});

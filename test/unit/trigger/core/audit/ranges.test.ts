/** How much a poll asks for at once, when there is more than it should. */
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import {
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { eventTimeOf } from '../../../../../nodes/Wherobots/trigger/core/audit/events';
import { AskedLog, before, event, known, NOW, poll, rules, WATERMARK } from './askedPoll';

/** A state after which so much of the log is final. */
const finalFor = (length: number, more: Partial<AuditState> = {}) =>
	before([], { newest: WATERMARK + length + rules.overlap, ...more });

/** The length in seconds of each range that was asked for, from the watermark of then on. */
const lengths = ({ asked }: AskedLog) =>
	asked.map(([start, end, cursor]) => {
		const length = end === undefined ? 'all' : (end - start) / SECOND - 1;
		return cursor === undefined ? length : `${length} from ${cursor}`;
	});

/** A list of two pages, whatever range is asked for. */
const twoPages = (items: AuditPage['items'] = []) =>
	new AskedLog((_, cursor) => (cursor === undefined ? { items, next: 'p2' } : { items: [] }));

/** An export, which has more than it is asked for at once. */
const cutExport = () =>
	new AskedLog((_, __, maxRecords) => ({ items: [], isCut: maxRecords !== undefined }));

/** As many known events of one time. */
const knownAt = (time: number, count: number) =>
	Array.from({ length: count }, (_, index) => known(String(index), time));

const minutely = Array.from({ length: 55 }, (_, index) =>
	event(`event-${index}`, WATERMARK + (index + 0.5) * MINUTE),
);

/** The events of a range, so many a page. */
const log = (size: number) =>
	new AskedLog(({ start, end = Infinity }, cursor = '0') => {
		const items = minutely.filter((item) => {
			const time = eventTimeOf(item) ?? 0;
			return time >= start && time <= end;
		});
		const next = Number(cursor) + size;
		return {
			items: items.slice(Number(cursor), next),
			next: next < items.length ? String(next) : undefined,
		};
	});

test('a long backlog is read in ranges that fit a page, longer ones where little happened', async () => {
	const asked = log(10);
	const { events, state } = await poll(finalFor(55 * MINUTE, { newest: NOW }), asked);
	expect(lengths(asked)).toEqual([
		'all',
		3_300,
		412,
		1_648,
		206,
		824,
		'824 from 10',
		824,
		'824 from 10',
		824,
		'824 from 10',
		210,
		'all',
	]);
	expect(events).toHaveLength(55);
	expect(state).toMatchObject({ watermark: NOW - rules.overlap });
	expect(state.span).toBeUndefined();
});

describe('a list of several pages without an end is left for ranges', () => {
	const early = knownAt(WATERMARK + MINUTE, MAX_REMEMBERED + 1);

	test.each([
		['when more than a quarter of an hour is final', finalFor(15 * MINUTE + SECOND), 901],
		['but not when less is', finalFor(15 * MINUTE), undefined],
		['when too many events are remembered', finalFor(10 * MINUTE, { seen: early }), 600],
		[
			'but not when as many are remembered as may be',
			finalFor(10 * MINUTE, { seen: early.slice(1) }),
			undefined,
		],
		[
			'but not when nothing is final: it would not become shorter',
			before(knownAt(WATERMARK - SECOND / 2, MAX_REMEMBERED + 1)),
			undefined,
		],
	])('%s', async (_, state, length) => {
		const asked = twoPages();
		await poll(state, asked);
		expect(lengths(asked).slice(0, 2)).toEqual(['all', length ?? 'all from p2']);
	});
});

describe('a range of several pages is left for shorter ones', () => {
	const many = Array.from({ length: 2_001 }, (_, index) =>
		event(`event-${index}`, WATERMARK + SECOND / 2),
	);

	test.each([
		['when it is longer than a quarter of an hour', 15 * MINUTE + SECOND, 0, 112],
		['but not when it is shorter', 15 * MINUTE, 0, undefined],
		['when it has more than 2,000 events', 10 * MINUTE, 2_001, 75],
		['but not when it has as many', 10 * MINUTE, 2_000, undefined],
		['to a second at the least', 2 * SECOND, 2_001, 1],
		['but not when it is a second long', SECOND, 2_001, undefined],
	])('%s', async (_, span, count, shorter) => {
		const asked = twoPages(many.slice(0, count));
		await poll(finalFor(20 * MINUTE, { span }), asked, asked.timeFor(2));
		const length = span / SECOND;
		expect(lengths(asked)).toEqual([length, shorter ?? `${length} from p2`]);
		expect(asked.asked[0][3]).toBe(length === 1 ? Infinity : 2_000);
	});
});

describe('an export that is cut is asked for', () => {
	test('in ranges where something is final', async () => {
		const asked = cutExport();
		await poll(finalFor(10 * MINUTE), asked, asked.timeFor(3));
		expect(lengths(asked)).toEqual(['all', 600, 75]);
		expect(asked.asked.map(([, , , maxRecords]) => maxRecords)).toEqual([5_000, 2_000, 2_000]);
	});

	test('whole where nothing is', async () => {
		const asked = cutExport();
		await poll(before([]), asked);
		expect(asked.asked).toEqual([
			[WATERMARK - SECOND, undefined, undefined, 5_000],
			[WATERMARK - SECOND],
		]);
	});
});

describe('a list with fewer events than its total says', () => {
	const odd = () => new AskedLog(() => ({ items: [], total: 1 }));

	test('is asked for in a shorter range in the next poll', async () => {
		const asked = odd();
		const { state } = await poll(finalFor(20 * MINUTE, { span: 8 * MINUTE }), asked);
		expect(asked.asked).toHaveLength(1);
		expect(state).toMatchObject({ watermark: WATERMARK, span: MINUTE });
	});

	test('is asked for as it is when it has no end', async () => {
		const { state } = await poll(finalFor(20 * MINUTE), odd());
		expect(state).toMatchObject({ watermark: WATERMARK });
		expect(state.span).toBeUndefined();
	});
});

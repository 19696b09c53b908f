import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	HOUR,
	MINUTE,
	NEVER_SHOWN,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { paged } from '../askedSource';
import { AskedLog, event } from './askedLog';
import { begun, finished, firstPoll, keyOf, MOST, NOW, seen } from './firstPolls';

const HOUR_LIST = NOW - HOUR - SECOND;

const newest = event('newest', NOW - MINUTE);
const young = event('young', NOW - 5 * MINUTE);
const half = event('half', NOW - 30 * MINUTE + 500_000);
const old = event('old', NOW - 55 * MINUTE);

test('a list that begins with the newest events is begun once more without most of the old ones, and then read', async () => {
	const log = new AskedLog(({ start }, cursor) =>
		// Meanwhile another event appears.
		paged(start === HOUR_LIST ? [[half], [old]] : [[newest], [young], [half]], cursor),
	);
	const state = await firstPoll(log);
	const start = NOW - 40 * MINUTE - SECOND;
	expect(log.asked).toEqual([
		[HOUR_LIST, undefined, undefined, MOST],
		[start, undefined, undefined, MOST],
		[start, undefined, '1'],
		[start, undefined, '2'],
	]);
	expect(state).toEqual(finished(NOW - 11 * MINUTE, newest, young));
});

test('a list that begins with the oldest events is read to its end at once', async () => {
	const log = new AskedLog((_, cursor) => paged([[old], [young]], cursor));
	const state = await firstPoll(log);
	expect(log.asked).toEqual([
		[HOUR_LIST, undefined, undefined, MOST],
		[HOUR_LIST, undefined, '1'],
	]);
	expect(state).toEqual(finished(NOW - 15 * MINUTE, young));
});

test('a first poll goes on at the page where its time was over, and leaves what is new to the poll after it', async () => {
	const news = event('news', NOW + 30 * SECOND);
	const log = new AskedLog((_, cursor) => paged([[old], [young, news]], cursor));
	const state = await firstPoll(log, undefined, log.timeFor(1));
	expect(state).toEqual(
		begun({
			seen: seen(old),
			resume: { cursor: '1', newest: NOW - 55 * MINUTE, count: 1, last: keyOf(old) },
			range: { start: NOW - HOUR },
		}),
	);
	log.time = NOW + MINUTE;
	expect(await firstPoll(log, state)).toEqual(finished(NOW - 15 * MINUTE, young));
	expect(log.asked).toEqual([
		[HOUR_LIST, undefined, undefined, MOST],
		[HOUR_LIST, undefined, '1'],
	]);
});

describe('a first poll whose list the service no longer continues', () => {
	const refusing = () =>
		new AskedLog((_, cursor) => (cursor ? new Error('Unknown cursor') : { items: [young] }));
	const stopped = { resume: { cursor: '7' }, range: { start: NOW - HOUR } };
	const refused = [HOUR_LIST, undefined, '7'];

	test.each([
		['at the newest event', seen(old, half), NOW - 30 * MINUTE],
		['at its start, where none has been read', [], NOW - HOUR],
	])('begins another one %s', async (_, known, start) => {
		const log = refusing();
		const state = await firstPoll(log, begun({ ...stopped, seen: known }));
		expect(log.asked).toEqual([refused, [start - SECOND, NOW, undefined, MOST]]);
		expect(state).toEqual(finished(NOW - 15 * MINUTE, young));
	});

	test('leaves that to the next poll when its time is over', async () => {
		const log = refusing();
		log.isTimeKnown = false;
		const previous = begun({ ...stopped, seen: seen(old, half) });
		const state = await firstPoll(log, previous, log.timeFor(1));
		expect(log.asked).toEqual([refused]);
		expect(state).toEqual(begun({ watermark: NOW - 30 * MINUTE, seen: seen(half) }));
	});

	test('is finished when it has come to the second in which it began', async () => {
		const log = refusing();
		const known = seen(event('last', NOW));
		const state = await firstPoll(log, begun({ ...stopped, watermark: NOW, seen: known }));
		expect(log.asked).toEqual([refused]);
		expect(state).toEqual({ ...finished(NOW), seen: known });
	});
});

describe('a response that does not hold all events', () => {
	const FROM = NOW - 10 * MINUTE;
	const many = [event('many-1', FROM), event('many-2', FROM)];

	test.each<[string, Partial<AuditPage>]>([
		['says so', { isCut: true }],
		['is full, and knows of more', { isFull: true, total: 2 }],
	])(
		'and %s is followed by the events since its newest one, where no cursor leads on',
		async (_, more) => {
			const log = new AskedLog(({ start }) =>
				start === HOUR_LIST ? { items: [half], ...more } : { items: [half, young] },
			);
			const state = await firstPoll(log);
			expect(log.asked).toEqual([
				[HOUR_LIST, undefined, undefined, MOST],
				[NOW - 30 * MINUTE - SECOND, undefined, undefined, MOST],
			]);
			expect(state).toEqual(finished(NOW - 15 * MINUTE, young));
		},
	);

	test('of one second is followed by the events of the next second', async () => {
		const log = new AskedLog(({ start }) =>
			start < FROM ? { items: many, isCut: true } : { items: [young] },
		);
		const state = await firstPoll(log, begun({ watermark: FROM }));
		expect(log.asked).toEqual([
			[FROM - SECOND, NOW, undefined, MOST],
			[FROM + SECOND, NOW, undefined, MOST],
		]);
		expect(state).toEqual(finished(FROM + 2 * SECOND, young));
	});

	test.each([
		['no response tells the time', { isTimeKnown: false }, FROM, NOW],
		["the service's clock is days off n8n's", { localTime: NOW - 72 * HOUR }, FROM, NOW],
		['it is the one in which the first poll began', {}, NOW, undefined],
	])('of one second is followed by the whole list when %s', async (_, clocks, second, end) => {
		const items = [event('many-1', second), event('many-2', second)];
		const log = Object.assign(new AskedLog(() => ({ items, isCut: true })), clocks);
		const previous = begun({ watermark: second, began: NOW + 300_000, seen: seen(...items) });
		const state = await firstPoll(log, previous);
		const start = second - SECOND;
		expect(log.asked).toEqual([
			[start, end, undefined, MOST],
			end === undefined ? [start] : [start, end],
		]);
		expect(state).toEqual(finished(second, ...items));
	});

	test('and whose events have no times is followed by the whole list', async () => {
		const undated = { event_id: 'undated' };
		const log = new AskedLog(() => ({ items: [undated], isCut: true }));
		const state = await firstPoll(log);
		expect(log.asked).toEqual([[HOUR_LIST, undefined, undefined, MOST], [HOUR_LIST]]);
		expect(state).toEqual({ ...finished(NOW - HOUR), seen: [[keyOf(undated), NOW, NEVER_SHOWN]] });
	});
});

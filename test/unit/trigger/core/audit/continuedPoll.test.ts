import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState, SeenEvent } from '../../../../../nodes/Wherobots/trigger/core/state';
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

const FROM = WATERMARK - SECOND;
const END = WATERMARK + 40 * MINUTE;
const rangeOf = (start: number, end: number): AskedRange => [start - SECOND, end, undefined, 2_000];
const restFrom = (start: number): AskedRange => [start - SECOND, undefined, undefined, 5_000];

const resume = { cursor: '1', count: 1 };
const newest = event('newest', END + 5 * MINUTE);
const seen = [known('newest', END + 5 * MINUTE)];

const NOTE = 'The service no longer continues the list of events; reading it again from the start.';

/** A log that gives this of a continued list, one event of other ranges with an end, and the newest one. */
const logWith = (continued: AuditPage | Error) =>
	new AskedLog(({ start, end }, cursor) => {
		if (cursor !== undefined) return continued;
		return { items: [end === undefined ? newest : event(`late-${start}`, start + SECOND)] };
	});

describe('a range that an earlier poll has begun', () => {
	const begun = (more: Partial<AuditState['resume']> = {}) =>
		before(seen, { resume: { ...resume, ...more }, range: { start: WATERMARK, end: END } });
	const late = event('late', WATERMARK + MINUTE);
	const continued: AskedRange = [FROM, END, '1'];

	test('is read from where it was left, then everything after it', async () => {
		const log = logWith({ items: [late] });
		const polled = await poll(begun(), log);
		expect(log.asked).toEqual([continued, restFrom(END)]);
		const state = before(seen, { watermark: END });
		expect(polled).toStrictEqual({ state, events: ['late'], notes: [] });
	});

	test('is dealt with when the poll has no time for what comes after it', async () => {
		const log = logWith({ items: [late] });
		const { state } = await poll(begun(), log, log.timeFor(1));
		expect(log.asked).toEqual([continued]);
		expect(state).toStrictEqual(before(seen, { watermark: END }));
	});

	test('goes on in a further poll when this one has no time for all of it', async () => {
		const log = logWith({ items: [late], next: '2' });
		const polled = await poll(begun(), log, log.timeFor(1));
		expect(log.asked).toEqual([continued]);
		const time = WATERMARK + MINUTE;
		const state = before([...seen, known('late', time)], {
			resume: { cursor: '2', oldestNew: time, count: 2, last: keyOf('late') },
			range: { start: WATERMARK, end: END },
		});
		expect(polled).toEqual({ state, events: ['late'], notes: [] });
	});

	test.each([
		['comes short of its total', { total: 3 }],
		['has shown an event twice', { shifted: true }],
	])('is read once more in ranges of an eighth when it %s', async (_, more) => {
		const log = logWith({ items: [late] });
		const { state } = await poll(begun(more), log, log.timeFor(1));
		expect(state).toStrictEqual(
			before([...seen, known('late', WATERMARK + MINUTE)], {
				span: 5 * MINUTE,
				mistrust: { times: 1, since: NOW },
			}),
		);
	});

	test('and that cannot be continued is read anew in ranges of an eighth, the newest events first', async () => {
		const log = logWith(new Error('The cursor was refused'));
		const polled = await poll(begun(), log, log.timeFor(2));
		expect(log.asked).toEqual([continued, [END + 5 * MINUTE - SECOND]]);
		const state = before(seen, { span: 5 * MINUTE });
		expect(polled).toStrictEqual({ state, events: [], notes: [NOTE] });
	});
});

describe('a list of everything that an earlier poll has begun', () => {
	const begun = (known: SeenEvent[]) => before(known, { resume, range: { start: WATERMARK } });
	const continued: AskedRange = [FROM, undefined, '1'];
	const refused = new Error('The cursor was refused');

	test('is read from where it was left, then what is final, then everything after it', async () => {
		const log = logWith({ items: [event('late', WATERMARK + MINUTE)] });
		const polled = await poll(begun(seen), log);
		expect(log.asked).toEqual([continued, rangeOf(WATERMARK, END), restFrom(END)]);
		const state = before(seen, { watermark: END });
		expect(polled).toStrictEqual({ state, events: ['late', `late-${FROM}`], notes: [] });
	});

	test.each<[string, SeenEvent[], AskedRange[]]>([
		[
			'the newest events first',
			seen,
			[[END + 5 * MINUTE - SECOND], rangeOf(WATERMARK, END), restFrom(END)],
		],
		['from the watermark on where no event is known', [], [restFrom(WATERMARK)]],
	])('and that cannot be continued is read anew, %s', async (_, events, asked) => {
		const log = logWith(refused);
		const { state, notes } = await poll(begun(events), log);
		expect(log.asked).toEqual([continued, ...asked]);
		expect(notes).toEqual([NOTE]);
		expect(state).toStrictEqual(before(seen, { watermark: END }));
	});

	test('and that cannot be continued is left to the next poll when this one has no time left', async () => {
		const log = logWith(refused);
		const polled = await poll(begun(seen), log, log.timeFor(1));
		expect(log.asked).toEqual([continued]);
		expect(polled).toStrictEqual({ state: before(seen), events: [], notes: [NOTE] });
	});
});

import {
	auditBaseline,
	begunAuditState,
} from '../../../../../nodes/Wherobots/trigger/core/audit/auditBaseline';
import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import {
	DAY,
	HOUR,
	MINUTE,
	NEVER_SHOWN,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, event } from './askedLog';
import {
	begun,
	finished,
	firstPoll,
	keyOf,
	MOST,
	NOW,
	OVERLAP,
	seen,
	unlimited,
} from './firstPolls';

const HOUR_LIST = NOW - HOUR - SECOND;
const DAY_LIST = NOW - DAY - SECOND;
const RULES = { overlap: OVERLAP, settle: MINUTE };

const inHour = event('in-hour', NOW - 30 * MINUTE);

/** The ids of the events that the poll after a first poll gives. */
async function givenAfter(log: AskedLog, state: ReturnType<typeof begun>): Promise<unknown[]> {
	log.time = NOW + HOUR;
	const { events } = await pollAudit(state, 'scope', RULES, log, unlimited);
	return events.map(({ event: { event_id: id } }) => id);
}

test('a first poll reads the events of the last hour once, and none of them fires', async () => {
	const log = new AskedLog(() => ({ items: [event('older', NOW - 45 * MINUTE), inHour] }));
	const polled = await pollAudit(undefined, 'scope', RULES, log, unlimited);
	expect(log.asked).toEqual([[HOUR_LIST, undefined, undefined, MOST]]);
	expect(polled).toEqual({
		state: finished(NOW - 40 * MINUTE, inHour),
		events: [],
		notes: [],
	});
	expect(await givenAfter(log, polled.state)).toEqual([]);
});

test('without an event in the last hour, it looks a day back', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	const state = await firstPoll(log);
	expect(log.asked).toEqual([
		[HOUR_LIST, undefined, undefined, MOST],
		[DAY_LIST, undefined, undefined, MOST],
	]);
	expect(state).toEqual(finished(NOW - DAY));
});

test('where events may appear a day late, it looks a day back at once, and only once', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	const state = await auditBaseline(undefined, 'scope', DAY, log, unlimited);
	expect(log.asked).toEqual([[DAY_LIST, undefined, undefined, MOST]]);
	expect(state).toEqual(finished(NOW - DAY));
});

test('a first poll that takes several polls looks back from its beginning, and not at what is newer', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	log.time = NOW + 10 * MINUTE;
	const state = await firstPoll(log, begun());
	expect(log.asked).toEqual([
		[HOUR_LIST, NOW, undefined, MOST],
		[DAY_LIST, NOW, undefined, MOST],
	]);
	expect(state).toEqual(finished(NOW - DAY));
});

test('it does not look a day back when an earlier poll has read events of the last hour', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	const state = await firstPoll(log, begun({ seen: seen(inHour) }));
	expect(log.asked).toEqual([[HOUR_LIST, NOW, undefined, MOST]]);
	expect(state).toEqual(finished(NOW - 40 * MINUTE, inHour));
});

test.each([
	['in the second in which a first poll began', 0],
	['after that', 2 * SECOND],
])('a list that starts %s has no end, which would not lie after its start', async (_, later) => {
	const log = new AskedLog(() => ({ items: [] }));
	log.time = NOW + MINUTE;
	const state = await firstPoll(log, begun({ watermark: NOW + later, seen: seen(inHour) }));
	expect(log.asked).toEqual([[NOW + later - SECOND, undefined, undefined, MOST]]);
	expect(state).toEqual({ ...finished(NOW + later), seen: seen(inHour) });
});

test('an event of the second in which a first poll began is left to the poll after it', async () => {
	const before = event('before', NOW - 1_000);
	const log = new AskedLog(() => ({ items: [before, event('news', NOW)] }));
	log.time = NOW + 400_000;
	const state = await firstPoll(log, begun({ began: NOW + 300_000 }));
	expect(state).toEqual(finished(NOW - OVERLAP - SECOND, before));
	expect(await givenAfter(log, state)).toEqual(['news']);
});

test('an event without a time that was there at a first poll does not fire', async () => {
	const undated = { event_id: 'undated' };
	const log = new AskedLog(() => ({ items: [inHour, undated] }));
	log.time = NOW + MINUTE;
	const state = await firstPoll(log, begun());
	expect(state).toEqual({
		...finished(NOW - 40 * MINUTE),
		seen: [...seen(inHour), [keyOf(undated), NOW + MINUTE, NEVER_SHOWN]],
	});
	expect(await givenAfter(log, state)).toEqual([]);
});

test.each([
	['an hour before now', OVERLAP, undefined, NOW - HOUR],
	['as long before as events may be late', DAY, undefined, NOW - DAY],
	['before the service was first asked', OVERLAP, NOW - MINUTE, NOW - MINUTE - HOUR],
])('a first poll that has read nothing yet begins %s', (_, overlap, began, watermark) => {
	const log = new AskedLog(() => ({ items: [] }));
	expect(begunAuditState('scope', overlap, log, began)).toEqual(begun({ watermark, began }));
	expect(log.asked).toEqual([]);
});

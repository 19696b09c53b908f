import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { AskedLog, before, event, known, NOW, poll, type AskedRange } from './askedPoll';

const NEWEST = NOW - 30 * MINUTE;
const START = NEWEST - 5 * MINUTE;
const ALL: AskedRange = [START - SECOND, undefined, undefined, 5_000];
/** One second is left out, and one is asked for in addition. */
const NEWER: AskedRange = [NEWEST + SECOND, undefined, undefined, 5_000];

const shown = event('known', NEWEST);

/** Ten minutes after everything since the watermark was read, twenty minutes after the newest event. */
function atRest(more: Partial<AuditState> = {}): AuditState {
	const checkedAt = NOW - 10 * MINUTE;
	return before([known('known', NEWEST)], { watermark: START, checkedAt, ...more });
}

/** A log that gives this page of what is newer than the newest event, and one of everything. */
const logWith = (newer: AuditPage, all = [shown]) =>
	new AskedLog(({ start }) => (start === NEWER[0] ? newer : { items: all }));

test('a poll at rest asks only for what is newer than the newest event, and stays at rest', async () => {
	const log = logWith({ items: [] });
	const polled = await poll(atRest(), log);
	expect(log.asked).toEqual([NEWER]);
	expect(polled).toStrictEqual({ state: atRest(), events: [], notes: [] });
});

test('a new event ends the rest, and everything since the watermark is read again', async () => {
	const item = event('new', NOW - 2 * MINUTE);
	const log = logWith({ items: [item] }, [item, shown]);
	const polled = await poll(atRest(), log);
	expect(log.asked).toEqual([NEWER, ALL]);
	const state = before([known('new', NOW - 2 * MINUTE)], { watermark: NOW - 7 * MINUTE });
	expect(polled).toStrictEqual({ state, events: ['new'], notes: [] });
});

test.each<[string, AuditPage]>([
	['names a further one', { items: [], next: '1' }],
	['is cut', { items: [], isCut: true }],
])('at rest, a page that %s has everything read again', async (_, newer) => {
	const log = logWith(newer);
	const { state } = await poll(atRest(), log);
	expect(log.asked).toEqual([NEWER, ALL]);
	expect(state).toStrictEqual(before([known('known', NEWEST)], { watermark: START }));
});

test.each<[string, Partial<AuditState>]>([
	[
		'when the rest has lasted as long as the standstill before it',
		{ checkedAt: NOW - 20 * MINUTE },
	],
	['where no event is known', { checkedAt: NOW - 2 * HOUR, seen: [] }],
])('everything is read again, and only that, %s', async (_, more) => {
	const log = logWith({ items: [] });
	await poll(atRest(more), log);
	expect(log.asked).toEqual([ALL]);
});

test("everything is read again when a response tells that only n8n's clock called for rest", async () => {
	const log: AskedLog = new AskedLog(() => {
		log.time = NOW;
		return { items: [] };
	});
	log.time = NOW - 18 * MINUTE;
	await poll(atRest({ checkedAt: NOW - 20 * MINUTE }), log);
	expect(log.asked).toEqual([NEWER, ALL]);
});

import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import { newAuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, poll, rules, unlimited } from './askedPoll';

const failure = new Error('The service failed');
const start = NOW - rules.overlap;
const QUESTION = [NOW, undefined, undefined, 1];
const LIST = [start - SECOND, undefined, undefined, 5_000];

const first = async (log: AskedLog, budget = unlimited) =>
	await pollAudit(undefined, 'scope', rules, log, budget);

test('it asks for the time, then remembers the events of the overlap and gives none', async () => {
	const log = new AskedLog(() => ({ items: [event('old', NOW - MINUTE)] }));
	log.time = NOW + SECOND / 2;
	const polled = await first(log);
	expect(log.asked).toEqual([QUESTION, LIST]);
	expect(polled).toEqual({
		state: {
			...newAuditState('scope', start, 'query'),
			newest: NOW - MINUTE,
			seen: [known('old', NOW - MINUTE)],
		},
		events: [],
		notes: [],
	});
});

test('where no response tells the time, it looks a day back: the clock may be ahead', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	log.isTimeKnown = false;
	const { state } = await first(log);
	expect(state).toEqual(newAuditState('scope', NOW - DAY, 'query'));
});

test.each([
	['is old up to the end of the second in which it began', SECOND - 1_000, false],
	['is news from the next second on', SECOND, true],
	['is old when it is dated ahead', HOUR, false],
])('what it meets %s', async (_, after, isNews) => {
	const items = [event('met', NOW + after)];
	const log = new AskedLog(() => ({ items }));
	const { events, state } = await first(log);
	expect(events).toEqual([]);
	log.time += 2 * MINUTE;
	expect((await poll(state, log)).events).toEqual(isNews ? ['met'] : []);
});

test.each<[string, (asked: number) => AuditPage | Error]>([
	['with the answer to its question', () => ({ items: [] })],
	['with a request that fails', (asked) => (asked === 1 ? { items: [] } : failure)],
])('one whose time is over %s has begun, and goes on with the next', async (_, page) => {
	const log: AskedLog = new AskedLog(() => page(log.asked.length));
	const isOver = page(2) === failure;
	const { state } = await first(log, log.timeFor(isOver ? 2 : 1));
	expect(log.asked).toEqual(isOver ? [QUESTION, LIST] : [QUESTION]);
	expect(state).toEqual({ ...newAuditState('scope', start, 'query'), began: NOW });
});

describe('one that goes on', () => {
	const began = NOW - 30 * SECOND;
	const begun = before([], { watermark: start, began });
	const at = (time: number, total?: number) =>
		new AskedLog(() => ({ items: [event('met', time)], total }));

	test('takes what was there before it began, although it has not settled, and gives none of it', async () => {
		const { events, state } = await poll(begun, at(began - SECOND));
		expect(events).toEqual([]);
		expect(state.seen).toHaveLength(1);
	});

	test('gives what happened when it began', async () => {
		const { events } = await poll(begun, at(began), unlimited, { ...rules, settle: 0 });
		expect(events).toEqual(['met']);
	});

	test('leaves that to a later poll until it has settled', async () => {
		const { events, state } = await poll(begun, at(began));
		expect(events).toEqual([]);
		expect(state.seen).toEqual([]);
	});

	test.each([
		['has ended with a list that was read whole', 1, undefined],
		['has not with one that lacks an event', 2, began],
	])('%s', async (_, total, expected) => {
		const { state } = await poll(begun, at(began - SECOND, total));
		expect(state.began).toBe(expected);
	});
});

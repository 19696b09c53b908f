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

test('a first poll asks for the time, then remembers the events of the overlap and yields none', async () => {
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

test('when no response tells the time, a first poll looks back a day, as the clock may be ahead', async () => {
	const log = new AskedLog(() => ({ items: [] }));
	log.isTimeKnown = false;
	const { state } = await first(log);
	expect(state).toEqual(newAuditState('scope', NOW - DAY, 'query'));
});

test.each([
	['is old up to the end of the second in which it began', SECOND - 1_000, false],
	['is news from the next second on', SECOND, true],
	['is old when it is dated ahead', HOUR, false],
])('an event that a first poll meets %s', async (_, after, isNews) => {
	const items = [event('met', NOW + after)];
	const log = new AskedLog(() => ({ items }));
	const { events, state } = await first(log);
	expect(events).toEqual([]);
	log.time += 2 * MINUTE;
	expect((await poll(state, log)).events).toEqual(isNews ? ['met'] : []);
});

test.each<[string, (asked: number) => AuditPage | Error]>([
	['after its first response', () => ({ items: [] })],
	['when a request fails', (asked) => (asked === 1 ? { items: [] } : failure)],
])('a first poll whose time is up %s is continued by the next', async (_, page) => {
	const log: AskedLog = new AskedLog(() => page(log.asked.length));
	const isOver = page(2) === failure;
	const { state } = await first(log, log.timeFor(isOver ? 2 : 1));
	expect(log.asked).toEqual(isOver ? [QUESTION, LIST] : [QUESTION]);
	expect(state).toEqual({ ...newAuditState('scope', start, 'query'), began: NOW });
});

describe('a first poll that takes several polls', () => {
	const began = NOW - 30 * SECOND;
	const begun = before([], { watermark: start, began });
	const at = (time: number, total?: number) =>
		new AskedLog(() => ({ items: [event('met', time)], total }));

	test('remembers an event from before it began, although it has not settled, and does not yield it', async () => {
		const { events, state } = await poll(begun, at(began - SECOND));
		expect(events).toEqual([]);
		expect(state.seen).toHaveLength(1);
	});

	test('yields an event of the time when it began', async () => {
		const { events } = await poll(begun, at(began), unlimited, { ...rules, settle: 0 });
		expect(events).toEqual(['met']);
	});

	test('leaves such an event to a later poll until it has settled', async () => {
		const { events, state } = await poll(begun, at(began));
		expect(events).toEqual([]);
		expect(state.seen).toEqual([]);
	});

	test.each([
		['ends with a list that has as many events as its total', 1, undefined],
		['does not end with a list that has fewer', 2, began],
	])('%s', async (_, total, expected) => {
		const { state } = await poll(begun, at(began - SECOND, total));
		expect(state.began).toBe(expected);
	});
});

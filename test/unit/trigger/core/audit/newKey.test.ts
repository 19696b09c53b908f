import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditPage } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { SeenEvent } from '../../../../../nodes/Wherobots/trigger/core/state';
import { SECOND, wholeSecond } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, rules, unlimited } from './askedPoll';

const doubt = { credential: 'new', asked: 0 };
const newest = NOW - 9.5 * SECOND;

/** A poll with a new key, of a log whose pages are all alike, with time for so many requests. */
async function pollWithNewKey(seen: SeenEvent[], page: AuditPage, requests = Infinity) {
	const log = new AskedLog((_, cursor = '0') => {
		return page.next ? { ...page, next: String(Number(cursor) + 1) } : page;
	});
	const budget = requests === Infinity ? unlimited : log.timeFor(requests);
	const polled = await pollAudit(before(seen), 'scope', rules, log, budget, doubt);
	return { ...polled, asked: log.asked, isKnown: polled.state.doubt === undefined };
}

const another = event('of another', newest);
const one = [known('one', newest)];

test('a new key is recognized by any event of the most recent second', async () => {
	const seen = [known('old', NOW - 60 * SECOND), ...one];
	const items = [another, event('one', newest)];
	const { asked, isKnown, events, notes, state } = await pollWithNewKey(seen, { items });
	const second = wholeSecond(newest);
	expect(asked).toEqual([[second - SECOND, second + SECOND]]);
	expect(isKnown).toBe(true);
	expect(state.seen).toEqual(seen);
	expect([events, notes]).toEqual([[], []]);
});

test('it is not recognized by the events of others, of which a poll reads those of three seconds', async () => {
	const seen = [4, 3, 2, 1].map((index) => known(`event-${index}`, NOW - index * SECOND));
	const { asked, isKnown } = await pollWithNewKey(seen, { items: [another] });
	expect(asked.map(([start]) => NOW - start)).toEqual([2 * SECOND, 3 * SECOND, 4 * SECOND]);
	expect(isKnown).toBe(false);
});

test.each([
	['more events than a poll can read: hardly another organization would have', [another], true],
	['only empty pages', [], false],
])('of a second with %s it is recognized: %j', async (_, items, expected) => {
	const seen = [known('old', NOW - 60 * SECOND), ...one];
	const { asked, isKnown } = await pollWithNewKey(seen, { items, next: '1' }, 2);
	expect(asked).toHaveLength(2);
	expect(isKnown).toBe(expected);
});

test('a trigger that remembers no event begins anew', async () => {
	const { asked, state } = await pollWithNewKey([], { items: [] });
	expect(asked[0]).toEqual([NOW, undefined, undefined, 1]);
	expect(state.doubt).toBeUndefined();
});

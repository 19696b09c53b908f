import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, poll, unlimited } from './askedPoll';

const rules = { overlap: MINUTE, settle: 5 * MINUTE };

/** Set by a first poll, by the clock: events shortly before it have not settled yet. */
const watermark = NOW - 3 * MINUTE;
const late = event('late', watermark - SECOND / 2);

test('an event in the second before the watermark waits until it has settled', async () => {
	const log = new AskedLog(() => ({ items: [late] }));
	const first = await poll(before([], { watermark }), log, unlimited, rules);
	expect(first.events).toEqual([]);
	log.time += 2 * MINUTE + SECOND;
	expect((await poll(first.state, log, unlimited, rules)).events).toEqual(['late']);
});

test('an event that the watermark is about to pass comes at once', async () => {
	const newest = watermark + rules.overlap + SECOND;
	const state = before([known('newest', newest)], { watermark, newest });
	const log = new AskedLog(() => ({ items: [late] }));
	expect((await poll(state, log, unlimited, rules)).events).toEqual(['late']);
});

import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, poll, unlimited } from './askedPoll';

const rules = { overlap: MINUTE, settle: 5 * MINUTE };

/** Where a first poll has set it, by the clock: later than events have settled. */
const watermark = NOW - 3 * MINUTE;
const late = event('late', watermark - SECOND / 2);

test('one of the second before the watermark waits until it has settled', async () => {
	const log = new AskedLog(() => ({ items: [late] }));
	const first = await poll(before([], { watermark }), log, unlimited, rules);
	expect(first.events).toEqual([]);
	log.time += 2 * MINUTE + SECOND;
	expect((await poll(first.state, log, unlimited, rules)).events).toEqual(['late']);
});

test('one that the watermark is about to pass comes at once', async () => {
	const newest = watermark + rules.overlap + SECOND;
	const state = before([known('newest', newest)], { watermark, newest });
	const log = new AskedLog(() => ({ items: [late] }));
	expect((await poll(state, log, unlimited, rules)).events).toEqual(['late']);
});

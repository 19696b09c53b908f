import { MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, NOW, poll, WATERMARK } from './askedPoll';

/** The last page of a list that had 3 records when an earlier poll began to read it. */
const lastPage = (total: number) =>
	new AskedLog(() => ({ items: [event('third', WATERMARK + MINUTE)], total }));

const final = WATERMARK + 5 * MINUTE;
const begun = before([], {
	newest: NOW,
	resume: { cursor: 'p2', count: 2, total: 3, final },
});

test.each([
	['moves the watermark when nothing was added meanwhile', 3, final],
	['leaves it in place when one of the records that were added may hide another', 4, WATERMARK],
])('a list that took several polls %s', async (_, total, watermark) => {
	const { events, state } = await poll(begun, lastPage(total));
	expect(events).toEqual(['third']);
	expect(state.resume).toBeUndefined();
	expect(state.watermark).toBe(watermark);
});

test("when the cursor of a list is refused, n8n's log says that it is read again", async () => {
	const log = new AskedLog((_, cursor) => (cursor ? new Error('Refused') : { items: [] }));
	const { notes, state } = await poll(begun, log);
	expect(notes).toEqual([expect.stringContaining('no longer continues the list of events')]);
	expect(state).toMatchObject({ resume: undefined, watermark: WATERMARK });
});

test.each([
	['in a range when something is final', begun, 55 * MINUTE],
	['as it is when nothing is', { ...begun, newest: undefined }, undefined],
])('a list whose cursor is refused is asked for %s', async (_, state, span) => {
	const log = new AskedLog(() => new Error('Refused'));
	expect((await poll(state, log)).state.span).toBe(span);
});

test.each([
	['leaves the watermark where it is when it took several polls', begun, WATERMARK],
	['moves it when one poll read it', { ...begun, resume: undefined }, NOW - 5 * MINUTE],
])('after an odd list, one that is not %s', async (_, state, watermark) => {
	const polled = await poll({ ...state, odd: [1, NOW] }, lastPage(state.resume ? 3 : 1));
	expect(polled.state.watermark).toBe(watermark);
	expect(polled.state.odd).toBeUndefined();
});

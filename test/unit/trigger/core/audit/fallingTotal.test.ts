import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, poll, WATERMARK } from './askedPoll';

const ids = ['a', 'b', 'c', 'd'];

/** A list of four events, all known, in four pages whose totals are given. */
const listed = (totals: number[]) =>
	new AskedLog((_, cursor = '0') => {
		const index = Number(cursor);
		const next = index < 3 ? String(index + 1) : undefined;
		return { items: [event(ids[index], WATERMARK + MINUTE)], next, total: totals[index] };
	});

test.each([
	['moves the watermark', [3, 3, 4, 4], true],
	['leaves it in place after a page from a replica that is behind', [3, 4, 3, 4], false],
])('a list of several pages %s', async (_, totals, moves) => {
	const state = before(
		ids.map((id) => known(id, WATERMARK + MINUTE)),
		{ newest: NOW },
	);
	const polled = await poll(state, listed(totals));
	expect(polled.state.watermark > WATERMARK).toBe(moves);
	expect(polled.state.odd !== undefined).toBe(!moves);
});

test('a log that has been odd for a long time is trusted until a list is no longer odd', async () => {
	const log = (total: number) =>
		new AskedLog(() => ({ items: [event('a', NOW - 2 * MINUTE)], total }));
	const state = before([], { newest: NOW, odd: [10, NOW - HOUR] });
	const trusted = await poll(state, log(3));
	expect(trusted.state.watermark).toBeGreaterThan(WATERMARK);
	expect(trusted.state.odd).toEqual([11, NOW - HOUR]);
	expect((await poll(trusted.state, log(1))).state.odd).toBeUndefined();
});

import { MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, NOW, poll, WATERMARK } from './askedPoll';

/** A log with one event in a backlog, whose replica that is behind does not show it at first. */
function lagging(answersWithout: number) {
	const time = WATERMARK + 10 * MINUTE;
	let without = answersWithout;
	return new AskedLog(({ start, end = Infinity }) => {
		const isIn = start <= time && time <= end;
		return { items: isIn && without-- <= 0 ? [event('late', time)] : [] };
	});
}

const backlog = before([], { newest: NOW, span: 30 * MINUTE });

test('an empty range of a backlog is read again before it is passed', async () => {
	const log = lagging(1);
	expect((await poll(backlog, log)).events).toEqual(['late']);
});

test('an empty range is read twice, not for ever', async () => {
	const log = lagging(Infinity);
	const { events, state } = await poll(backlog, log);
	expect(events).toEqual([]);
	expect(state.watermark).toBeGreaterThan(WATERMARK + 30 * MINUTE);
	const [start] = log.asked[0];
	expect(log.asked.filter(([from]) => from === start)).toHaveLength(2);
});

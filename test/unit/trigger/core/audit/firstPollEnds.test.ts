import { eventTimeOf } from '../../../../../nodes/Wherobots/trigger/core/audit/auditEvents';
import { MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { paged } from '../askedSource';
import { AskedLog, event } from './askedLog';
import { firstPoll, NOW } from './firstPolls';

/** How many polls a first poll takes, each of which has time for one request. */
async function pollsOf(log: AskedLog): Promise<number> {
	let state: AuditState | undefined;
	for (let polls = 1; polls <= 20; polls++) {
		state = await firstPoll(log, state, log.timeFor(log.asked.length + 1));
		log.time += MINUTE;
		if (!state.baseline) return polls;
	}
	return Infinity;
}

describe.each([
	['of different times', [52, 53, 54, 55]],
	['of one second', [52, 52, 52, 52]],
	['of one second hours ago', [300, 300, 300, 300]],
])('a first poll ends although no event follows those that are there, %s,', (_, minutesAgo) => {
	const events = minutesAgo.map((minutes, index) => event(`${index}`, NOW - minutes * MINUTE));
	const since = (start: number) => events.filter((each) => (eventTimeOf(each) ?? 0) >= start);

	test('and each poll finds its cursor refused', async () => {
		const log = new AskedLog(({ start }, cursor) => {
			if (cursor !== undefined) return new Error('Unknown cursor');
			return paged(since(start).map((each) => [each]));
		});
		expect(await pollsOf(log)).toBeLessThan(10);
	});

	test('and each list is cut after its newest events', async () => {
		const log = new AskedLog(({ start }) => {
			const all = since(start);
			return { items: all.slice(0, 2), isCut: all.length > 2 };
		});
		expect(await pollsOf(log)).toBeLessThan(10);
	});
});

import type { AuditWay } from '../../../../../nodes/Wherobots/trigger/core/source';
import { MINUTE, SECOND, SlowLog, spread, START, type Order } from './slowLog';

/** Polls a number of times, and expects each event after the start once. */
async function expectAllOnce(log: SlowLog, polls: number): Promise<number> {
	let largest = 0;
	for (let poll = 0; poll < polls; poll++) {
		await log.poll();
		largest = Math.max(largest, log.bytes);
	}
	const expected = log.ids((time) => time > START && time < log.now - 5 * MINUTE);
	const given = new Set(log.given);
	expect(log.given.length).toBe(given.size);
	expect(expected.filter((id) => !given.has(id))).toEqual([]);
	expect(log.failures).toBe(0);
	return largest;
}

const quiet = spread(120, 240 * MINUTE, START + 240 * MINUTE);
const sorted = (times: number[]) => times.sort((a, b) => a - b);

describe.each<[Order, AuditWay]>([
	['newestFirst', 'query'],
	['oldestFirst', 'export'],
	['shuffled', 'query'],
	['newestFirst', 'export'],
])('a log that is %s, read by %s,', (order, way) => {
	test('yields each event once with more of them within the overlap than are remembered', async () => {
		// 100 a second for two minutes.
		const times = sorted([...quiet, ...spread(12_000, 2 * MINUTE, START + 10 * MINUTE)]);
		const log = new SlowLog({ order, secondsPerRequest: 0.1, times, way });
		const largest = await expectAllOnce(log, 20);
		expect(log.given.length).toBeGreaterThan(12_000);
		expect(largest).toBeLessThan(600_000);
		expect(log.bytes).toBeLessThan(2_000);
	});

	test('yields each event once with 12,000 of them in one microsecond', async () => {
		const burst = Array.from({ length: 12_000 }, () => START + 6 * MINUTE + 123_457);
		const times = sorted([...quiet, ...burst]);
		const log = new SlowLog({ order, secondsPerRequest: 0.1, times, way });
		const largest = await expectAllOnce(log, 15);
		expect(log.given.length).toBeGreaterThan(12_000);
		expect(largest).toBeLessThan(600_000);
		expect(log.bytes).toBeLessThan(2_000);
	});
});

test.each<[Order]>([['newestFirst'], ['oldestFirst'], ['shuffled']])(
	'a log that is %s loses nothing at 12 seconds a request',
	async (order) => {
		const times = sorted([...quiet, ...spread(1_200, 40 * MINUTE, START + 50 * MINUTE)]);
		await expectAllOnce(new SlowLog({ order, secondsPerRequest: 12, times }), 120);
	},
);

test('a state stays small when nothing new happens', async () => {
	const log = new SlowLog({ times: [START - MINUTE, START + 2 * MINUTE + SECOND] });
	await expectAllOnce(log, 60);
	expect(log.requests).toBe(1);
	expect(log.bytes).toBeLessThan(300);
});

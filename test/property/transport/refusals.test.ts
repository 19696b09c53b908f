import { Throttle } from '../../../nodes/Wherobots/transport/throttle';
import { ACCEPTED, refuse, slotOf } from '../../support/slotOf';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

describe('after a 429', () => {
	it('all requests wait until Retry-After has passed, then start one at a time', async () => {
		const limiter = new Throttle(10, 1_000);
		const waitMs = refuse(await slotOf(limiter), 3_000);
		expect(waitMs).toBeGreaterThanOrEqual(3_000);
		expect(waitMs).toBeLessThanOrEqual(3_000 + 50);
		const sent: number[] = [];
		const send = async () => {
			const slot = await slotOf(limiter);
			sent.push(time.now - 1_000 - waitMs);
			await time.pause(10);
			slot.end(ACCEPTED);
		};
		await time.during(Promise.all(Array.from({ length: 7 }, send)));
		// Each response lets one more be in flight.
		expect(sent).toEqual([0, 10, 10, 20, 20, 20, 20]);
	});

	it('waits get longer while all are refused, and short again after a success', async () => {
		const limiter = new Throttle(1_000, 1);
		const refused = async () => refuse(await time.during(slotOf(limiter)));
		const waits = [await refused(), await refused(), await refused(), await refused()];
		for (const [index, wait] of waits.entries()) {
			const ceiling = Math.min(2_000, 500 * 2 ** index);
			expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
			expect(wait).toBeLessThanOrEqual(ceiling);
		}
		(await time.during(slotOf(limiter))).end(ACCEPTED);
		expect(await refused()).toBeLessThanOrEqual(500);
	});

	it('no response, or one to a request from before, does not count as a success', async () => {
		const limiter = new Throttle(1_000, 1);
		const [first, second] = [await slotOf(limiter), await slotOf(limiter)];
		refuse(first);
		second.end(ACCEPTED);
		(await time.during(slotOf(limiter))).end();
		// Still one at a time, and the second refusal in a row.
		const slot = await time.during(slotOf(limiter));
		const next = limiter.acquire({ deadline: time.now + 900 });
		expect(await time.during(next)).toEqual({});
		expect(refuse(slot)).toBeGreaterThanOrEqual(500);
	});

	it('a slow response, from before or after it, does not keep the others waiting', async () => {
		const limiter = new Throttle(10, 1_000);
		const [, refused] = [await slotOf(limiter), await slotOf(limiter)];
		const waitMs = refuse(refused, 3_000);
		const sent: number[] = [];
		const slow = async () => {
			await slotOf(limiter);
			sent.push(time.now - 1_000 - waitMs);
		};
		await time.during(Promise.all([slow(), slow(), slow()]));
		expect(sent).toEqual([0, 1_000, 2_000]);
	});

	it('of a burst, the refusals count once, and the longest wait holds', async () => {
		const limiter = new Throttle(10, 1);
		const places = await Promise.all(Array.from({ length: 5 }, async () => await slotOf(limiter)));
		const waits = places.map((slot, index) => refuse(slot, [100, 900, 200, 900, 100][index]));
		expect(Math.max(...waits)).toBeLessThanOrEqual(950);
		await time.during(slotOf(limiter));
		expect(time.now - 1_000).toBe(Math.max(...waits));
	});

	it('without Retry-After, a process leaves room for others, and has the whole rate again a while later', async () => {
		const limiter = new Throttle(100, 5_000);
		const takeAll = async (ms: number) => {
			let count = 0;
			for (const until = time.now + ms; time.now < until; await time.pause(1)) {
				const { slot } = await limiter.acquire({ deadline: time.now + 1 });
				slot?.end(ACCEPTED);
				if (slot) count += 1;
			}
			return count;
		};
		expect(await time.during(takeAll(5_000))).toBe(100);
		for (let count = 0; count < 2; count += 1) refuse(await time.during(slotOf(limiter)));
		expect(await time.during(takeAll(5_000))).toBeLessThanOrEqual(90);
		await time.during(takeAll(10_000));
		expect(await time.during(takeAll(5_000))).toBeGreaterThanOrEqual(95);
	});

	it('a very long Retry-After ends all waits, and the service is asked again after a minute', async () => {
		const limiter = new Throttle();
		refuse(await slotOf(limiter), 86_400_000);
		expect((await limiter.acquire()).slot).toBeUndefined();
		await time.during(time.pause(59_000));
		expect((await limiter.acquire()).slot).toBeUndefined();
		await time.during(time.pause(1_000));
		await slotOf(limiter);
	});

	it('a shorter Retry-After after a long one counts from then on', async () => {
		const limiter = new Throttle();
		refuse(await slotOf(limiter), 86_400_000);
		await time.during(time.pause(60_000));
		expect(refuse(await slotOf(limiter), 2_000)).toBeLessThanOrEqual(2_050);
		const askedAt = time.now;
		(await time.during(slotOf(limiter))).end(ACCEPTED);
		expect(time.now - askedAt).toBeLessThanOrEqual(2_050);
	});

	it.each([0, undefined])(
		'the service is not asked without a pause (Retry-After: %s)',
		async (ms) => {
			const limiter = new Throttle();
			const startedAt = time.now;
			for (let count = 0; count < 20; count += 1) {
				refuse(await time.during(slotOf(limiter)), ms);
			}
			expect(time.now - startedAt).toBeGreaterThanOrEqual(17_000);
		},
	);
});

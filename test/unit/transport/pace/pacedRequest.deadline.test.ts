import { clock } from '../../../../nodes/Wherobots/transport/clock';
import type { SendResult } from '../../../../nodes/Wherobots/transport/http';
import { RateLimiter } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { placeOf } from '../../../support/placeOf';
import { lost, ok, sendingIn, status } from '../../../support/transport/pacedRequest';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const sending = sendingIn(time);

describe('a deadline', () => {
	it('is told to each attempt, and none begins after it', async () => {
		const { done, sentAt, leftAt } = sending([status(503)], { deadline: 1_300, takesMs: 100 });
		expect(await done).toEqual(status(503));
		expect(sentAt.every((at) => at < 1_300)).toBe(true);
		expect(leftAt[0]).toBe(300);
		expect(leftAt).toEqual(sentAt.map((at) => 1_300 - at));
	});

	it('that has passed keeps the request from being sent, and its place free', async () => {
		const limiter = new RateLimiter(1, 5_000);
		const { done, sentAt } = sending([ok], { deadline: 1_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime' });
		expect(sentAt).toEqual([]);
		await time.during(time.pause(5_000));
		expect(limiter.isIdle).toBe(true);
	});

	it('ends the wait for a place', async () => {
		const limiter = new RateLimiter(1, 30_000);
		await placeOf(limiter);
		const { done } = sending([ok], { deadline: 6_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime' });
		expect(time.now).toBe(6_000);
	});

	it('that passes while it gets its place keeps it from being sent, and says nothing', async () => {
		const limiter = new RateLimiter(10, 1);
		(await placeOf(limiter)).refused(3_000);
		await time.during(time.pause(4_000));
		const { acquire } = limiter;
		// As when the machine has been asleep.
		limiter.acquire = async (options) => {
			const admission = await acquire.call(limiter, options);
			time.now = 9_000;
			return admission;
		};
		const { done, sentAt } = sending([ok], { deadline: 9_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime' });
		expect(sentAt).toEqual([]);
		limiter.acquire = acquire;
		await time.during(time.pause(1));
		expect(limiter.isIdle).toBe(true);
		// Nothing was accepted after the 429 yet: still one at a time.
		await placeOf(limiter);
		expect((await time.during(limiter.acquire({ withinMs: 1 }))).admitted).toBe(false);
	});

	it('that a 429 of another request exceeds says how long that takes, after a failure too', async () => {
		const limiter = new RateLimiter(10, 1);
		const other = await placeOf(limiter);
		const { done, sentAt } = sending([], {
			deadline: 11_000,
			limiter: () => limiter,
			send: async () => {
				other.refused(30_000);
				sentAt.push(time.now);
				return await Promise.resolve(lost);
			},
		});
		expect(await done).toEqual({ kind: 'noTime', retryAfterMs: expect.any(Number) });
		expect(sentAt).toHaveLength(1);
	});

	it('that comes before the service allows a request says how long that takes', async () => {
		const limiter = new RateLimiter(100, 5_000);
		const first = await limiter.acquire();
		if (first.admitted) first.place.refused(30_000);
		const { done, sentAt } = sending([ok], { deadline: 11_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime', retryAfterMs: expect.any(Number) });
		expect(sentAt).toEqual([]);
	});
});

it('ends with its failure when a pause takes it past the deadline', async () => {
	const { done, sentAt } = sending([lost], { deadline: 9_000 });
	const { pause } = time;
	// As a real timer, which is late on a busy machine.
	jest
		.spyOn(time, 'pause')
		.mockImplementation(async (ms, signal) => await pause.call(time, ms + 9_000, signal));
	expect(await done).toEqual(lost);
	expect(sentAt).toHaveLength(1);
});

it.each([
	[999, 1],
	[1_000, 5],
])('has %i ms before the deadline for %i attempts without delay', async (leftMs, count) => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const { done, sentAt } = sending([lost], { deadline: time.now + leftMs });
	expect(await done).toEqual(lost);
	expect(sentAt).toHaveLength(count);
});

it('is not sent again within a second of the deadline', async () => {
	for (const leftMs of [900, 1_000, 2_000, 6_000]) {
		const { done, leftAt } = sending([lost], { deadline: time.now + leftMs });
		expect(await done).toEqual(lost);
		expect(leftAt.slice(1).filter((left) => left < 1_000)).toEqual([]);
	}
});

const late: SendResult = { kind: 'network', code: 'ETIMEDOUT', detail: '' };

it.each([
	['its only failure', [late], 10_000, late],
	['its last failure', [status(503), late], 10_000, late],
])('ends with %s', async (_, results, withinMs, result) => {
	const begun = time.now;
	const { done, sentAt } = sending([], {
		deadline: begun + withinMs,
		send: async () => {
			sentAt.push(time.now);
			if (sentAt.length === results.length) await time.pause(begun + 9_800 - time.now);
			return results[sentAt.length - 1];
		},
	});
	expect(await done).toEqual(result);
	expect(sentAt).toHaveLength(results.length);
});

it('is as near with a clock of n8n that runs backwards', async () => {
	const attempts = async () => {
		time.restart();
		const { done, sentAt } = sending([lost], { deadline: 90_000, takesMs: 20_000 });
		await done;
		return sentAt.length;
	};
	const expected = await attempts();
	let jumps = 0;
	const real = clock.now;
	clock.now = () => time.now - 3_600_000 * jumps++;
	try {
		expect(await attempts()).toBe(expected);
	} finally {
		clock.now = real;
	}
});

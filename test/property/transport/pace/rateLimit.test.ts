import fc from 'fast-check';

import { CancelledError, clock } from '../../../../nodes/Wherobots/transport/clock';
import {
	nextTicket,
	RATE_LIMIT,
	RateLimiter,
	type AcquireOptions,
	type Place,
} from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { liveInVirtualTime, type VirtualTime } from '../../../support/virtualTime';

const real = { ...clock };
let time: VirtualTime;

beforeEach(() => {
	time = liveInVirtualTime();
});

afterAll(() => {
	Object.assign(clock, real);
});

/** A place; fails when there is none in time. */
async function placeOf(limiter: RateLimiter, options?: AcquireOptions): Promise<Place> {
	const admission = await limiter.acquire(options);
	if (!admission.admitted) throw new Error(`No place: ${JSON.stringify(admission)}`);
	return admission.place;
}

interface Trip {
	/** Since the request before was asked for. */
	gap: number;
	/** Time to the service, and back. */
	there: number;
	back: number;
}

const ms = (max: number) => fc.integer({ min: 0, max });
const trips = fc.array(fc.record({ gap: ms(300), there: ms(900), back: ms(900) }), {
	minLength: 1,
	maxLength: 80,
});

/** When each request was sent and when it reached the service. */
async function travel(limiter: RateLimiter, all: Trip[]) {
	const sent: number[] = [];
	const arrived: number[] = [];
	const order: number[] = [];
	const start = time.now;
	let asked = 0;
	await time.during(
		Promise.all(
			all.map(async ({ gap, there, back }, index) => {
				asked += gap;
				if (start + asked > time.now) await time.pause(start + asked - time.now);
				const place = await placeOf(limiter);
				order.push(index);
				sent[index] = time.now;
				await time.pause(there);
				arrived.push(time.now);
				await time.pause(back);
				place.release(true);
			}),
		),
	);
	return { sent, arrived: arrived.sort((a, b) => a - b), order };
}

describe('RateLimiter', () => {
	it('never lets more than the limit reach the service in any window, whatever the delays', async () => {
		await fc.assert(
			fc.asyncProperty(
				trips,
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 1, max: 2_000 }),
				async (all, requests, windowMs) => {
					time = liveInVirtualTime();
					const { arrived, order } = await travel(new RateLimiter(requests, windowMs), all);
					for (let i = requests; i < arrived.length; i++) {
						expect(arrived[i] - arrived[i - requests]).toBeGreaterThanOrEqual(windowMs);
					}
					expect(order).toEqual(all.map((_, index) => index));
				},
			),
			{ numRuns: 60 },
		);
	});

	it('makes no request wait while there is room', async () => {
		const all = Array.from({ length: RATE_LIMIT.requests }, () => ({ gap: 0, there: 5, back: 5 }));
		const { sent } = await travel(new RateLimiter(), all);
		expect(new Set(sent)).toEqual(new Set([1_000]));
	});

	it('uses the whole rate', async () => {
		const all = Array.from({ length: 300 }, () => ({ gap: 0, there: 20, back: 20 }));
		const { sent } = await travel(new RateLimiter(), all);
		expect(Math.max(...sent) - 1_000).toBe(2 * (RATE_LIMIT.windowMs + RATE_LIMIT.marginMs + 40));
	});

	it('gives the place of a cancelled request to the next one', async () => {
		const limiter = new RateLimiter(1, 1_000);
		(await placeOf(limiter)).release(true);
		const stop = new AbortController();
		const stopped = limiter.acquire({ signal: stop.signal });
		const next = placeOf(limiter);
		stop.abort();
		await expect(stopped).rejects.toThrow(CancelledError);
		(await time.during(next)).release(true);
		expect(time.now).toBe(2_000);
	});

	it('gives back a place that is free at the moment of the cancellation', async () => {
		const limiter = new RateLimiter(1, 1_000);
		const stop = new AbortController();
		const stopped = limiter.acquire({ signal: stop.signal });
		stop.abort();
		await expect(stopped).rejects.toThrow(CancelledError);
		await time.during(placeOf(limiter));
		expect(time.now).toBe(2_000);
	});

	it('refuses at once when it is cancelled already, in the queue too', async () => {
		const limiter = new RateLimiter(1, 1_000);
		const place = await placeOf(limiter);
		const cancelled = limiter.acquire({ signal: AbortSignal.abort() });
		await expect(cancelled).rejects.toThrow(CancelledError);
		place.release(true);
		place.release(true);
		await time.during(placeOf(limiter));
		expect(time.now).toBe(2_000);
	});

	it('keeps the order of the tickets, so that a retried request is not overtaken', async () => {
		const limiter = new RateLimiter(1, 1_000);
		const ticket = nextTicket();
		(await placeOf(limiter)).release(true);
		const order: string[] = [];
		const take = async (name: string, options?: AcquireOptions) => {
			const place = await placeOf(limiter, options);
			order.push(name);
			place.release(true);
		};
		const all = [take('first'), take('second'), take('retried', { ticket }), take('third')];
		await time.during(Promise.all(all));
		expect(order).toEqual(['retried', 'first', 'second', 'third']);
	});

	it('gives up when there is no place in time, and serves the others', async () => {
		const limiter = new RateLimiter(1, 1_000);
		(await placeOf(limiter)).release(true);
		const late = limiter.acquire({ withinMs: 400 });
		const next = placeOf(limiter);
		expect(await time.during(late)).toEqual({ admitted: false });
		expect(time.now).toBe(1_400);
		await time.during(next);
		expect(time.now).toBe(2_000);
	});
});

describe('after a 429', () => {
	it('all requests wait until Retry-After has passed, then start one at a time', async () => {
		const limiter = new RateLimiter(10, 1_000);
		const waitMs = (await placeOf(limiter)).refused(3_000);
		expect(waitMs).toBeGreaterThanOrEqual(3_000);
		expect(waitMs).toBeLessThanOrEqual(3_000 + 50);
		const sent: number[] = [];
		const send = async () => {
			const place = await placeOf(limiter);
			sent.push(time.now - 1_000 - waitMs);
			await time.pause(10);
			place.release(true);
		};
		await time.during(Promise.all(Array.from({ length: 7 }, send)));
		// Each response lets one more be in flight.
		expect(sent).toEqual([0, 10, 10, 20, 20, 20, 20]);
	});

	it('waits get longer while all are refused, and short again after a success', async () => {
		const limiter = new RateLimiter(1_000, 1);
		const refused = async () => (await time.during(placeOf(limiter))).refused();
		const waits = [await refused(), await refused(), await refused(), await refused()];
		for (const [index, wait] of waits.entries()) {
			const ceiling = Math.min(2_000, 500 * 2 ** index);
			expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
			expect(wait).toBeLessThanOrEqual(ceiling);
		}
		(await time.during(placeOf(limiter))).release(true);
		expect(await refused()).toBeLessThanOrEqual(500);
	});

	it('no response, or one to a request from before, does not count as a success', async () => {
		const limiter = new RateLimiter(1_000, 1);
		const [first, second] = [await placeOf(limiter), await placeOf(limiter)];
		first.refused();
		second.release(true);
		(await time.during(placeOf(limiter))).release(false);
		// Still one at a time, and the second refusal in a row.
		const place = await time.during(placeOf(limiter));
		const next = limiter.acquire({ withinMs: 900 });
		expect(await time.during(next)).toEqual({ admitted: false });
		expect(place.refused()).toBeGreaterThanOrEqual(500);
	});

	it('a slow response, from before or after it, does not keep the others waiting', async () => {
		const limiter = new RateLimiter(10, 1_000);
		const [, refused] = [await placeOf(limiter), await placeOf(limiter)];
		const waitMs = refused.refused(3_000);
		const sent: number[] = [];
		const slow = async () => {
			await placeOf(limiter);
			sent.push(time.now - 1_000 - waitMs);
		};
		await time.during(Promise.all([slow(), slow(), slow()]));
		expect(sent).toEqual([0, 1_000, 2_000]);
	});

	it('of a burst, the refusals count once, and the longest wait holds', async () => {
		const limiter = new RateLimiter(10, 1);
		const places = await Promise.all(Array.from({ length: 5 }, async () => await placeOf(limiter)));
		const waits = places.map((place, index) => place.refused([100, 900, 200, 900, 100][index]));
		expect(Math.max(...waits)).toBeLessThanOrEqual(950);
		await time.during(placeOf(limiter));
		expect(time.now - 1_000).toBe(Math.max(...waits));
	});

	it('a request that would have to wait beyond its time learns at once how long', async () => {
		const limiter = new RateLimiter();
		(await placeOf(limiter)).refused(30_000);
		const late = await limiter.acquire({ withinMs: 20_000 });
		expect(late).toMatchObject({ admitted: false });
		expect(!late.admitted && late.retryAfterMs).toBeGreaterThanOrEqual(30_000);
		expect(time.now).toBe(1_000);
		await time.during(placeOf(limiter, { withinMs: 31_000 }));
	});

	it('a very long Retry-After ends all waits, and the service is asked again after a minute', async () => {
		const limiter = new RateLimiter();
		(await placeOf(limiter)).refused(86_400_000);
		expect(await limiter.acquire()).toMatchObject({ admitted: false });
		await time.during(time.pause(59_000));
		expect(await limiter.acquire()).toMatchObject({ admitted: false });
		await time.during(time.pause(1_000));
		expect(await limiter.acquire()).toMatchObject({ admitted: true });
	});
});

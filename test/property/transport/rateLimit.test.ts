import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';

import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import { RATE_LIMIT, RateLimiter } from '../../../nodes/Wherobots/transport/rateLimit';

/** A time in which nothing happens but what is waited for. */
class VirtualTime {
	now = 1_000;

	private waiting: Array<{ at: number; resolve: () => void }> = [];

	async pause(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.waiting.push({ at: this.now + ms, resolve });
			signal?.addEventListener('abort', () => reject(new CancelledError()));
		});
	}

	/** Lets time pass until `work` is done. */
	async during<T>(work: Promise<T>): Promise<T> {
		let done = false;
		const ended = work.finally(() => (done = true));
		ended.catch(() => undefined);
		for (;;) {
			await turn();
			if (done) return await ended;
			this.waiting.sort((a, b) => a.at - b.at);
			const next = this.waiting.shift();
			if (!next) throw new Error('Somebody waits for ever');
			this.now = Math.max(this.now, next.at);
			next.resolve();
		}
	}
}

const real = { ...clock };
let time: VirtualTime;

beforeEach(() => {
	time = new VirtualTime();
});

afterAll(() => {
	Object.assign(clock, real);
});

/** The package's clock shows this time from now on. */
function live(): void {
	time = new VirtualTime();
	clock.monotonic = () => time.now;
	clock.pause = async (ms, signal) => await time.pause(ms, signal);
}

interface Trip {
	/** Since the request before was asked for. */
	gap: number;
	/** On the way to the service, and back. */
	there: number;
	back: number;
}

const ms = (max: number) => fc.integer({ min: 0, max });
const trips = fc.array(fc.record({ gap: ms(300), there: ms(900), back: ms(900) }), {
	minLength: 1,
	maxLength: 80,
});

/** When each request left and when it reached the service. */
async function travel(limiter: RateLimiter, all: Trip[]) {
	const left: number[] = [];
	const arrived: number[] = [];
	const order: number[] = [];
	const begin = time.now;
	let asked = 0;
	await time.during(
		Promise.all(
			all.map(async ({ gap, there, back }, index) => {
				asked += gap;
				if (begin + asked > time.now) await time.pause(begin + asked - time.now);
				const release = await limiter.acquire();
				order.push(index);
				left[index] = time.now;
				await time.pause(there);
				arrived.push(time.now);
				await time.pause(back);
				release();
			}),
		),
	);
	return { left, arrived: arrived.sort((a, b) => a - b), order };
}

describe('RateLimiter', () => {
	it('never lets more than the limit reach the service in any window, however long the ways are', async () => {
		await fc.assert(
			fc.asyncProperty(
				trips,
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 1, max: 2_000 }),
				async (all, requests, windowMs) => {
					live();
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

	it('makes nobody wait while there is room', async () => {
		live();
		const all = Array.from({ length: RATE_LIMIT.requests }, () => ({ gap: 0, there: 5, back: 5 }));
		const { left } = await travel(new RateLimiter(), all);
		expect(new Set(left)).toEqual(new Set([1_000]));
	});

	it('uses the whole rate', async () => {
		live();
		const all = Array.from({ length: 300 }, () => ({ gap: 0, there: 20, back: 20 }));
		const { left } = await travel(new RateLimiter(), all);
		expect(Math.max(...left) - 1_000).toBe(2 * (RATE_LIMIT.windowMs + RATE_LIMIT.marginMs + 40));
	});

	it('gives the place of somebody who stops waiting to the next one', async () => {
		live();
		const limiter = new RateLimiter(1, 1_000);
		(await limiter.acquire())();
		const stop = new AbortController();
		const stopped = limiter.acquire(stop.signal);
		const next = limiter.acquire();
		stop.abort();
		await expect(stopped).rejects.toThrow(CancelledError);
		(await time.during(next))();
		expect(time.now).toBe(2_000);
	});

	it('refuses at once when it is cancelled already, in the queue too', async () => {
		live();
		const limiter = new RateLimiter(1, 1_000);
		const release = await limiter.acquire();
		await expect(limiter.acquire(AbortSignal.abort())).rejects.toThrow(CancelledError);
		release();
		release();
		await time.during(limiter.acquire());
		expect(time.now).toBe(2_000);
	});
});

import fc from 'fast-check';

import { RATE_LIMIT, RateLimiter } from '../../nodes/Wherobots/transport/rateLimit';

const gaps = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), {
	minLength: 1,
	maxLength: 300,
});

/** When each request passes, if callers come after these gaps. */
function passTimes(limiter: RateLimiter, arrivals: number[]): number[] {
	let now = 1_000;
	return arrivals.map((gap) => {
		now += gap;
		return now + limiter.reserve(now);
	});
}

describe('RateLimiter', () => {
	it('never lets more than the limit pass in any window, in the order of arrival', () => {
		fc.assert(
			fc.property(
				gaps,
				fc.integer({ min: 1, max: 20 }),
				fc.integer({ min: 1, max: 2_000 }),
				(arrivals, requests, windowMs) => {
					const passed = passTimes(new RateLimiter(requests, windowMs), arrivals);
					for (let i = 1; i < passed.length; i++) {
						expect(passed[i]).toBeGreaterThanOrEqual(passed[i - 1]);
					}
					for (let i = requests; i < passed.length; i++) {
						// A hair of tolerance: the times are sums of doubles.
						expect(passed[i] - passed[i - requests]).toBeGreaterThanOrEqual(windowMs - 1e-6);
					}
				},
			),
		);
	});

	it('lets requests pass at once while there is room', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: RATE_LIMIT.requests }), (count) => {
				const limiter = new RateLimiter();
				for (let i = 0; i < count; i++) expect(limiter.reserve(5)).toBe(0);
			}),
		);
	});

	it('never makes anybody wait longer than the queue before them needs', () => {
		fc.assert(
			fc.property(gaps, fc.integer({ min: 1, max: 20 }), (arrivals, requests) => {
				const limiter = new RateLimiter(requests, 1_000);
				const passed = passTimes(limiter, arrivals);
				let now = 1_000;
				arrivals.forEach((gap, i) => {
					now += gap;
					const earliest = i < requests ? now : Math.max(now, passed[i - requests] + 1_000);
					expect(passed[i]).toBeLessThanOrEqual(
						Math.max(earliest, i > 0 ? passed[i - 1] : 0) + 1e-6,
					);
				});
			}),
		);
	});
});

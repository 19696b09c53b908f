/** The published limit as a sliding window over real time, counted per credential. */
import type { RateLimit } from '../variants';
import { ServiceError } from './errors';

export class SlidingWindow {
	private readonly seen = new Map<string, number[]>();

	/** Counts a request, or throws 429 with the seconds (a float) until the next one may come. */
	admit(key: string, limit: RateLimit): void {
		const now = performance.now();
		const times = this.seen.get(key) ?? [];
		this.seen.set(key, times);
		while (times.length > 0 && times[0] <= now - limit.windowMs) times.shift();
		if (times.length >= limit.requests) {
			const wait = (times[times.length - limit.requests] + limit.windowMs - now) / 1000;
			throw new ServiceError(
				429,
				{ details: `At most ${limit.requests} requests in ${limit.windowMs} ms.` },
				{ 'retry-after': Math.max(0.001, wait).toFixed(3) },
			);
		}
		times.push(now);
	}
}

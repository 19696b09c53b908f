import { createHash } from 'crypto';

import { clock } from './clock';

/**
 * The service's published rate: 100 requests in 5 seconds (interface, "Limits"). The window is kept
 * a little longer than published: requests reach the service at other distances than they left.
 */
export const RATE_LIMIT = { requests: 100, windowMs: 5_000, marginMs: 100 };

/**
 * Lets at most `requests` pass in any `windowMs`. A slot is reserved the moment it is asked for, so
 * that callers are served in the order in which they came, however long each then waits.
 */
export class RateLimiter {
	/** The last `requests` reserved times, in order, on the monotonic scale. */
	private readonly reserved: number[] = [];

	constructor(
		private readonly requests: number = RATE_LIMIT.requests,
		private readonly windowMs: number = RATE_LIMIT.windowMs + RATE_LIMIT.marginMs,
	) {}

	/**
	 * Waits for the next free slot.
	 *
	 * @throws CancelledError when `signal` is aborted first; the slot stays taken, which costs time only
	 */
	async acquire(signal?: AbortSignal): Promise<void> {
		const delayMs = this.reserve(clock.monotonic());
		if (delayMs > 0) await clock.pause(delayMs, signal);
	}

	/** Takes the next slot and tells in how many milliseconds it begins. Pure but for the reservation. */
	reserve(now: number): number {
		const last = this.reserved.at(-1) ?? 0;
		const oldest =
			this.reserved.length < this.requests ? undefined : (this.reserved.shift() as number);
		const slot = Math.max(now, last, oldest === undefined ? 0 : oldest + this.windowMs);
		this.reserved.push(slot);
		return slot - now;
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter that all requests of this process to one base URL with one secret share, whatever
 * workflow they belong to. The secret itself is not kept.
 */
export function limiterFor(baseUrl: string, secret: string): RateLimiter {
	const key = createHash('sha256').update(`${baseUrl}\n${secret}`).digest('hex');
	let limiter = limiters.get(key);
	if (!limiter) {
		limiter = new RateLimiter();
		limiters.set(key, limiter);
	}
	return limiter;
}

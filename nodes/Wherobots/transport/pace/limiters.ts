import { createHash } from 'crypto';

import { RateLimiter } from './rateLimit';

const limiters = new Map<string, RateLimiter>();

/** Identifies the limiter of a base URL and secret without revealing the secret. */
export function limiterKey(baseUrl: string, secret: string): string {
	return createHash('sha256').update(`${baseUrl}\n${secret}`).digest('hex');
}

/**
 * The limiter that all requests of this process to one base URL with one secret share, across
 * workflows. Get it again for each request: idle ones are dropped.
 */
export function limiterFor(key: string): RateLimiter {
	let limiter = limiters.get(key);
	if (!limiter) {
		for (const [other, { isIdle }] of limiters) if (isIdle) limiters.delete(other);
		limiter = new RateLimiter();
		limiters.set(key, limiter);
	}
	return limiter;
}

/** Forgets all limiters. For tests. */
export function forgetLimiters(): void {
	limiters.clear();
}

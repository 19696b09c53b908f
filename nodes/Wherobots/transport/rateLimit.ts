import { createHash } from 'crypto';

import { CancelledError, clock, untilAborted } from './clock';

/**
 * The service's published rate: 100 requests in 5 seconds (interface, "Limits"). The window is kept
 * a little longer than published: the clocks of two machines do not run alike (0.2 % are covered),
 * and timers may end a moment early.
 */
export const RATE_LIMIT = { requests: 100, windowMs: 5_000, marginMs: 10 };

/**
 * Lets at most `requests` reach the service in any `windowMs`, in the order in which they ask.
 *
 * When a request reaches the service is not known; it is between its leaving and its answer. So a
 * request may leave when the one that has its place in the window was answered a window ago: however
 * long the way takes for either of them, the service sees them at least a window apart.
 */
export class RateLimiter {
	/** Requests that have left and are not answered. */
	private underWay = 0;

	/** When the places of answered requests are free again, in order, on the monotonic scale. */
	private readonly freeAt: number[] = [];

	/** Settled when nobody waits any more. */
	private turn: Promise<unknown> = Promise.resolve();

	private wake: () => void = () => undefined;

	constructor(
		private readonly requests: number = RATE_LIMIT.requests,
		private readonly windowMs: number = RATE_LIMIT.windowMs + RATE_LIMIT.marginMs,
	) {}

	/**
	 * Waits for a free place in the window.
	 *
	 * @returns to be called when the request is answered, or has failed
	 * @throws CancelledError when `signal` is aborted first
	 */
	async acquire(signal?: AbortSignal): Promise<() => void> {
		const place = this.turn.then(async () => await this.take(signal));
		this.turn = place.catch(() => undefined);
		return await untilAborted(place, signal).catch(async (error: unknown) => {
			// It may still get its place, at the very moment in which nobody wants it any more.
			place.then((release) => release()).catch(() => undefined);
			return await Promise.reject(error as Error);
		});
	}

	private async take(signal?: AbortSignal): Promise<() => void> {
		while (this.underWay + this.freeAt.length >= this.requests) {
			const [next] = this.freeAt;
			if (next === undefined) {
				await untilAborted(new Promise<void>((resolve) => (this.wake = resolve)), signal);
			} else if (next > clock.monotonic()) {
				await clock.pause(next - clock.monotonic(), signal);
			} else {
				this.freeAt.shift();
			}
		}
		if (signal?.aborted) throw new CancelledError();
		this.underWay += 1;
		let released = false;
		return () => {
			if (released) return;
			released = true;
			this.underWay -= 1;
			this.freeAt.push(clock.monotonic() + this.windowMs);
			this.wake();
		};
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

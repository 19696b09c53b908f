import { createHash } from 'crypto';

import { CancelledError, clock, untilAborted } from './clock';

/**
 * The service's published rate: 100 requests in 5 seconds (interface, "Limits"). The window is a
 * little longer than published, because the clocks of two machines run at different speeds (up to
 * 0.2 % is covered) and timers may fire early.
 */
export const RATE_LIMIT = { requests: 100, windowMs: 5_000, marginMs: 10 };

/**
 * Lets at most `requests` reach the service in any `windowMs`, first come, first served.
 *
 * When exactly a request reaches the service is unknown; it is some time between sending it and
 * receiving the response. So a place in the window is free again one window after the response:
 * however long either request takes, the service receives the two at least one window apart.
 */
export class RateLimiter {
	/** Requests that were sent and have no response yet. */
	private inFlight = 0;

	/** When the places of completed requests are free again, in order, in monotonic milliseconds. */
	private readonly freeAt: number[] = [];

	/** Settles when the last request in the queue has its place. */
	private queue: Promise<unknown> = Promise.resolve();

	private wake: () => void = () => undefined;

	constructor(
		private readonly requests: number = RATE_LIMIT.requests,
		private readonly windowMs: number = RATE_LIMIT.windowMs + RATE_LIMIT.marginMs,
	) {}

	/**
	 * Waits for a free place in the window.
	 *
	 * @returns a function to call when the response has arrived or the request has failed
	 * @throws CancelledError when `signal` is aborted first
	 */
	async acquire(signal?: AbortSignal): Promise<() => void> {
		const place = this.queue.then(async () => await this.take(signal));
		this.queue = place.catch(() => undefined);
		return await untilAborted(place, signal).catch((error: unknown) => {
			// It may get its place at the very moment of the abort, and has to give it back.
			place.then((release) => release()).catch(() => undefined);
			throw error;
		});
	}

	private async take(signal?: AbortSignal): Promise<() => void> {
		while (this.inFlight + this.freeAt.length >= this.requests) {
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
		this.inFlight += 1;
		let released = false;
		return () => {
			if (released) return;
			released = true;
			this.inFlight -= 1;
			this.freeAt.push(clock.monotonic() + this.windowMs);
			this.wake();
		};
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter that all requests of this process to one base URL with one secret share, whatever
 * workflow they belong to. The secret itself is not stored.
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

import type { Client } from './client';
import { clock } from './clock';
import { mayPass } from './errors';

const FIRST_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.5;

/** Longest interval unless somebody asks for another, in seconds. */
export const DEFAULT_MAX_INTERVAL_S = 15;

/** Waits that grow from two seconds to a cap: runs are short or long, and either should cost little. */
function intervals(capMs = DEFAULT_MAX_INTERVAL_S * 1000): { next(): number } {
	let interval = Math.min(FIRST_INTERVAL_MS, capMs);
	return {
		next() {
			const current = interval;
			interval = Math.min(capMs, interval * INTERVAL_GROWTH);
			return current;
		},
	};
}

export interface PollOptions {
	maxWaitMs: number;
	/** Longest time between two looks; the first ones are closer together. */
	maxIntervalMs: number;
}

/** What waiting came to: what was waited for, or what was seen last before time was up. */
export type Polled<T> = { done: true; value: T } | { done: false; last: T | Error };

/**
 * Looks again and again, at once and then at growing intervals, until what is seen is done or time
 * is up. An outage of the service does not end the wait; the deadline does.
 *
 * @throws NodeApiError when a look fails for a reason that time does not mend
 * @throws CancelledError when the execution is cancelled
 */
export async function pollUntil<T>(
	client: Client,
	look: () => Promise<T>,
	isDone: (seen: T) => boolean,
	{ maxWaitMs, maxIntervalMs }: PollOptions,
): Promise<Polled<T>> {
	const deadline = clock.now() + maxWaitMs;
	const wait = intervals(maxIntervalMs);
	for (;;) {
		const seen = await look().catch((error: Error) => error);
		if (seen instanceof Error) {
			if (!mayPass(seen)) throw seen;
		} else if (isDone(seen)) {
			return { done: true, value: seen };
		}
		const left = deadline - clock.now();
		if (left <= 0) return { done: false, last: seen };
		await clock.pause(Math.min(wait.next(), left), client.signal);
	}
}

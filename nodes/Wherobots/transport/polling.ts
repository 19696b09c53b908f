/** Checks at intervals, until something is so. */
import { clock } from './clock';
import { isTemporary, settle } from './failure';

const FIRST_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.5;

/** Default for the longest time between two checks, in seconds. */
export const DEFAULT_MAX_INTERVAL_S = 15;

export interface PollOptions {
	maxWaitMs: number;
	/** Longest time between two checks; the first ones are closer together. */
	maxIntervalMs: number;
	/** Whether to check again after this error; by default after temporary ones. */
	continueAfter?(error: unknown): boolean;
	/** How long to pause, at most the interval; for checks that are made together with others. */
	pauseMs?(intervalMs: number, maxIntervalMs: number): number;
}

/** The result of waiting: the awaited value, or the result of the last check before the deadline. */
type Polled<T> = { done: true; value: T } | { done: false; last: T | Error };

/**
 * Checks at once and then at growing intervals, until `isDone` or the deadline. An outage of the
 * service does not end the wait; the deadline does.
 *
 * @throws Failure when a check fails for a reason that is not temporary
 * @throws CancelledError when the execution is cancelled
 */
export async function pollUntil<T>(
	{ signal }: { signal?: AbortSignal },
	check: () => Promise<T>,
	isDone: (checked: T) => boolean,
	{ maxWaitMs, maxIntervalMs, continueAfter = isTemporary, pauseMs = Math.min }: PollOptions,
): Promise<Polled<T>> {
	const deadline = clock.monotonic() + maxWaitMs;
	let interval = FIRST_INTERVAL_MS;
	for (;;) {
		const checked = await settle(check());
		if (!checked.ok && !continueAfter(checked.error)) throw checked.error;
		if (checked.ok && isDone(checked.value)) return { done: true, value: checked.value };
		const left = deadline - clock.monotonic();
		if (left <= 0) {
			return { done: false, last: checked.ok ? checked.value : (checked.error as Error) };
		}
		await clock.pause(Math.min(pauseMs(interval, maxIntervalMs), left), signal);
		interval = Math.min(interval * INTERVAL_GROWTH, maxIntervalMs);
	}
}

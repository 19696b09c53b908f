/**
 * Work that is done one at a time, several at once, or at intervals until something is so. Tested by
 * test/unit/transport/clock.test.ts and polling.test.ts.
 */
import { clock, waitUnlessAborted } from './clock';
import { isTemporary, settle } from './failure';

/** By base URL and record: settled when all earlier work on it is done. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when no other work in this process creates the same record at this base URL: others must
 * not create it between a search and a creation, or while the record of a lost response is searched
 * for.
 *
 * @param what type and name of the record
 * @throws CancelledError when the execution is cancelled before its turn
 */
export async function runLocked<T>(
	client: { baseUrl: string; signal?: AbortSignal },
	what: string,
	work: () => Promise<T>,
): Promise<T> {
	const key = `${client.baseUrl}\n${what}`;
	const before = turns.get(key) ?? Promise.resolve();
	const mine = waitUnlessAborted(before, client.signal).then(work);
	// When this one gives up waiting, the next still waits for the work before it.
	const all = Promise.allSettled([before, mine]);
	turns.set(key, all);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === all) turns.delete(key);
	}
}

/** How many requests for the same thing are in flight at once; the throttle keeps to the rate limit. */
export const READS_AT_ONCE = 10;

/** Runs `work` for the indexes 0 to count - 1, at most `width` at once. After a failure, none is started. */
export async function runInParallel<T>(
	count: number,
	width: number,
	work: (index: number) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	let next = 0;
	const lane = async () => {
		while (next < count) {
			const index = next++;
			results[index] = await work(index).catch((error: unknown) => {
				next = count;
				throw error;
			});
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
	return results;
}

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

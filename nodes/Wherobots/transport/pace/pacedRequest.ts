import type { Endpoint, RetryClass } from '../../service/endpoints';
import { CancelledError, clock } from '../clock';
import type { SendResult } from '../http';
import { Failure, settle } from '../failure';
import type { RateLimiter } from './rateLimit';
import { mayBeHandled, retryDelay, waitAskedFor, type Attempt } from './retry';

export interface PacedRequest {
	endpoint: Pick<Endpoint, 'retry' | 'doneBefore'>;
	limiter(): RateLimiter;
	/** Sends the request once; it may take `leftMs` milliseconds. */
	send(leftMs: number): Promise<SendResult>;
	/** Ends a wait and prevents the next attempt. */
	signal?: AbortSignal;
	/** Ends an attempt in progress. */
	sendSignal?: AbortSignal;
	/** No attempt starts after this time, by `clock.monotonic`. */
	deadline: number;
}

/** The deadline has passed, or will before the service's rate limit allows another request. */
export interface NoTime {
	kind: 'noTime';
	retryAfterMs?: number;
}

/**
 * Sends a request when the rate limit allows it, and again as the retry policy says.
 *
 * @returns the outcome of the last attempt
 * @throws CancelledError when a signal is aborted first
 */
export async function sendPaced(request: PacedRequest): Promise<SendResult | NoTime> {
	const { endpoint, signal, sendSignal, deadline } = request;
	const mayRetry = retriesOf({ retryClass: endpoint.retry, deadline, signal });
	let responseLost = false;
	let failed: SendResult | undefined;
	for (;;) {
		const admission = await request
			.limiter()
			.acquire({ signal, withinMs: deadline - clock.monotonic() });
		const startedAt = clock.monotonic();
		if (!admission.admitted || startedAt >= deadline) {
			const retryAfterMs = admission.admitted ? undefined : admission.retryAfterMs;
			if (admission.admitted) admission.place.release(false);
			// The cause of the last failure says more than a lack of time.
			return (retryAfterMs === undefined && failed) || { kind: 'noTime', retryAfterMs };
		}

		const result = await request.send(deadline - startedAt);
		let heldForMs: number | undefined;
		if (result.kind === 'response' && result.status === 429) {
			heldForMs = admission.place.refused(waitAskedFor(result, clock.now()));
		} else {
			admission.place.release(result.kind !== 'network');
		}
		if (result.kind !== 'network' && result.kind !== 'response') return result;
		if (sendSignal?.aborted) throw new CancelledError();
		if (responseLost && result.kind === 'response' && result.status === endpoint.doneBefore) {
			return { kind: 'json', body: undefined };
		}
		failed = result;
		responseLost ||= mayBeHandled(result);
		if (!(await mayRetry(result, clock.monotonic() - startedAt, heldForMs))) return failed;
	}
}

/**
 * Decides on further attempts at work that restarts when it fails, and waits between them.
 *
 * @returns a function to call after each failed attempt, with the time to count against the retry
 * policy beside the waits, and how long the rate limiter holds all requests back, if it does; false
 * when there are no further attempts
 */
function retriesOf({
	retryClass = 'repeatable',
	deadline,
	signal,
}: {
	retryClass?: RetryClass;
	deadline: number;
	signal?: AbortSignal;
}): (attempt: Attempt, tookMs?: number, heldForMs?: number) => Promise<boolean> {
	let attempts = 0;
	let elapsedMs = 0;
	return async (attempt, tookMs = 0, heldForMs = undefined) => {
		if (heldForMs === undefined) attempts += 1;
		elapsedMs += tookMs;
		const state = { attempts, elapsedMs, leftMs: deadline - clock.monotonic(), heldForMs };
		const delayMs = retryDelay(retryClass, attempt, state, clock.now(), Math.random());
		if (delayMs === undefined) return false;
		elapsedMs += delayMs;
		await clock.pause(delayMs, signal);
		return true;
	};
}

/** A lost connection, for the retry policy. */
export const LOST: Attempt = { kind: 'network', code: 'ECONNRESET' };

/**
 * Does work that may be repeated, again from the start after each failure of an attempt, as often as
 * the retry policy and the client's deadline allow. The time of the work itself does not count.
 *
 * @param work gets the number of the attempt
 * @throws Failure of the last attempt, which is then no reason to try anything again; any other error
 * at once
 * @throws CancelledError when the execution is cancelled
 */
export async function tryAgain<T>(
	client: { deadline: number; signal?: AbortSignal },
	work: (number: number) => Promise<T>,
): Promise<T> {
	const mayRetry = retriesOf(client);
	for (let number = 1; ; number++) {
		const done = await settle(work(number));
		if (done.ok) return done.value;
		const { error } = done;
		const attempt = error instanceof Failure ? error.parts.attempt : undefined;
		if (!attempt) throw error;
		if (!(await mayRetry(attempt))) throw (error as Failure).with({ attempt: undefined });
	}
}

import type { Endpoint } from '../../service/endpoints';
import { CancelledError, clock } from '../clock';
import type { SendResult } from '../http';
import type { RateLimiter } from './rateLimit';
import {
	decideRetry,
	RETRY_LIMITS,
	waitAskedFor,
	type Attempt,
	type RetryDecision,
	type RetryLimits,
} from './retry';

export interface PacedRequest {
	endpoint: Pick<Endpoint, 'retry' | 'doneBefore'>;
	limiter(): RateLimiter;
	/** Sends the request once; it may take `leftMs` milliseconds. */
	send(leftMs: number): Promise<SendResult>;
	/** Ends a wait and prevents the next attempt. */
	signal?: AbortSignal;
	/** Ends an attempt in progress. */
	sendSignal?: AbortSignal;
	/** No attempt starts after this time (ms since the epoch). */
	deadline: number;
}

export type Success = Extract<SendResult, { kind: 'json' | 'stream' | 'redirect' }>;

export interface FailedRequest extends Pick<RetryDecision, 'ambiguous' | 'temporary'> {
	kind: 'failed';
	result: Exclude<SendResult, Success>;
	attempt: Attempt;
	/** The wait that the service requested, in milliseconds, if any. */
	askedToWaitMs?: number;
}

/** The outcome of a request after all its attempts. */
export type PacedResult =
	| { kind: 'success'; result: Success }
	| FailedRequest
	/** The deadline has passed, or will before the service's rate limit allows another request. */
	| { kind: 'noTime'; retryAfterMs?: number };

/**
 * Sends a request when the rate limit allows it, and again as the retry policy says.
 *
 * @throws CancelledError when a signal is aborted first
 */
export async function sendPaced(request: PacedRequest): Promise<PacedResult> {
	const { endpoint, signal, sendSignal, deadline } = request;
	const startedAt = clock.now();
	let limitedMs = 0;
	let refusals = 0;
	let responseLost = false;
	let failed: FailedRequest | undefined;

	for (let sent = 1; ; sent++) {
		const askedAt = clock.now();
		const admission = await request.limiter().acquire({ signal, withinMs: deadline - askedAt });
		limitedMs += clock.now() - askedAt;
		const leftMs = deadline - clock.now();
		if (!admission.admitted || leftMs <= 0) {
			const retryAfterMs = admission.admitted ? undefined : admission.retryAfterMs;
			if (admission.admitted) admission.place.release(false);
			// The cause of the last failure says more than a lack of time.
			return (retryAfterMs === undefined && failed) || { kind: 'noTime', retryAfterMs };
		}

		const result = await request.send(leftMs);
		const attempt = attemptOf(result);
		const now = clock.now();
		let heldForMs: number | undefined;
		if (attempt?.kind === 'status' && attempt.status === 429) {
			heldForMs = admission.place.refused(waitAskedFor(attempt, now));
			refusals += 1;
		} else {
			admission.place.release(attempt?.kind !== 'network');
		}
		if (result.kind !== 'network' && result.kind !== 'response') {
			return { kind: 'success', result };
		}
		if (sendSignal?.aborted) throw new CancelledError();
		if (responseLost && result.kind === 'response' && result.status === endpoint.doneBefore) {
			return { kind: 'success', result: { kind: 'json', body: undefined } };
		}

		const elapsedMs = now - startedAt - limitedMs;
		const decision = decideRetry(
			endpoint.retry,
			attempt as Attempt,
			{ attempts: sent - refusals, elapsedMs, heldForMs },
			now,
			Math.random(),
			limitsUntil(deadline - now, elapsedMs),
		);
		failed = {
			kind: 'failed',
			result,
			attempt: attempt as Attempt,
			ambiguous: decision.ambiguous,
			temporary: decision.temporary,
			askedToWaitMs: waitAskedFor(attempt as Attempt, now),
		};
		if (!decision.retry) return failed;
		responseLost ||= decision.ambiguous;
		await clock.pause(decision.delayMs, signal);
	}
}

/** Minimum time for another attempt, in milliseconds. */
const SHORTEST_ATTEMPT_MS = 1_000;

/**
 * The limits of the retry policy, tightened by a deadline. Pure.
 *
 * @param leftMs milliseconds until the deadline
 * @param elapsedMs time already counted against the policy, in milliseconds
 */
export function limitsUntil(leftMs: number, elapsedMs: number): RetryLimits {
	const untilDeadline = elapsedMs + leftMs - SHORTEST_ATTEMPT_MS;
	return { ...RETRY_LIMITS, withinMs: Math.min(RETRY_LIMITS.withinMs, untilDeadline) };
}

/** The failed attempt behind a result; undefined for a success. */
function attemptOf(result: SendResult): Attempt | undefined {
	if (result.kind === 'network') return { kind: 'network', code: result.code };
	if (result.kind !== 'response') return undefined;
	const { status, retryAfter, date } = result;
	return { kind: 'status', status, retryAfter, date };
}

/**
 * Counts the attempts at work that restarts when it fails, such as a transfer, and waits between them
 * as the retry policy and the client's deadline say. The time of the work itself does not count.
 *
 * @returns a function to call after each failure; false when there are no further attempts
 */
export function retriesOf({
	deadline,
	signal,
}: {
	deadline: number;
	signal?: AbortSignal;
}): (attempt: Attempt) => Promise<boolean> {
	let attempts = 0;
	let waitedMs = 0;
	return async (attempt) => {
		const now = clock.now();
		const state = { attempts: ++attempts, elapsedMs: waitedMs };
		const limits = limitsUntil(deadline - now, waitedMs);
		const next = decideRetry('repeatable', attempt, state, now, Math.random(), limits);
		if (!next.retry) return false;
		waitedMs += next.delayMs;
		await clock.pause(next.delayMs, signal);
		return true;
	};
}

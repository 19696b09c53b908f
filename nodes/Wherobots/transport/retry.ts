import type { RetryClass } from '../service/endpoints';

/** How one try of a request ended, as far as retrying is concerned. */
export type Attempt =
	/** An answer with a status. `retryAfter` is the raw header. */
	| { kind: 'status'; status: number; retryAfter?: string }
	/** No answer, or one that broke off. `code` is Node's or the HTTP client's error code. */
	| { kind: 'network'; code: string };

export interface RetryState {
	/** Tries made so far, at least 1. */
	tries: number;
	/** Milliseconds since the first try began. */
	elapsedMs: number;
}

export interface RetryLimits {
	tries: number;
	/** No try begins later than this after the first, in milliseconds. */
	withinMs: number;
}

export type RetryDecision =
	| {
			retry: true;
			delayMs: number;
			/** True when the try that failed may have been handled all the same. */
			afterAmbiguous: boolean;
	  }
	| {
			retry: false;
			/** True when the service may have handled the request although it looks failed. */
			ambiguous: boolean;
			/** True when the failure may pass by itself. */
			passing: boolean;
			/** The wait that the service asked for, in milliseconds, when it did. */
			askedToWaitMs?: number;
	  };

/** At most 5 tries within 60 seconds. */
export const RETRY_LIMITS: RetryLimits = { tries: 5, withinMs: 60_000 };

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Statuses that pass by themselves. 500 is among them because the service's own clients repeat it. */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504]);

/**
 * Failures before anything was sent: no connection, no name. "No route" is not among them, because
 * a connection over which a request has gone already can report it too.
 */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Failures before anything was sent that another try cannot mend: bad certificates, invalid headers, forbidden addresses. */
const NOT_SENT_EITHER =
	/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID|ERR_BAD_OPTION|ERR_UNESCAPED|SSRF_)/;

const CANCELLED = 'ERR_CANCELED';

/** Whether the service certainly did nothing: it was not reached, or it refused because of its rate limit. */
function certainlyNotHandled(attempt: Attempt): boolean {
	return attempt.kind === 'status' ? attempt.status === 429 : NEVER_SENT.has(attempt.code);
}

function isTransient(attempt: Attempt): boolean {
	return attempt.kind === 'status'
		? TRANSIENT_STATUSES.has(attempt.status)
		: attempt.code !== CANCELLED && !NOT_SENT_EITHER.test(attempt.code);
}

/**
 * Whether a failed try may have been handled all the same, so that the same request again could
 * have a second effect: everything but a definite refusal. A successful status counts when its
 * body could not be read.
 */
function isAmbiguous(attempt: Attempt): boolean {
	if (certainlyNotHandled(attempt)) return false;
	return attempt.kind === 'network'
		? !NOT_SENT_EITHER.test(attempt.code)
		: attempt.status >= 500 || attempt.status < 300;
}

/**
 * Decides what follows a failed try. Pure: the same arguments give the same answer.
 *
 * Reads and idempotent changes are repeated after network failures and 429, 500, 502, 503, 504;
 * anything else only when it certainly was not handled. The delay is full-jitter exponential
 * backoff, and never shorter than a `Retry-After` of the service; when the delay does not fit into
 * the limits, the answer is to stop rather than to wait less.
 *
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 * @param random a number from 0 up to 1
 */
export function decideRetry(
	retryClass: RetryClass,
	attempt: Attempt,
	state: RetryState,
	now: number,
	random: number,
	limits: RetryLimits = RETRY_LIMITS,
): RetryDecision {
	const askedToWaitMs =
		attempt.kind === 'status' ? parseRetryAfter(attempt.retryAfter, now) : undefined;
	const ambiguous = isAmbiguous(attempt);
	const passing = isTransient(attempt);
	const stop: RetryDecision = { retry: false, ambiguous, passing, askedToWaitMs };

	const allowed = retryClass === 'repeatable' || certainlyNotHandled(attempt);
	if (!passing || !allowed || state.tries >= limits.tries) return stop;

	const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (state.tries - 1));
	const delayMs = (askedToWaitMs ?? 0) + Math.ceil(random * ceiling);
	return state.elapsedMs + delayMs > limits.withinMs
		? stop
		: { retry: true, delayMs, afterAmbiguous: ambiguous };
}

/** A number of seconds as programs print one. */
const SECONDS = /^\d+(\.\d*)?(e[+-]?\d+)?$/i;
/** The three forms of an HTTP date begin with a weekday; ISO 8601 with a year. */
const DATE = /^([A-Za-z]{3,9},? |\d{4}-\d\d-\d\dT)/;
const ZONE = /(GMT|UTC|Z|[+-]\d\d:?\d\d)$/i;

/**
 * A `Retry-After` header in milliseconds, rounded up: whole or fractional seconds, or an HTTP date.
 * Undefined when there is none or it is neither; a date in the past is 0.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
	const text = value?.trim();
	if (!text) return undefined;
	if (SECONDS.test(text)) {
		return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
	}
	if (!DATE.test(text)) return undefined;
	// Without a zone it is UTC all the same, and not the time zone of this machine.
	const date = Date.parse(ZONE.test(text) ? text : `${text} GMT`);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

import type { RetryClass } from '../service/endpoints';
import { clock } from './clock';
import { type FailureParts, TRY_LATER } from './failure';
import { clean } from './text';

/** How an attempt failed. */
export type Attempt =
	/** A response. `retryAfter` and `date` are the raw headers. */
	| { kind: 'response'; status: number; retryAfter?: string; date?: string }
	/** No response, or an incomplete one. `code` is the error code of Node.js or of the HTTP client. */
	| { kind: 'network'; code: string };

/** What the attempts of one request have used up. */
interface Progress {
	/** Attempts made so far, without those that the throttle accounts for (`heldForMs`). */
	attempts: number;
	/** Milliseconds since the first attempt started, without waits for the throttle. */
	elapsedMs: number;
}

interface RetryState extends Progress, Pick<FailedAttempt, 'heldForMs'> {
	/** Milliseconds until no attempt may be in progress anymore. */
	leftMs?: number;
	maxAttempts?: number;
}

/**
 * At most 5 attempts within 60 seconds. Those refused with 429 do not count: nothing is wrong with the
 * request, and processes that share the rate would otherwise lose reads.
 */
export const RETRY_LIMITS = { attempts: 5, withinMs: 60_000 };

/** Minimum time for another attempt, in milliseconds. */
const SHORTEST_ATTEMPT_MS = 1_000;

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
const MAX_REFUSAL_DELAY_MS = 2_000;

/**
 * Jitter after a 429 with `Retry-After`, in milliseconds. Just enough to keep processes from starting
 * together: after a longer delay, a process that never waits has taken the places again.
 */
const REFUSAL_JITTER_MS = 30;

/**
 * Statuses of temporary failures. 500 is included because the service's own clients retry it, 408
 * because a gateway may send it, like 504.
 */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Failures that occur before anything is sent: connection refused, host name not found, credential not
 * loaded. "No route" is not included, because a connection that has already sent a request can report
 * it, too.
 */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CREDENTIAL_UNREADABLE']);

/** The codes of a certificate that is not trusted. */
const BAD_CERTIFICATE = /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** What happened to a connection. */
export type NetworkProblem = 'notFound' | 'refused' | 'timeout' | 'certificate' | 'other';

const PROBLEMS: Array<[RegExp, NetworkProblem]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'notFound'],
	[/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, 'refused'],
	[/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|ERR_TIMEOUT)$/, 'timeout'],
	[BAD_CERTIFICATE, 'certificate'],
];

/** What happened, by the code of the socket or the HTTP client. */
export function classifyNetworkError(code: string): NetworkProblem {
	return PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

const CHECK_NETWORK = "Check 'Base URL' in the credential, and n8n's network connection.";

/** What happened and what to do, by network problem or by one of the package's own codes. */
const NETWORK_SENTENCES: Record<string, [message: string, nextStep: string]> = {
	notFound: ['The host name of the base URL was not found', CHECK_NETWORK],
	refused: ['Could not connect to Wherobots Cloud', CHECK_NETWORK],
	timeout: ['Wherobots Cloud did not respond in time', TRY_LATER],
	certificate: [
		'The certificate of the base URL is not trusted',
		"Check 'Base URL' in the credential, or add your network's certificate to those that n8n trusts.",
	],
	other: ['The connection to Wherobots Cloud was lost', TRY_LATER],
	SSRF_BLOCKED: [
		'This n8n does not allow requests to the base URL',
		"Check 'Base URL' in the credential, or ask your n8n administrator to allow the address.",
	],
	CREDENTIAL_UNREADABLE: [
		'n8n could not load the Wherobots API credential',
		'Nothing was sent to Wherobots Cloud. Select the credential again, or open it and enter the key again.',
	],
	CREDENTIAL_UNUSABLE: [
		'The Wherobots API credential cannot be used',
		'Nothing was sent to Wherobots Cloud. Correct the credential.',
	],
	TRUNCATED: ['The response from Wherobots Cloud was incomplete', TRY_LATER],
};

const ADDRESS_AT_FAULT = /^(ENOTFOUND$|ERR_INVALID)/;

/** Explains an attempt without a complete response. `detail` is the HTTP client's message. Pure. */
export function describeNetwork(code: string, detail: string): FailureParts {
	const [message, step] =
		NETWORK_SENTENCES[Object.hasOwn(NETWORK_SENTENCES, code) ? code : classifyNetworkError(code)];
	return {
		...{ message, description: clean(detail), nextStep: step },
		addressAtFault: ADDRESS_AT_FAULT.test(code) || BAD_CERTIFICATE.test(code),
	};
}

/** Invalid headers, forbidden addresses. */
const UNSENDABLE = /^(ERR_INVALID|ERR_BAD_OPTION|ERR_UNESCAPED|SSRF_|CREDENTIAL_UNUSABLE)/;

const CANCELLED = 'ERR_CANCELED';

/** Whether the service certainly did not handle the request: unreachable, or refused by the rate limit. */
function isCertainlyNotHandled(attempt: Attempt): boolean {
	return attempt.kind === 'response' ? attempt.status === 429 : NEVER_SENT.has(attempt.code);
}

/** Whether nothing was sent, and another attempt does not help. */
function isUnsendable(code: string): boolean {
	return BAD_CERTIFICATE.test(code) || UNSENDABLE.test(code);
}

/** Whether the same request may succeed later. */
export function isTransient(attempt: Attempt): boolean {
	return attempt.kind === 'response'
		? TRANSIENT_STATUSES.has(attempt.status)
		: attempt.code !== CANCELLED && !isUnsendable(attempt.code);
}

/**
 * Whether the service may have handled a failed attempt, so that repeating it could have a second
 * effect. That includes a successful status with an unreadable body.
 */
export function isPossiblyHandled(attempt: Attempt): boolean {
	if (isCertainlyNotHandled(attempt)) return false;
	return attempt.kind === 'network'
		? !isUnsendable(attempt.code)
		: attempt.status >= 500 || attempt.status < 300 || attempt.status === 408;
}

/**
 * How long to wait before another attempt, in milliseconds; undefined when there is none. Pure.
 *
 * Reads and idempotent changes are repeated after network failures and 408, 429, 500, 502, 503, 504;
 * anything else only when it certainly was not handled. The delay is exponential backoff with full
 * jitter, and never shorter than the service's `Retry-After`; a delay that does not fit into the
 * limits ends the request instead of being shortened. While the throttle holds all requests back,
 * the delay is as long as that, and the number of attempts is not limited.
 *
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 * @param random a number from 0 up to 1
 */
export function computeRetryDelay(
	retryClass: RetryClass,
	attempt: Attempt,
	state: RetryState,
	now: number,
	random: number,
): number | undefined {
	const { attempts, elapsedMs, heldForMs } = state;
	const { leftMs = Infinity, maxAttempts = RETRY_LIMITS.attempts } = state;
	const isAllowed = retryClass === 'repeatable' || isCertainlyNotHandled(attempt);
	const isSpent = heldForMs === undefined && attempts >= maxAttempts;
	if (!isTransient(attempt) || !isAllowed || isSpent) return undefined;
	const retryAfterMs = parseWait(attempt, now) ?? 0;
	const delayMs =
		heldForMs === undefined
			? retryAfterMs +
				Math.ceil(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempts - 1)))
			: Math.max(retryAfterMs, heldForMs);
	const isInTime =
		elapsedMs + delayMs <= RETRY_LIMITS.withinMs && delayMs + SHORTEST_ATTEMPT_MS <= leftMs;
	return isInTime ? delayMs : undefined;
}

/**
 * How long no request is sent after a 429, in milliseconds. Pure. With a `Retry-After` it is that plus
 * a little jitter; without one, or with zero, it doubles with each refusal, up to two seconds: whoever
 * asks more seldom than that finds that other processes have taken every slot.
 *
 * @param refusals number of consecutive refusals after such a delay, at least 1
 * @param random a number from 0 up to 1
 */
export function computeRefusalDelay(
	retryAfterMs: number | undefined,
	refusals: number,
	random: number,
): number {
	if (retryAfterMs) return retryAfterMs + Math.ceil(random * REFUSAL_JITTER_MS);
	const ceiling = Math.min(MAX_REFUSAL_DELAY_MS, BASE_DELAY_MS * 2 ** (refusals - 1));
	return Math.ceil((ceiling * (1 + random)) / 2);
}

/**
 * The wait that a response requests, in milliseconds. Pure. A date counts from the response's own
 * date, because two machines' clocks differ by more than most waits.
 *
 * @param now milliseconds since the epoch, for a response without a date
 */
export function parseWait(attempt: Attempt, now: number): number | undefined {
	if (attempt.kind === 'network') return undefined;
	const date = Date.parse(attempt.date ?? '');
	return parseRetryAfter(attempt.retryAfter, Number.isNaN(date) ? now : date);
}

/** A number of seconds, possibly fractional or with an exponent. */
const SECONDS = /^\d+(\.\d*)?(e[+-]?\d+)?$/i;
/** All three forms of an HTTP date start with a weekday, ISO 8601 starts with a year. */
const DATE = /^([A-Za-z]{3,9},? |\d{4}-\d\d-\d\dT)/;
const ZONE = /(GMT|UTC|Z|[+-]\d\d:?\d\d)$/i;

/**
 * A `Retry-After` header in milliseconds, rounded up: whole or fractional seconds, or an HTTP date.
 * Undefined when it is missing or neither of these; 0 for a date in the past.
 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
	const text = value?.trim();
	if (!text) return undefined;
	if (SECONDS.test(text)) {
		return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
	}
	if (!DATE.test(text)) return undefined;
	// A date without a time zone means UTC, not the time zone of this machine.
	const date = Date.parse(ZONE.test(text) ? text : `${text}Z`);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A lost connection, or what else another attempt may mend. */
export const LOST: Attempt = { kind: 'network', code: 'ECONNRESET' };

/** An attempt that failed. */
interface FailedAttempt {
	/** How it failed; undefined when another one cannot help. */
	failed: Attempt | undefined;
	/** After a 429: how long the throttle holds all requests back, in milliseconds. */
	heldForMs?: number;
	/** How long it took, in milliseconds, where that counts against the policy. */
	tookMs?: number;
	/** Words the error, when no attempt follows. */
	explain(): Error | Promise<Error>;
}

export type Tried<T> = { value: T } | FailedAttempt;

interface Limits {
	retryClass?: RetryClass;
	maxAttempts?: number;
	/** No attempt starts after this time, by `clock.monotonic`. */
	deadline: number;
	/** Ends a wait and prevents the next attempt. */
	signal?: AbortSignal;
	/** What earlier attempts have used up, if they count as well; updated. */
	progress?: Progress;
}

/**
 * Attempts something, such as a request or a whole transfer, again from the start after each failure,
 * as often as the policy and the deadline allow. The only loop that does.
 *
 * @param attempt gets its number. What it throws is final.
 * @throws Error what the last attempt explains
 * @throws CancelledError when the execution is cancelled
 */
export async function tryAgain<T>(
	{ retryClass = 'repeatable', maxAttempts, deadline, signal, ...limits }: Limits,
	attempt: (number: number) => Promise<Tried<T>>,
): Promise<T> {
	const { progress = { attempts: 0, elapsedMs: 0 } } = limits;
	for (let number = 1; ; number++) {
		const tried = await attempt(number);
		if ('value' in tried) return tried.value;
		const { failed, heldForMs, tookMs = 0 } = tried;
		if (heldForMs === undefined) progress.attempts += 1;
		progress.elapsedMs += tookMs;
		const leftMs = deadline - clock.monotonic();
		const state = { ...progress, leftMs, heldForMs, maxAttempts };
		const [now, random] = [clock.now(), Math.random()];
		const delayMs = failed && computeRetryDelay(retryClass, failed, state, now, random);
		if (delayMs === undefined) throw await tried.explain();
		progress.elapsedMs += delayMs;
		await clock.pause(delayMs, signal);
	}
}

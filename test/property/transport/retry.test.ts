import fc from 'fast-check';

import type { Attempt } from '../../../nodes/Wherobots/transport/failure';
import {
	delayAfterRefusal,
	isTransient,
	mayBeHandled,
	parseRetryAfter,
	RETRY_LIMITS,
	retryDelay,
	waitAskedFor,
	type RetryState,
} from '../../../nodes/Wherobots/transport/retry';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Failures after which the service certainly did nothing: these and no others. */
const CERTAINLY_NOT_HANDLED = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CREDENTIAL_UNREADABLE'],
]);

const codes = fc.constantFrom(
	...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_NETWORK', 'EPROTO', 'TRUNCATED'],
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UNKNOWN'],
	...['CERT_HAS_EXPIRED', 'ERR_INVALID_CHAR', 'ERR_CANCELED', 'HPE_INVALID_CONSTANT'],
	...['CREDENTIAL_UNREADABLE', 'CREDENTIAL_UNUSABLE'],
);

const retryAfter = fc.option(
	fc.oneof(
		fc.integer({ min: 0, max: 200 }).map(String),
		fc.double({ min: 0, max: 200, noNaN: true }).map((seconds) => seconds.toFixed(3)),
		fc.integer({ min: -60, max: 200 }).map((s) => new Date(NOW + s * 1000).toUTCString()),
		fc.string({ maxLength: 12 }),
	),
	{ nil: undefined },
);

const attempts: fc.Arbitrary<Attempt> = fc.oneof(
	fc.record({
		kind: fc.constant('response' as const),
		status: fc.oneof(
			fc.constantFrom(200, 204, 400, 401, 403, 404, 408, 409, 422, 425, 429),
			fc.constantFrom(500, 501, 502, 503, 504, 520),
		),
		retryAfter,
	}),
	fc.record({ kind: fc.constant('network' as const), code: codes }),
);

const states: fc.Arbitrary<RetryState> = fc.record({
	attempts: fc.integer({ min: 1, max: 8 }),
	elapsedMs: fc.integer({ min: 0, max: 90_000 }),
	heldForMs: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const classes = fc.constantFrom('repeatable' as const, 'once' as const);

describe('retryDelay', () => {
	it('never repeats a request with an effect unless it certainly was not handled', () => {
		fc.assert(
			fc.property(attempts, states, random, (attempt, state, chance) => {
				if (retryDelay('once', attempt, state, NOW, chance) === undefined) return;
				const refused =
					attempt.kind === 'response'
						? attempt.status === 429
						: CERTAINLY_NOT_HANDLED.has(attempt.code);
				expect(refused).toBe(true);
				expect(mayBeHandled(attempt)).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('never waits less than the service asked for, nor longer than the limits allow', () => {
		fc.assert(
			fc.property(classes, attempts, states, random, (retryClass, attempt, state, chance) => {
				const delayMs = retryDelay(retryClass, attempt, state, NOW, chance);
				if (delayMs === undefined) return;
				const asked =
					attempt.kind === 'response' ? (parseRetryAfter(attempt.retryAfter, NOW) ?? 0) : 0;
				expect(delayMs).toBeGreaterThanOrEqual(asked);
				expect(delayMs).toBeLessThanOrEqual(Math.max(asked, state.heldForMs ?? 0) + 15_000);
				if (state.heldForMs === undefined)
					expect(state.attempts).toBeLessThan(RETRY_LIMITS.attempts);
				expect(state.elapsedMs + delayMs).toBeLessThanOrEqual(RETRY_LIMITS.withinMs);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('repeats a read after each documented temporary failure, while there is time', () => {
		const temporary = fc.constantFrom<Attempt>(
			...[429, 500, 502, 503, 504].map((status) => ({ kind: 'response' as const, status })),
			...['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'EHOSTUNREACH', 'TRUNCATED'].map((code) => ({
				kind: 'network' as const,
				code,
			})),
		);
		const early = fc.record({
			attempts: fc.integer({ min: 1, max: 4 }),
			elapsedMs: fc.integer({ min: 0, max: 40_000 }),
		});
		fc.assert(
			fc.property(temporary, early, random, (attempt, state, chance) => {
				expect(retryDelay('repeatable', attempt, state, NOW, chance)).toBeDefined();
			}),
		);
	});

	it('never repeats a request whose response will not change', () => {
		const final = fc.constantFrom(200, 301, 400, 401, 403, 404, 409, 422);
		fc.assert(
			fc.property(classes, final, states, random, (retryClass, status, state, chance) => {
				const attempt = { kind: 'response', status } as const;
				expect(retryDelay(retryClass, attempt, state, NOW, chance)).toBeUndefined();
			}),
		);
	});

	it('repeats after 429 as long as there is time, when the rate limiter allows it again', () => {
		fc.assert(
			fc.property(classes, states, random, (retryClass, state, chance) => {
				const refused = { kind: 'response', status: 429 } as const;
				const delayMs = retryDelay(retryClass, refused, state, NOW, chance);
				const { elapsedMs, heldForMs } = state;
				if (heldForMs === undefined) return;
				const isTime = elapsedMs + heldForMs <= RETRY_LIMITS.withinMs;
				expect(delayMs).toBe(isTime ? heldForMs : undefined);
				expect([isTransient(refused), mayBeHandled(refused)]).toEqual([true, false]);
			}),
		);
	});

	it('calls every failure ambiguous in which the service may have acted', () => {
		fc.assert(
			fc.property(codes, (code) => {
				const neverLeft =
					CERTAINLY_NOT_HANDLED.has(code) || /^(CERT_|ERR_INVALID|CREDENTIAL_)/.test(code);
				expect(mayBeHandled({ kind: 'network', code })).toBe(!neverLeft);
			}),
		);
	});
});

describe('parseRetryAfter', () => {
	it('rounds seconds up to milliseconds, whole, fractional or in scientific notation', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (seconds) => {
				for (const text of [String(seconds), ` ${seconds} `]) {
					const ms = parseRetryAfter(text, NOW);
					expect(ms).toBeGreaterThanOrEqual(seconds * 1000);
					expect(ms).toBeLessThanOrEqual(seconds * 1000 + 1);
				}
			}),
		);
	});

	it('reads HTTP dates in all three forms of the standard, as UTC', () => {
		const at = new Date('2026-11-21T12:00:30Z');
		expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', NOW)).toBe(30_000);
		expect(parseRetryAfter('Saturday, 21-Nov-26 12:00:30 GMT', NOW)).toBe(30_000);
		expect(parseRetryAfter('Sat Nov 21 12:00:30 2026', NOW)).toBe(30_000);
		expect(parseRetryAfter(at.toISOString(), NOW)).toBe(30_000);
		expect(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', NOW)).toBe(0);
	});

	it('gives a wait or nothing for any text', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const ms = parseRetryAfter(text, NOW);
				if (ms !== undefined) expect(ms).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 1_000 },
		);
		for (const none of [undefined, '', ' ', 'soon', '-1', 'NaN', 'Infinity', '1,5', '0x10']) {
			expect(parseRetryAfter(none, NOW)).toBeUndefined();
		}
	});
});

describe('waitAskedFor', () => {
	it('counts a date from the date of the response, however wrong the clock of n8n is', () => {
		const seconds = fc.integer({ min: 0, max: 600 });
		const offsets = fc.integer({ min: -86_400_000, max: 86_400_000 });
		fc.assert(
			fc.property(seconds, offsets, (wait, offset) => {
				const date = new Date(NOW).toUTCString();
				const retryAfter = new Date(NOW + wait * 1000).toUTCString();
				const attempt = { kind: 'response', status: 429, retryAfter, date } as const;
				expect(waitAskedFor(attempt, NOW + offset)).toBe(wait * 1000);
			}),
		);
	});

	it.each([undefined, 'some day'])('counts it from the time of n8n when that is %s', (date) => {
		const retryAfter = new Date(NOW + 30_000).toUTCString();
		expect(waitAskedFor({ kind: 'response', status: 503, retryAfter, date }, NOW)).toBe(30_000);
	});
});

describe('delayAfterRefusal', () => {
	it('is what the service asked for and hardly more, or grows up to fifteen seconds without that', () => {
		const asked = fc.option(fc.integer({ min: 0, max: 600_000 }), { nil: undefined });
		fc.assert(
			fc.property(asked, fc.integer({ min: 1, max: 1_000 }), random, (ms, refusals, chance) => {
				const delay = delayAfterRefusal(ms, refusals, chance);
				if (ms) {
					expect(delay).toBeGreaterThanOrEqual(ms);
					expect(delay).toBeLessThanOrEqual(ms + 30);
					return;
				}
				// A Retry-After of 0, or a date that has passed, says nothing either.
				const ceiling = Math.min(15_000, 500 * 2 ** (refusals - 1));
				expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
				expect(delay).toBeLessThanOrEqual(ceiling);
			}),
		);
	});
});

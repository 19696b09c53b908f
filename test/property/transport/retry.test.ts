import fc from 'fast-check';

import {
	type Attempt,
	isPossiblyHandled,
	RETRY_LIMITS,
	computeRetryDelay,
	parseWait,
} from '../../../nodes/Wherobots/transport/retry';
import { forAll, USUALLY } from '../../support/forAll';

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

const heldForMs = fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined });

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

const states: fc.Arbitrary<Parameters<typeof computeRetryDelay>[2]> = fc.record({
	attempts: fc.integer({ min: 1, max: 8 }),
	elapsedMs: fc.integer({ min: 0, max: 90_000 }),
	heldForMs,
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const classes = fc.constantFrom('repeatable' as const, 'once' as const);

describe('computeRetryDelay', () => {
	it('never repeats a request with an effect unless it certainly was not handled', async () =>
		await forAll([attempts, states, random], 2_000, (attempt, state, chance) => {
			if (computeRetryDelay('once', attempt, state, NOW, chance) === undefined) return;
			const refused =
				attempt.kind === 'response'
					? attempt.status === 429
					: CERTAINLY_NOT_HANDLED.has(attempt.code);
			expect(refused).toBe(true);
			expect(isPossiblyHandled(attempt)).toBe(false);
		}));

	it('never waits less than the service asked for, nor longer than the limits allow', async () =>
		await forAll(
			[classes, attempts, states, random],
			2_000,
			(retryClass, attempt, state, chance) => {
				const delayMs = computeRetryDelay(retryClass, attempt, state, NOW, chance);
				if (delayMs === undefined) return;
				const asked = parseWait(attempt, NOW) ?? 0;
				expect(delayMs).toBeGreaterThanOrEqual(asked);
				expect(delayMs).toBeLessThanOrEqual(Math.max(asked, state.heldForMs ?? 0) + 5_000);
				if (state.heldForMs === undefined)
					expect(state.attempts).toBeLessThan(RETRY_LIMITS.attempts);
				expect(state.elapsedMs + delayMs).toBeLessThanOrEqual(RETRY_LIMITS.withinMs);
			},
		));
});

describe('parseWait', () => {
	it('counts a date from the date of the response, however wrong the clock of n8n is', async () => {
		const seconds = fc.integer({ min: 0, max: 600 });
		const offsets = fc.integer({ min: -86_400_000, max: 86_400_000 });
		await forAll([seconds, offsets], USUALLY, (wait, offset) => {
			const date = new Date(NOW).toUTCString();
			const retryAfter = new Date(NOW + wait * 1000).toUTCString();
			const attempt = { kind: 'response', status: 429, retryAfter, date } as const;
			expect(parseWait(attempt, NOW + offset)).toBe(wait * 1000);
		});
	});

	it.each([undefined, 'some day'])('counts it from the time of n8n when that is %s', (date) => {
		const retryAfter = new Date(NOW + 30_000).toUTCString();
		expect(parseWait({ kind: 'response', status: 503, retryAfter, date }, NOW)).toBe(30_000);
	});
});

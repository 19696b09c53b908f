import {
	type Attempt,
	computeRefusalDelay,
	isTransient,
	isPossiblyHandled,
	computeRetryDelay,
	parseWait,
} from '../../../nodes/Wherobots/transport/retry';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const status = (code: number, retryAfter?: string): Attempt => {
	return { kind: 'response', status: code, retryAfter };
};
const network = (code: string): Attempt => ({ kind: 'network', code });
const fresh = { attempts: 1, elapsedMs: 0 };

/** What a request that may be repeated does next, when the chance is in the middle. */
const decide = (attempt: Attempt, state: Parameters<typeof computeRetryDelay>[2] = fresh) =>
	computeRetryDelay('repeatable', attempt, state, NOW, 0.5);

describe('the delay', () => {
	it('doubles with each attempt', () => {
		const delays = [1, 2, 3, 4].map((attempts) => decide(status(503), { ...fresh, attempts }));
		expect(delays).toEqual([250, 500, 1_000, 2_000]);
	});

	it('comes on top of what the service asks for', () => {
		expect([decide(status(503, '3')), decide(status(429, '3'))]).toEqual([3_250, 3_250]);
	});

	it('after a 429 is as long as all requests wait, and no shorter than was asked for', () => {
		const held = { ...fresh, heldForMs: 4_000 };
		expect(decide(status(429, '3'), held)).toBe(4_000);
		expect(decide(status(429, '5'), held)).toBe(5_000);
	});

	it('fits into the time that is left, to the millisecond', () => {
		const after = (elapsedMs: number) => decide(status(503), { attempts: 1, elapsedMs });
		expect([after(59_750), after(59_751)]).toEqual([250, undefined]);
		const before = (leftMs: number) => decide(status(503), { ...fresh, leftMs });
		expect([before(1_250), before(1_249)]).toEqual([250, undefined]);
	});
});

describe('the end', () => {
	it('comes after so many attempts, those that were refused with 429 not among them', () => {
		const after = (attempt: Attempt, attempts: number, heldForMs?: number) =>
			decide(attempt, { attempts, elapsedMs: 0, heldForMs }) !== undefined;
		expect([after(status(503), 4), after(status(503), 5)]).toEqual([true, false]);
		expect([after(network('EPIPE'), 5), after(status(429), 5, 1)]).toEqual([false, true]);
	});

	it.each<[Attempt, boolean, boolean]>([
		[status(200), true, false],
		[status(299), true, false],
		[status(300), false, false],
		[status(404), false, false],
		[status(408), true, true],
		[status(499), false, false],
		[status(500), true, true],
		[status(501), true, false],
		[status(502), true, true],
		[status(503), true, true],
		[status(504), true, true],
		[status(429), false, true],
		[network('ECONNRESET'), true, true],
		[network('ERR_CANCELED'), true, false],
		[network('ERR_TLS_CERT_ALTNAME_INVALID'), false, false],
		[network('SSRF_BLOCKED'), false, false],
		[network('NO_CERT_'), true, true],
		[network('ENOTFOUND'), false, true],
		[network('EAI_AGAIN'), false, true],
		[network('ECONNREFUSED'), false, true],
		[network('EHOSTUNREACH'), true, true],
		[network('TRUNCATED'), true, true],
		[network('CREDENTIAL_UNREADABLE'), false, true],
		[network('CREDENTIAL_UNUSABLE'), false, false],
		[network('CERT_HAS_EXPIRED'), false, false],
		[network('ERR_INVALID_CHAR'), false, false],
	])('says of %j whether it was handled (%s) and passes (%s)', (attempt, ambiguous, temporary) => {
		expect([isPossiblyHandled(attempt), isTransient(attempt)]).toEqual([ambiguous, temporary]);
		expect(decide(attempt) !== undefined).toBe(temporary);
	});

	it('comes not when the service asks to wait longer than there is time', () => {
		expect(decide(status(503, '61'))).toBeUndefined();
		expect(parseWait(status(503, '61'), NOW)).toBe(61_000);
		expect(parseWait(network('ECONNRESET'), NOW)).toBeUndefined();
	});
});

it.each([
	[undefined, 1, 0, 250],
	[undefined, 1, 0.5, 375],
	[0, 2, 0.5, 750],
	[undefined, 3, 0.5, 1_500],
	[undefined, 9, 0.5, 1_500],
	[700, 9, 0.5, 715],
	[700, 1, 0, 700],
])(
	'after a wait of %s and %i refusals, chance %d gives %i milliseconds',
	(asked, refusals, chance, ms) => {
		expect(computeRefusalDelay(asked, refusals, chance)).toBe(ms);
	},
);

describe('Retry-After', () => {
	it.each([
		['5', 5_000],
		[' 5 ', 5_000],
		['5.', 5_000],
		['0.0001', 1],
		['1e2', 100_000],
		['1E+1', 10_000],
		['2.5e-1', 250],
		['9'.repeat(30), Number.MAX_SAFE_INTEGER],
		['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
		['Sat, 21 Nov 2026 12:00:30 gmt', 30_000],
		['Sat, 21 Nov 2026 13:00:30 +0100', 30_000],
		['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
		['Sat Nov 21 12:00:30 2026', 30_000],
		['2026-11-21T12:00:30', 30_000],
		['2026-11-21T13:00:30+01:00', 30_000],
		['2026-11-21T12:00:30Z', 30_000],
		['2026-11-21T11:00:00Z', 0],
	])('%j is %i milliseconds', (value, ms) => {
		expect(parseWait(status(429, value), NOW)).toBe(ms);
	});

	it.each([
		...['5s', 's5', '.5', '-5', '5 6', '1e', 'e5', '1e5x', 'Sa, 21 Nov 2026 12:00:30 GMT'],
		...['1Sat, 21 Nov 2026 12:00:30 GMT', 'x2026-11-21T12:00:30Z', '2026-11-21', 'Sat, soon'],
		...['21 Nov 2026 12:00:30 GMT', 'Sat,21 Nov 2026'],
	])('%j is none', (value) => {
		expect(parseWait(status(429, value), NOW)).toBeUndefined();
	});
});

import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { explain, withRecoveryHint } from '../../../nodes/Wherobots/transport/explain';

type Unsuccessful = Parameters<typeof explain>[1];

const NOW = Date.parse('2026-11-21T12:00:00Z');

const lost: Unsuccessful = { kind: 'network', code: 'ECONNRESET', detail: 'socket hang up' };
const response = (status: number, more: object = {}): Unsuccessful => ({
	...{ kind: 'response', status, text: '', contentType: '' },
	...more,
});

it('a failure has the values of its path, and whether and when it passes', () => {
	const path = { run_id: 'r1' };
	expect(explain(endpoints.getRun, response(404), { path }, NOW)).toMatchObject({
		httpCode: '404',
		facts: { runId: 'r1' },
		retryAfterMs: undefined,
		temporary: false,
	});
	const busy = response(503, { retryAfter: new Date(NOW + 7_000).toUTCString() });
	expect(explain(endpoints.getRun, busy, { path }, NOW)).toMatchObject({
		retryAfterMs: 7_000,
		temporary: true,
	});
	expect(explain(endpoints.getRun, lost, { path }, NOW)).toMatchObject({
		description: expect.stringContaining('socket hang up'),
		temporary: true,
	});
});

it('a failure says how long a wait the service asks for, when that is too long to be repeated', () => {
	const refused = (retryAfter: string) =>
		explain(endpoints.getRun, response(429, { retryAfter }), {}, NOW).description;
	expect(refused('300')).toContain('It asks to wait 300 seconds.');
	expect(refused('3')).not.toContain('seconds');
});

describe('what to look for', () => {
	const recoveryHint = 'a job run named "x"';

	it('is said of what may have been created', () => {
		const failure = explain(endpoints.createRun, lost, { recoveryHint }, NOW);
		expect(failure.description).toContain(recoveryHint);
		expect(failure.ambiguous).toBe(true);
	});

	it.each([
		['of a request that may be repeated', endpoints.getRun, lost],
		['when it is certain that nothing was created', endpoints.createRun, response(404)],
	])('is not said %s', (_, endpoint, outcome) => {
		const failure = explain(endpoint, outcome, { recoveryHint }, NOW);
		expect(failure.description).not.toContain(recoveryHint);
		expect(failure.ambiguous).toBeFalsy();
	});
});

describe('withRecoveryHint', () => {
	const failure = { message: 'Lost', description: 'Why.' };

	it.each([
		[{ kind: 'network', code: 'ECONNRESET' } as const, 'no complete response arrived'],
		[{ kind: 'response', status: 503 } as const, 'HTTP 503'],
	])('says what to look for after %j', (attempt, where) => {
		expect(withRecoveryHint(failure, attempt, 'a job run named "x"')).toEqual({
			ambiguous: true,
			message: 'Lost: it is not certain whether the request was carried out',
			description: `It was not repeated, because that could carry it out twice (${where}).\nBefore you try again, look for a job run named "x".\nWhy.`,
		});
		expect(withRecoveryHint(failure, attempt).description).not.toContain('look for');
	});
});

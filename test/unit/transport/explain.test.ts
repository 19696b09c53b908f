import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import * as explaining from '../../../nodes/Wherobots/transport/explain';
import { asRead } from '../../support/asRead';

const explain = (...given: Parameters<typeof explaining.explain>) =>
	asRead(explaining.explain(...given));

type Unsuccessful = Parameters<typeof explain>[1];

const NOW = Date.parse('2026-11-21T12:00:00Z');

const lost: Unsuccessful = { kind: 'network', code: 'ECONNRESET', detail: 'socket hang up' };
const response = (status: number, retryAfter?: string): Unsuccessful => ({
	...{ kind: 'response', status, text: '', contentType: '', retryAfter },
});

it('a failure has the values of its path, and whether and when it passes', () => {
	const path = { run_id: 'r1' };
	expect(explain(endpoints.getRun, response(404), { path }, NOW)).toMatchObject({
		...{ httpCode: '404', facts: { runId: 'r1' }, retryAfterMs: undefined, temporary: false },
	});
	const busy = response(503, new Date(NOW + 7_000).toUTCString());
	expect(explain(endpoints.getRun, busy, {}, NOW)).toMatchObject({
		...{ retryAfterMs: 7_000, temporary: true },
	});
});

it('a failure says how long a wait the service asks for, when that is too long to be repeated', () => {
	const refused = (retryAfter: string) =>
		explain(endpoints.getRun, response(429, retryAfter), {}, NOW).description;
	expect(refused('300')).toContain('Wherobots Cloud asks n8n to wait 300 seconds.');
	expect(refused('3')).not.toContain('seconds');
});

it.each<[string, keyof typeof endpoints, Unsuccessful, string | undefined]>([
	['of what may have been created', 'createRun', lost, 'no complete response arrived'],
	['of that with its status', 'createRun', response(503), 'HTTP 503'],
	['but not of a request that may be repeated', 'getRun', lost, undefined],
	['nor when nothing was created for certain', 'createRun', response(404), undefined],
])('what to look for is said %s', (_, id, outcome, why) => {
	const recoveryHint = 'a job run named "x"';
	const failure = explain(endpoints[id], outcome, { recoveryHint }, NOW);
	const { message, description = '', ambiguous = false } = failure;
	expect([description.includes(recoveryHint), ambiguous]).toEqual([!!why, !!why]);
	if (why === undefined) return;
	expect(message).toMatch(/: it is not certain whether the request was carried out$/);
	expect(description).toMatch(
		/^It was not sent again, because it might then be carried out twice \(/,
	);
	expect(description).toContain(`(${why}).\n`);
	expect(description).toMatch(/\nBefore you try again, look for a job run named "x"\.$/);
	expect(description).not.toContain('Try again later');
});

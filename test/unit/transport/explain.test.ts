import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import * as explaining from '../../../nodes/Wherobots/transport/explain';
import * as network from '../../../nodes/Wherobots/transport/retry';
import { asRead } from '../../support/asRead';

const explain = (...given: Parameters<typeof explaining.explain>) =>
	asRead(explaining.explain(...given));
const describeNetwork = (code: string, detail: string) =>
	asRead(network.describeNetwork(code, detail));
const describeNoTime = (retryAfterMs?: number) => asRead(explaining.describeNoTime(retryAfterMs));

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

describe('describeNetwork', () => {
	const HOST = 'The host name of the base URL was not found';
	const NO_CONNECTION = 'Could not connect to Wherobots Cloud';
	const LATE = 'Wherobots Cloud did not respond in time';
	const CERTIFICATE = 'The certificate of the base URL is not trusted';
	const LOST = 'The connection to Wherobots Cloud was lost';

	it.each([
		['ENOTFOUND', HOST, /^words\nCheck 'Base URL' .* n8n's network connection\.$/, true],
		['EAI_AGAIN', HOST, /Base URL/, false],
		['ECONNREFUSED', NO_CONNECTION, /^words\nCheck 'Base URL'/, false],
		['EHOSTUNREACH', NO_CONNECTION, /Base URL/, false],
		['ENETUNREACH', NO_CONNECTION, /Base URL/, false],
		['ETIMEDOUT', LATE, /^words\nTry again later\.$/, false],
		['ECONNABORTED', LATE, /./, false],
		['ESOCKETTIMEDOUT', LATE, /./, false],
		['ERR_TIMEOUT', LATE, /./, false],
		['CERT_HAS_EXPIRED', CERTIFICATE, /to those that n8n trusts/, true],
		['DEPTH_ZERO_SELF_SIGNED_CERT', CERTIFICATE, /./, true],
		['SELF_SIGNED_CERT_IN_CHAIN', CERTIFICATE, /./, true],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', CERTIFICATE, /./, true],
		['ERR_TLS_CERT_ALTNAME_INVALID', CERTIFICATE, /./, true],
		['SSRF_BLOCKED', 'This n8n does not allow requests to the base URL', /administrator/, false],
		['CREDENTIAL_UNREADABLE', 'n8n could not load the Wherobots API credential', /Nothing/, false],
		['CREDENTIAL_UNUSABLE', 'The Wherobots API credential cannot be used', /Correct/, false],
		['TRUNCATED', 'The response from Wherobots Cloud was incomplete', /later/, false],
		['ERR_INVALID_URL', LOST, /^words\nTry again later\.$/, true],
		['ECONNRESET', LOST, /^words\nTry again later\.$/, false],
		['NOT_ENOTFOUND', LOST, /./, false],
		['ENOTFOUNDED', LOST, /./, false],
	])('explains %s', (code, message, description, addressAtFault) => {
		const failure = describeNetwork(code, 'words');
		expect(failure).toMatchObject({ message, addressAtFault });
		expect(failure.description).toMatch(description);
		expect(describeNetwork(code, '').description).not.toContain('\n\n');
	});
});

describe('describeNoTime', () => {
	it('tells how long the service asked to wait', () => {
		expect(describeNoTime(1_200)).toEqual({
			message: 'Wherobots Cloud is receiving too many requests',
			description:
				'Wherobots Cloud asks n8n to wait 2 seconds.\nThis request was not sent.\nTry again later.',
			httpCode: '429',
			retryAfterMs: 1_200,
			temporary: true,
		});
		expect(describeNoTime(0).httpCode).toBe('429');
	});

	it('tells that earlier requests took too long', () => {
		expect(describeNoTime()).toEqual({
			message: 'There was no time left for a request to Wherobots Cloud',
			description: 'Earlier requests took too long.\nTry again later.',
			temporary: true,
		});
	});
});

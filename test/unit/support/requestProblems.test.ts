import type { Exchange } from '../../sandbox';
import { requestProblems } from '../../support/requestProblems';

const node = {
	'user-agent': 'n8n-nodes-wherobots/0.1.0',
	'x-wherobots-client': 'client=n8n;ver=0.1.0',
	'x-api-key': 'key',
};
const typed = { ...node, 'content-type': 'application/json' };

function problemsOf(request: object): string {
	const sent = { method: 'GET', path: '/x', query: {}, headers: node, ...request };
	const { body } = sent as { body?: unknown };
	const text = body === undefined ? '' : JSON.stringify(body);
	return requestProblems({ request: { ...sent, text } } as unknown as Exchange).join('\n');
}

const list = { endpoint: 'listApiKeys' };
const create = { endpoint: 'createApiKey', headers: typed };
const time = '2026-11-21T12:00:00';
const body = { name: 'n', expiresAt: `${time}Z` };

it('a request as the service describes it is right', () => {
	expect(problemsOf(list)).toBe('');
	expect(problemsOf({ ...create, body })).toBe('');
	expect(problemsOf({ endpoint: 'queryAuditLog', query: { size: '100' } })).toBe('');
});

it.each([
	['an unknown parameter', { ...list, query: { customer: '1' } }, 'customer'],
	['what the stand-in refuses', { ...create, body: { ...body, days: 1 } }, 'days'],
	['a local time', { ...create, body: { ...body, expiresAt: `${time}+01:00` } }, 'expires'],
	['a content type without a body', { ...list, headers: typed }, 'content type'],
	['no name of the client', { ...list, headers: { ...node, 'x-wherobots-client': '' } }, 'client'],
	['no authentication', { ...list, headers: { ...node, 'x-api-key': '' } }, '0 kinds'],
	['two kinds of it', { ...list, headers: { ...node, authorization: 'Bearer t' } }, '2 kinds'],
])('%s is noticed in a request', (_, request, problem) => {
	expect(problemsOf(request)).toContain(problem);
});

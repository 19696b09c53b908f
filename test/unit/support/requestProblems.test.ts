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

const create = { endpoint: 'createApiKey', headers: typed };
const body = { name: 'n', expiresAt: '2026-11-21T12:00:00Z' };

it('a request as the service describes it is right', () => {
	expect(problemsOf({ endpoint: 'listApiKeys' })).toBe('');
	expect(problemsOf({ ...create, body })).toBe('');
	expect(problemsOf({ endpoint: 'queryAuditLog', query: { size: '100' } })).toBe('');
});

it.each([
	['an unknown parameter', { endpoint: 'listApiKeys', query: { customer: '1' } }, 'customer'],
	['a page size above the maximum', { endpoint: 'queryAuditLog', query: { size: '101' } }, 'size'],
	[
		'a time that is not in UTC',
		{ ...create, body: { ...body, expiresAt: '2026-11-21T12:00:00+01:00' } },
		'expires',
	],
	['a missing field', { ...create, body: { name: 'n' } }, 'expiresAt'],
	['an unknown field', { ...create, body: { ...body, days: 1 } }, 'days'],
	['a body where none belongs', { endpoint: 'listApiKeys', headers: typed, body: {} }, 'body'],
	['a content type without a body', { endpoint: 'listApiKeys', headers: typed }, 'content type'],
	[
		'no name of the client',
		{ endpoint: 'listApiKeys', headers: { ...node, 'x-wherobots-client': '' } },
		'client',
	],
	[
		'no authentication',
		{ endpoint: 'listApiKeys', headers: { ...node, 'x-api-key': '' } },
		'0 kinds',
	],
	[
		'two kinds of it',
		{ endpoint: 'listApiKeys', headers: { ...node, authorization: 'Bearer t' } },
		'2 kinds',
	],
])('%s is noticed in a request', (_, request, problem) => {
	expect(problemsOf(request)).toContain(problem);
});

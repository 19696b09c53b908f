import { exchangeProblems } from '../../contract/check';
import { contracts } from '../../contract';
import { endpoints, interfaceEndpoints } from '../../interface/endpoints';
import { routes, type Exchange } from '../../sandbox';

const node = {
	'user-agent': 'n8n-nodes-wherobots/0.1.0',
	'x-wherobots-client': 'client=n8n;ver=0.1.0',
	'x-api-key': 'key',
};

function exchange(
	request: Partial<Exchange['request']>,
	response?: Exchange['response'],
): Exchange {
	return {
		request: {
			id: '1',
			method: 'GET',
			path: '/x',
			query: {},
			headers: node,
			text: '',
			at: 0,
			receivedAt: 0,
			...request,
		},
		response,
	};
}

const time = '2026-11-21T12:00:00Z';
const apiKey = {
	id: '1',
	createTime: time,
	updateTime: time,
	partialApiKey: 'a...z',
	preview: 'a...z',
	name: 'n',
	valid: true,
	revoked: false,
	expiresAt: time,
	createdById: null,
	createdBy: null,
};

const typed = { ...node, 'content-type': 'application/json' };
const create = { endpoint: 'createApiKey', method: 'POST', headers: typed } as const;
const body = { name: 'n', expiresAt: time };

it('has nothing to say about exchanges that keep the contract', () => {
	expect(exchangeProblems(exchange({ endpoint: 'listApiKeys' }, { json: [apiKey] }))).toEqual([]);
	const created = exchange({ ...create, body }, { json: { ...apiKey, key: 's' } });
	expect(exchangeProblems(created)).toEqual([]);
	const size = exchange({ endpoint: 'queryAuditLog', query: { size: '100' } });
	expect(exchangeProblems(size)).toEqual([]);
});

it.each([
	['an unknown parameter', { endpoint: 'listApiKeys', query: { customer: '1' } }, 'customer'],
	['a page size above the maximum', { endpoint: 'queryAuditLog', query: { size: '101' } }, 'size'],
	['a time that is not UTC', { ...create, body: { ...body, expiresAt: '2026-11-21' } }, 'expires'],
	['a name that is too long', { ...create, body: { ...body, name: 'n'.repeat(51) } }, 'name'],
	['a missing field', { ...create, body: { name: 'n' } }, 'expiresAt'],
	['an unknown field', { ...create, body: { ...body, days: 1 } }, 'days'],
	['a missing parameter', { endpoint: 'getGlueCreateLink', query: { name: 'n' } }, 'region'],
	['a body where none belongs', { endpoint: 'listApiKeys', headers: typed, body: {} }, 'body'],
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
] as const)('finds %s in a request', (_, request, problem) => {
	expect(exchangeProblems(exchange(request as never)).join('\n')).toContain(problem);
});

it.each([
	['a missing field', { json: [{ ...apiKey, valid: undefined }] }, 'valid'],
	['an invented field', { json: [{ ...apiKey, key: 'secret' }] }, 'key'],
	['a wrong type', { json: [{ ...apiKey, revoked: 'no' }] }, 'revoked'],
	['an error without its envelope', { status: 404, json: { detail: 'no' } }, 'errors'],
])('finds %s in a response', (_, response, problem) => {
	expect(exchangeProblems(exchange({ endpoint: 'listApiKeys' }, response)).join('\n')).toContain(
		problem,
	);
});

it('serves and describes every endpoint, once', () => {
	const all = Object.keys(endpoints).sort();
	expect(routes.map(({ endpoint }) => endpoint).sort()).toEqual(all);
	expect(Object.keys(contracts).sort()).toEqual(all);
});

it('has the 35 endpoints of the interface', () => {
	expect(Object.keys(interfaceEndpoints)).toHaveLength(35);
});

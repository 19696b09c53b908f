import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';
import { additionalData } from '../harness/engine';
import { credentialsFor, suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

/** Tests the sandbox's own credential with some fields changed, as n8n's "Test" button does. */
async function tested(change: ICredentialDataDecryptedObject = {}) {
	const data = { ...credentialsFor(suite.sandbox), ...change };
	const context = new CredentialTestContext(additionalData(undefined, data));
	const { testWherobotsApi } = new Wherobots().methods.credentialTest;
	return await testWherobotsApi.call(context, { id: '1', name: 'any', type: 'wherobotsApi', data });
}

it.each([new Wherobots(), new WherobotsTrigger()])(
	'is found by n8n at $description.name',
	(node) => {
		const [{ testedBy }] = node.description.credentials ?? [];
		expect(node.methods.credentialTest).toHaveProperty(String(testedBy));
	},
);

it('accepts a good key with one small request, whatever ends the address', async () => {
	const { baseUrl, requests, credentials } = suite;
	const bearer = {
		authentication: 'bearerToken',
		apiKey: '',
		bearerToken: credentials.admin.bearerToken,
	};
	for (const change of [{ baseUrl }, { baseUrl: ` ${baseUrl}/ ` }, bearer]) {
		expect(await tested(change)).toEqual({ status: 'OK', message: 'Connection successful!' });
	}
	expect(requests.of('listRuns').map(({ query }) => query)).toEqual(Array(3).fill({ size: '1' }));
	expect(requests.of('listRuns')[0].headers['user-agent']).toMatch(/^n8n-nodes-wherobots/);
});

/** A service whose list of job runs is this body. */
function responds(body: string, { status = 200, contentType = 'application/json' } = {}): void {
	suite.fails('listRuns', { kind: 'replace', status, contentType, body }, { times: 1 });
}

it.each([
	[401, /did not accept the API key or token/],
	[403, /is not allowed to list job runs/],
	[404, /Wherobots Cloud was not found at this address\. Check 'Base URL'/],
	[429, /too many requests/i],
	[500, /could not process the request \(HTTP 500\)|internal server error/i],
	[503, /Service Unavailable|HTTP 503/i],
])('explains status %i, whatever its body', async (status, explanation) => {
	for (const body of ['json', 'html', 'empty'] as const) {
		suite.fails('listRuns', { kind: 'status', status, body }, { times: 1 });
		const { message, ...verdict } = await tested();
		expect(verdict).toEqual({ status: 'Error' });
		expect(message).toMatch(explanation);
	}
	expect(suite.requests.of('listRuns')).toHaveLength(3);
});

it('explains what is wrong before it sends anything', async () => {
	expect((await tested({ apiKey: '' })).message).toContain("'API Key' is empty");
	expect((await tested({ apiKey: '“key”' })).message).toContain('contains a space or another');
	expect((await tested({ baseUrl: 'http://wherobots.invalid' })).message).toContain('https://');
	expect(suite.requests.all()).toEqual([]);
});

it('explains an address where nothing listens, and shows no key', async () => {
	const { message } = await tested({ baseUrl: 'http://127.0.0.1:1', apiKey: 'a-key-to-hide' });
	expect(message).toContain('Could not connect to Wherobots Cloud');
	expect(message).not.toContain('a-key-to-hide');
});

it('follows no redirect', async () => {
	const headers = { location: 'http://127.0.0.1:1/' };
	suite.fails('listRuns', { kind: 'status', status: 302, headers }, { times: 1 });
	expect((await tested()).message).toContain('The base URL redirects to another address');
});

it.each([
	['an empty list', '{"items": []}', 'Connection successful!'],
	['an empty body', '', /^Something other than Wherobots Cloud responded there\./],
	['a bare list', '[]', /^Something other than Wherobots Cloud/],
	['items that are no list', '{"items": {"length": 1}}', /^Something other than Wherobots Cloud/],
	['half of a list', '{"items": [', /^The response from Wherobots Cloud was incomplete\. The conn/],
	[
		'a web page',
		'<html><b>Hi</b></html>',
		/unexpected response\. .*a web page: Hi\. Check 'Base URL'/,
	],
])('judges a success with %s', async (_, body, message) => {
	responds(body);
	expect(await tested()).toEqual({
		status: typeof message === 'string' ? 'OK' : 'Error',
		message: typeof message === 'string' ? message : expect.stringMatching(message),
	});
});

it('repeats what the service itself says with a successful status', async () => {
	const errors = [
		{ code: 'ACCOUNT_NOT_PROVISIONED', message: 'No account yet', details: 'Is it new?' },
	];
	responds(JSON.stringify({ errors, requestId: 'req-7' }));
	expect(await tested()).toEqual({ status: 'Error', message: 'No account yet. Is it new?' });
});

it.each([
	[{ message: 'Out of order' }, 'Out of order. Try again later.'],
	[{ message: 'Out of order? Yes, v1.2' }, 'Out of order? Yes, v1.2. Try again later.'],
	[
		{ message: 'Out of order.', details: 'Since 9:00' },
		'Out of order. Since 9:00. Try again later.',
	],
	[
		{ message: 'Out of order!', suggestion: 'See ../status ...' },
		'Out of order! See ../status ...',
	],
])('puts what is known into sentences: %j', async (error, message) => {
	responds(JSON.stringify({ errors: [error], requestId: 'q1' }), { status: 500 });
	expect(await tested()).toEqual({ status: 'Error', message });
});

it('says that a response is lost on its way', async () => {
	suite.fails('listRuns', { kind: 'reset' }, { times: 1 });
	expect((await tested()).message).toMatch(
		/^The connection to Wherobots Cloud was lost\. .*Try again later\./,
	);
	expect(suite.requests.of('listRuns')).toHaveLength(1);
});

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';
import { additionalData } from '../harness/engine';
import { credentialsFor } from '../harness';
import { suiteWithSandbox } from '../harness/suite';

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
	const { baseUrl, requests, credentials } = suite.sandbox;
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

it.each([
	[401, /did not accept this key or token/],
	[403, /may not list job runs/],
	[404, /Wherobots Cloud was not found at this address\. Check 'Base URL'/],
	[429, /too many requests/i],
	[503, /Service Unavailable|Wherobots Cloud could not answer|HTTP 503/i],
])('explains status %i, whatever its body', async (status, explanation) => {
	for (const body of ['json', 'html', 'empty'] as const) {
		suite.sandbox.faults.add({
			endpoint: 'listRuns',
			times: 1,
			fault: { kind: 'status', status, body },
		});
		const { message, ...verdict } = await tested();
		expect(verdict).toEqual({ status: 'Error' });
		expect(message).toMatch(explanation);
	}
	expect(suite.sandbox.requests.of('listRuns')).toHaveLength(3);
});

it('explains what is wrong before it sends anything', async () => {
	expect((await tested({ apiKey: '' })).message).toContain("'API Key' is empty");
	expect((await tested({ baseUrl: 'http://wherobots.invalid' })).message).toContain('https://');
	expect(suite.sandbox.requests.all()).toEqual([]);
});

it('explains an address where nothing listens, and shows no key', async () => {
	const { message } = await tested({ baseUrl: 'http://127.0.0.1:1', apiKey: 'a-key-to-hide' });
	expect(message).toContain('Could not connect to Wherobots Cloud');
	expect(message).not.toContain('a-key-to-hide');
});

it('takes no web page for the service, and follows no redirect', async () => {
	const { faults } = suite.sandbox;
	faults.add({ endpoint: 'listRuns', times: 1, fault: { kind: 'html' } });
	expect((await tested()).message).toContain("Check 'Base URL'");
	faults.add({
		endpoint: 'listRuns',
		times: 1,
		fault: { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
	});
	expect((await tested()).message).toContain('The base URL redirects to another address');
});

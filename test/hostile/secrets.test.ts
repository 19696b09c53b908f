import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../engine/harness';
import { everythingIn } from '../engine/harness/probe';
import { suiteWithSharedSandbox } from '../engine/harness/suite';
import type { EndpointId, Fault } from '../sandbox';
import { suiteWithPrinted } from './printed';

const suite = suiteWithSharedSandbox({ seed: 'empty' });
const printed = suiteWithPrinted();
let runId: string;

beforeEach(() => {
	runId = suite.store.createRun({ status: 'COMPLETED', plan: { logs: ['one'] } }).id;
});

const at = (value: string) => ({ __rl: true, mode: 'id', value });

it.each<[EndpointId, INodeParameters]>([
	['createApiKey', { resource: 'apiKey', operation: 'create', name: 'nightly' }],
	[
		'getTableCredentials',
		{
			...{ resource: 'table', operation: 'getCredentials' },
			...{ catalogId: at('c'), namespace: at('n'), table: at('t') },
		},
	],
])(
	'a response of %s that cannot be read is not quoted: it may have a secret',
	async (endpoint, use) => {
		const body = '<key>whr_new_secret_4711</key>';
		suite.fails(endpoint, { kind: 'replace', contentType: 'text/xml', body });
		const { error } = await suite.run(use);
		expect(error?.message).toMatch(/^Wherobots Cloud returned an unexpected response/);
		expect(error?.description).toContain('HTTP 200 with this body: (not shown, because');
		expect(JSON.stringify(error)).not.toContain('4711');
	},
);

const operations: Array<[string, EndpointId, INodeParameters]> = [
	['get', 'getRun', { simplify: false }],
	['getAll', 'listRuns', { simplify: false }],
	['getLogs', 'getRunLogs', { output: 'text', options: { lateSeconds: 0 } }],
	['getMetrics', 'getRunMetrics', { simplify: false }],
	['getCost', 'getCosts', {}],
	['cancel', 'cancelRun', {}],
	// A wait of an hour would be hundreds of requests.
	['waitForCompletion', 'getRun', { waitOptions: { maxWaitMinutes: 2 } }],
];

/** Ways in which the service may give the secret back. */
const echoes: Array<[string, (secret: string) => Fault]> = [
	['in an error', () => ({ kind: 'echoSecret', status: 422 })],
	['in an error that passes', () => ({ kind: 'echoSecret', status: 503 })],
	['in a web page', (secret) => page(`<p>${secret}</p>`)],
	['in text with status 200', (secret) => ({ kind: 'replace', body: `key ${secret} is fine` })],
	[
		'in every field',
		(secret) => ({
			kind: 'replace',
			body: JSON.stringify({
				...{ id: secret, status: 'COMPLETED', name: `a ${secret} b`, [secret]: [secret] },
				message: encodeURIComponent(secret),
				items: [{ id: secret, timestamp: 1, raw: `X-API-Key: ${secret}` }],
			}),
		}),
	],
	[
		'in a redirect',
		(secret) => ({ kind: 'status', status: 302, headers: { location: `/login?key=${secret}` } }),
	],
];

function page(body: string): Fault {
	return { kind: 'replace', status: 404, contentType: 'text/html', body };
}

describe.each(['apiKey', 'bearerToken'] as const)('a secret (%s)', (authentication) => {
	describe.each(echoes)('that the service repeats %s', (_, echo) => {
		it.each(operations)(
			'shows in nothing that %s leaves behind',
			async (operation, endpoint, more) => {
				const credentials = credentialsFor(suite.sandbox, 'admin', authentication);
				const secret = String(credentials[authentication]);
				suite.fails(endpoint, echo(secret));
				// Errors become items, too: the way of the secret there does not make a difference.
				const ways = ['stopWorkflow', 'continueRegularOutput'] as const;
				for (const onError of authentication === 'apiKey' ? ways : ways.slice(0, 1)) {
					const node = { resource: 'jobRun', operation, runId: at(runId), ...more };
					const { run } = await suite.run(node, { credentials, onError });
					const left = everythingIn(run.data.resultData);
					expect(left.length).toBeGreaterThan(100);
					expect(left).not.toContain(secret);
					expect(left).not.toContain(encodeURIComponent(secret));
				}
				expect(printed.join('')).not.toContain(secret);
			},
		);
	});
});

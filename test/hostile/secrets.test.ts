import type { IDataObject } from 'n8n-workflow';

import { credentialsFor, runNode } from '../engine/harness';
import { suiteWithSharedSandbox } from '../engine/harness/suite';
import type { EndpointId, Fault, Sandbox } from '../sandbox';

const suite = suiteWithSharedSandbox({ seed: 'empty' });
let sandbox: Sandbox;
let runId: string;

beforeAll(() => {
	({ sandbox } = suite);
});

beforeEach(() => {
	runId = sandbox.store.createRun({ status: 'COMPLETED', plan: { logs: ['one'] } }).id;
});

it.each<[EndpointId, IDataObject]>([
	[
		'createApiKey',
		{
			resource: 'apiKey',
			operation: 'create',
			name: 'nightly',
			expiry: 'inDays',
			expiresInDays: 3,
		},
	],
	[
		'getTableCredentials',
		{
			...{ resource: 'table', operation: 'getCredentials' },
			catalogId: { __rl: true, mode: 'id', value: 'c' },
			namespace: { __rl: true, mode: 'id', value: 'n' },
			table: { __rl: true, mode: 'id', value: 't' },
		},
	],
])(
	'a response of %s that cannot be read is not quoted: it may have a secret',
	async (endpoint, use) => {
		const body = '<key>whr_new_secret_4711</key>';
		suite.fails(endpoint, { kind: 'replace', contentType: 'text/xml', body });
		const { error } = await runNode(sandbox, use as never);
		expect(error?.message).toMatch(/^Wherobots Cloud returned an unexpected response/);
		expect(error?.description).toContain('HTTP 200 with this body: (not shown, because');
		expect(JSON.stringify(error)).not.toContain('4711');
	},
);

const operations: Array<[string, EndpointId, IDataObject]> = [
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
	[
		'in a web page',
		(secret) => ({
			kind: 'replace',
			status: 404,
			contentType: 'text/html',
			body: `<p>${secret}</p>`,
		}),
	],
	['in text with status 200', (secret) => ({ kind: 'replace', body: `key ${secret} is fine` })],
	[
		'in every field',
		(secret) => ({
			kind: 'replace',
			body: JSON.stringify({
				id: secret,
				status: 'COMPLETED',
				name: `a ${secret} b`,
				message: encodeURIComponent(secret),
				[secret]: [secret],
				items: [{ id: secret, timestamp: 1, raw: `X-API-Key: ${secret}` }],
			}),
		}),
	],
	[
		'in a redirect',
		(secret) => ({ kind: 'status', status: 302, headers: { location: `/login?key=${secret}` } }),
	],
];

describe.each(['apiKey', 'bearerToken'] as const)('a secret (%s)', (authentication) => {
	describe.each(echoes)('that the service repeats %s', (_, echo) => {
		it.each(operations)(
			'shows in nothing that %s leaves behind',
			async (operation, endpoint, more) => {
				const credentials = credentialsFor(sandbox, 'admin', authentication);
				const secret = String(credentials[authentication]);
				const printed: string[] = [];
				for (const stream of [process.stdout, process.stderr]) {
					jest.spyOn(stream, 'write').mockImplementation((text) => {
						printed.push(String(text));
						return true;
					});
				}
				suite.fails(endpoint, echo(secret));
				// Errors become items, too: the way of the secret there does not make a difference.
				const ways = ['stopWorkflow', 'continueRegularOutput'] as const;
				for (const onError of authentication === 'apiKey' ? ways : ways.slice(0, 1)) {
					const { run } = await runNode(
						sandbox,
						{
							resource: 'jobRun',
							operation,
							runId: { __rl: true, mode: 'id', value: runId },
							...more,
						},
						{ credentials, onError },
					);
					const left = JSON.stringify(run.data.resultData, (_key, value: unknown) =>
						value instanceof Error
							? { ...value, message: value.message, stack: value.stack }
							: value,
					);
					expect(left.length).toBeGreaterThan(100);
					expect(left).not.toContain(secret);
					expect(left).not.toContain(encodeURIComponent(secret));
				}
				expect(printed.join('')).not.toContain(secret);
			},
		);
	});
});

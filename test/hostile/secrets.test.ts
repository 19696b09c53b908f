import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../engine/harness';
import { everythingIn } from '../engine/harness/probe';
import { suiteWithSharedSandbox } from '../engine/harness/suite';
import type { EndpointId, Fault } from '../sandbox';
import { echo } from './matrix/faults/fault';
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

const escaped = (text: string) =>
	text.replace(/./g, (character) => `\\u00${Buffer.from(character).toString('hex')}`);

/** Ways in which the service may give the secret back. */
const echoes: Array<[string, (secret: string) => Fault]> = [
	['in an error', (secret) => echo(422, secret)],
	['in an error that passes', (secret) => echo(503, secret)],
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
		'in JSON with escapes',
		(secret) => ({
			kind: 'replace',
			body: `{"id":"${escaped(secret)}","status":"COMPLETED","name":"a","${escaped(secret)}":"x","items":[{"timestamp":1,"raw":"${escaped(secret)}"}]}`,
		}),
	],
	[
		'in an error with escapes',
		(secret) => ({
			kind: 'replace',
			status: 422,
			body: `{"errors":[{"message":"${escaped(secret)}","${escaped(secret)}":"x","details":"${'x'.repeat(490)}${secret}"}]}`,
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

/** The matrix does the same with every operation, where the secret is an API key. */
describe.each(['apiKey', 'bearerToken'] as const)('a secret (%s)', (authentication) => {
	it.each(echoes)('that the service repeats %s shows in nothing that is left', async (_, echo) => {
		const credentials = credentialsFor(suite.sandbox, 'admin', authentication);
		const secret = String(credentials[authentication]);
		const handle = suite.sandbox.faults.add({ fault: echo(secret) });
		for (const operation of ['get', 'getLogs']) {
			const node = { resource: 'jobRun', operation, runId: at(runId), simplify: false };
			const { run } = await suite.run(node, { credentials });
			// The secret itself is looked for after each test: test/support/watchSecrets.ts.
			expect(everythingIn(run.data.resultData)).not.toContain(encodeURIComponent(secret));
		}
		expect(handle.hits).toBeGreaterThan(1);
		expect(printed.join('')).not.toContain(secret);
	});
});

/** What has to be escaped in JSON by some, in HTML and in URLs by all. */
const ODD = 'whr+key/with=and&4711';

it.each([
	['JSON', ODD.replace('=', '\\u003d').replace('&', '\\u0026')],
	['a URL', encodeURIComponent(ODD).toLowerCase()],
	['HTML', ODD.replace('&', '&amp;')],
])('a key is known as %s spells it', async (_, spelling) => {
	const credentials = { ...credentialsFor(suite.sandbox, 'admin'), apiKey: ODD };
	const node = { resource: 'jobRun', operation: 'get', runId: at(runId), simplify: false };
	for (const [status, body] of [
		[200, `{"id":"a","status":"COMPLETED","name":"${spelling}"}`],
		[422, `{"errors":[{"message":"${spelling}"}]}`],
	] as const) {
		const handle = suite.sandbox.faults.add({ fault: { kind: 'replace', status, body } });
		const { run } = await suite.run(node, { credentials });
		handle.remove();
		const left = everythingIn(run.data.resultData);
		expect(left).toContain('***');
		for (const each of [ODD, spelling, JSON.parse(`"${spelling}"`) as string]) {
			expect(left).not.toContain(each);
		}
	}
});

it('the key shows neither in values nor in the names of columns of a query, and no column is lost', async () => {
	const { apiKey } = suite.credentials.admin;
	const row = { [`a ${apiKey}`]: 1, 'a ***': 2, value: `b ${apiKey} c` };
	suite.sql.answer('SELECT 1', { rows: [row] });
	const { json } = await suite.run({
		...{ resource: 'sql', operation: 'executeQuery' },
		query: 'SELECT 1',
	});
	expect(json).toEqual([{ 'a ***': 1, 'a ***_2': 2, value: 'b *** c' }]);
});

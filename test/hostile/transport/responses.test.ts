/** The two kinds of requests, those that may be repeated and those that may not; `../matrix` has every operation. */
import { NodeApiError } from 'n8n-workflow';

import { BODY_LIMITS } from '../../../nodes/Wherobots/transport/bytes';
import type { CallOptions } from '../../../nodes/Wherobots/transport/client';
import { failureOf, withClient } from '../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../engine/harness/suite';
import type { Fault } from '../../sandbox';

const suite = suiteWithSharedSandbox({ seed: 'empty' });

const requests: Array<['listRuns' | 'createRun', boolean, CallOptions]> = [
	['listRuns', false, { query: { size: 1 } }],
	[
		'createRun',
		true,
		{
			query: { region: 'aws-us-west-2' },
			body: { name: 'hostile-run', runtime: 'tiny', runPython: { uri: 's3://b/x.py' } },
		},
	],
];

function expectGoodError(error: NodeApiError): void {
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.message).toMatch(/\w{3}/);
	expect(error.description).toMatch(/\w{3}/);
	expect(error.message.length + String(error.description).length).toBeLessThan(9_000);
}

const call = async (id: (typeof requests)[number][0] | 'revokeApiKey', options: CallOptions) =>
	await withClient(suite.sandbox, async (client) => await client.call(id, options));

describe.each(requests)('%s', (id, isOnce, options) => {
	const send = async () => await call(id, { ...options, recoveryHint: 'it' });

	it.each([undefined, 2, 0.25])(
		'is repeated after 429 with Retry-After %s',
		async (retryAfter = 0) => {
			suite.fails(id, { kind: 'status', status: 429, retryAfter }, { times: 2 });
			await send();
			expect(suite.requests.of(id)).toHaveLength(3);
			for (const pause of suite.time.pauses) {
				expect(pause).toBeGreaterThanOrEqual(retryAfter * 1000);
			}
		},
	);

	it.each([false, true])('is given up when it never ends (gzip: %s)', async (gzip) => {
		jest.replaceProperty(BODY_LIMITS, 'maxBytes', 2_000_000);
		suite.fails(id, { kind: 'endless', gzip });
		const error = await failureOf(send());
		expectGoodError(error);
		expect(error.message).toContain('The response from Wherobots Cloud is too large');
		expect(error.description).toContain('It is larger than 2 MB, so it was not read to the end.');
		expect(suite.requests.of(id)).toHaveLength(1);
		expect(error.message.includes('not certain')).toBe(isOnce);
	});
});

it.each(['reset', 'close'] as const)(
	'an error whose body breaks off is that error: %s',
	async (how) => {
		suite.fails('revokeApiKey', { kind: 'cut', bytes: 1, how });
		const error = await failureOf(call('revokeApiKey', { path: { api_key_id: 'unknown' } }));
		expectGoodError(error);
		expect(error.httpCode).toBe('404');
		expect(suite.requests.of('revokeApiKey')).toHaveLength(1);
	},
);

it.each<[string, Fault, boolean]>([
	['whose response was lost: it may have deleted it', { kind: 'reset', when: 'after' }, true],
	['that was refused', { kind: 'status', status: 429 }, false],
])('what is not there counts as deleted after an attempt %s (%#)', async (_, fault, isDone) => {
	suite.fails('revokeApiKey', fault, { times: 1 });
	const outcome = call('revokeApiKey', { path: { api_key_id: 'unknown' } });
	if (isDone) expect(await outcome).toBeUndefined();
	else expect((await failureOf(outcome)).httpCode).toBe('404');
	expect(suite.requests.of('revokeApiKey')).toHaveLength(2);
});

it('an error that never ends is explained by what has come', async () => {
	suite.fails('listRuns', { kind: 'endless', gzip: true, status: 422 });
	const error = await failureOf(call('listRuns', {}));
	expectGoodError(error);
	expect(error.httpCode).toBe('422');
});

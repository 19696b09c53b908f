import { NodeApiError } from 'n8n-workflow';

import { BODY_LIMITS } from '../../../nodes/Wherobots/transport/bytes';
import type { CallOptions } from '../../../nodes/Wherobots/transport/client';
import { endpoints, type EndpointId as OwnId } from '../../../nodes/Wherobots/service/endpoints';
import { everythingIn, failureOf, withClient } from '../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../engine/harness/suite';
import type { EndpointId as ServedId, Fault } from '../../sandbox';

type EndpointId = OwnId & ServedId;

const suite = suiteWithSharedSandbox({ seed: 'empty' });

/** The sandbox has some that only other clients use. */
type OwnEndpoint = EndpointId & keyof typeof endpoints;

/** A request of every kind: read, repeatable change, change that must not be repeated. */
const requests: Array<[OwnEndpoint, () => CallOptions]> = [
	['listRuns', () => ({ query: { size: 1 } })],
	['cancelRun', () => ({ path: { run_id: suite.store.createRun({ status: 'RUNNING' }).id } })],
	['upsertPreset', () => ({ body: { name: 'nightly', driverDiskSize: 20 } })],
	['revokeApiKey', () => ({ path: { api_key_id: 'unknown' } })],
	[
		'createRun',
		() => ({
			query: { region: 'aws-us-west-2' },
			body: { name: 'hostile-run', runtime: 'tiny', runPython: { uri: 's3://b/x.py' } },
		}),
	],
	['createApiKey', () => ({ body: { name: 'hostile', expiresAt: '2026-12-21T00:00:00Z' } })],
];

/** Faults after which a request with an effect may have had it. */
const ambiguous: Array<[string, Fault]> = [
	['a reset before handling', { kind: 'reset', when: 'before' }],
	['a reset after handling', { kind: 'reset', when: 'after' }],
	...[408, 500, 502, 503, 504].map((status): [string, Fault] => [
		`status ${status}`,
		{ kind: 'status', status },
	]),
	['an HTML page with 503', { kind: 'status', status: 503, body: 'html' }],
	['an empty 500', { kind: 'status', status: 500, body: 'empty' }],
	['a truncated body', { kind: 'replace', body: '{"items": [' }],
];

/** Faults that break the body of the real response off. */
const broken: Array<[string, Fault]> = [
	['a body cut by a reset', { kind: 'cut', bytes: 1, how: 'reset' }],
	['a body cut by closing', { kind: 'cut', bytes: 1, how: 'close' }],
];

function isOnce(id: OwnEndpoint): boolean {
	return endpoints[id].retry === 'once';
}

/** Something that a person can act on, without anything secret. */
function expectGoodError(error: NodeApiError, echoed = false): void {
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.message).toMatch(/\w{3}/);
	expect(error.description).toMatch(/\w{3}/);
	expect(error.message.length + String(error.description).length).toBeLessThan(9_000);
	const all = everythingIn(error);
	expect(all).not.toContain(suite.credentials.admin.apiKey);
	expect(all).not.toContain(suite.credentials.admin.bearerToken);
	// Nothing of the request is in it, so no other header can be either.
	if (!echoed) expect(all).not.toMatch(/x-api-key|user-agent/i);
}

describe.each(requests)('%s', (id, options) => {
	const send = async () =>
		await withClient(
			suite.sandbox,
			async (client) => await client.call(id, { ...options(), recoveryHint: 'it' }),
		);

	// The key that is revoked is not there: its status says all, whatever becomes of the body.
	const lost = id === 'revokeApiKey' ? ambiguous : [...ambiguous, ...broken];

	it.each(lost)('meets %s', async (_, fault) => {
		suite.fails(id, fault);
		const error = await failureOf(send());
		expectGoodError(error);
		expect(suite.requests.of(id)).toHaveLength(isOnce(id) ? 1 : 5);
		expect(error.message.includes('not certain')).toBe(isOnce(id));
		expect(String(error.description).includes('look for it')).toBe(isOnce(id));
	});

	it.each(lost)('succeeds after %s, where it may be repeated', async (_, fault) => {
		suite.fails(id, fault, { times: 4 });
		if (isOnce(id)) await failureOf(send());
		else if (id === 'revokeApiKey') {
			// Gone after an attempt whose response was lost: that attempt may have deleted it.
			expect(await send()).toBeUndefined();
		} else expect(await send()).toEqual(expect.anything());
	});

	it.each([undefined, 2, 0.25, 'Sat, 21 Nov 2126 12:00:00 GMT'])(
		'is repeated after 429 with Retry-After %s, or gives up when that is too long',
		async (retryAfter) => {
			suite.fails(id, { kind: 'status', status: 429, retryAfter }, { times: 2 });
			if (typeof retryAfter === 'string') {
				const error = await failureOf(send());
				expect(error.httpCode).toBe('429');
				expect(suite.requests.of(id)).toHaveLength(1);
				return;
			}
			const outcome = send();
			await (id === 'revokeApiKey' ? failureOf(outcome) : outcome);
			expect(suite.requests.of(id)).toHaveLength(3);
			for (const pause of suite.time.pauses) {
				expect(pause).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1000);
			}
		},
	);

	it.each([false, true])('is given up when it never ends (gzip: %s)', async (gzip) => {
		const { maxBytes } = BODY_LIMITS;
		BODY_LIMITS.maxBytes = 2_000_000;
		suite.fails(id, { kind: 'endless', gzip });
		const error = await failureOf(send()).finally(() => {
			BODY_LIMITS.maxBytes = maxBytes;
		});
		expectGoodError(error);
		expect(error.message).toContain('The response from Wherobots Cloud is too large');
		expect(error.description).toContain('It is larger than 2 MB, so it was not read to the end.');
		expect(suite.requests.of(id)).toHaveLength(1);
		expect(error.message.includes('not certain')).toBe(isOnce(id));
	});
});

describe('an error whose body breaks off', () => {
	it.each(broken)('is that error: %s', async (_, fault) => {
		suite.fails('revokeApiKey', fault);
		const error = await failureOf(
			withClient(
				suite.sandbox,
				async (client) => await client.call('revokeApiKey', { path: { api_key_id: 'unknown' } }),
			),
		);
		expectGoodError(error);
		expect(error.httpCode).toBe('404');
		expect(suite.requests.of('revokeApiKey')).toHaveLength(1);
	});
});

it('an error that never ends is explained by what has come', async () => {
	suite.fails('listRuns', { kind: 'endless', gzip: true, status: 422 });
	const error = await failureOf(
		withClient(suite.sandbox, async (client) => await client.call('listRuns')),
	);
	expectGoodError(error);
	expect(error.httpCode).toBe('422');
});

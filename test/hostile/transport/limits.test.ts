import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/http';
import { RETRY_LIMITS } from '../../../nodes/Wherobots/transport/retry';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { credentialsFor } from '../../engine/harness';
import { failureOf, withClient } from '../../engine/harness/probe';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { aWhile, until } from '../../support/until';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
	for (let i = 0; i < 20; i++) sandbox.store.createRun({ status: 'RUNNING' });
});

beforeEach(() => {
	forgetThrottles();
	sandbox.faults.clear();
	sandbox.requests.clear();
});

afterAll(async () => {
	await sandbox.stop();
});

async function listUntil(ms: number): Promise<Error> {
	return await failureOf(
		withClient(sandbox, async (client) => await client.call('listRuns'), { withinMs: ms }),
	);
}

describe('a deadline', () => {
	const slow: Array<[string, Fault]> = [
		['never comes', { kind: 'hang' }],
		['stalls', { kind: 'stall', bytes: 100 }],
		['trickles', { kind: 'trickle', bytes: 1, everyMs: 20 }],
		['keeps failing', { kind: 'status', status: 503 }],
	];

	it.each(slow)('is kept when the response %s', async (_, fault) => {
		sandbox.faults.add({ endpoint: 'listRuns', fault });
		const startedAt = performance.now();
		const error = await listUntil(1_000);
		expect(performance.now() - startedAt).toBeLessThan(15_000);
		expect(error.message).toMatch(/did not respond in time|could not process/);
	});

	it('is the longest time of a request where the client has none', async () => {
		jest.replaceProperty(REQUEST_LIMITS, 'totalTimeoutMs', 1_000);
		jest.replaceProperty(RETRY_LIMITS, 'attempts', 1);
		sandbox.faults.add({ endpoint: 'listRuns', fault: { kind: 'trickle', bytes: 1, everyMs: 20 } });
		expect((await listUntil(Infinity)).message).toBe('Wherobots Cloud did not respond in time');
	});

	it('that has passed keeps a request from being sent', async () => {
		expect((await listUntil(-1)).message).toBe(
			'There was no time left for a request to Wherobots Cloud',
		);
		expect(sandbox.requests.count).toBe(0);
	});

	it('does not end a stream that has started', async () => {
		sandbox.faults.add({
			endpoint: 'listRuns',
			fault: { kind: 'trickle', bytes: 6_000, everyMs: 400 },
		});
		const startedAt = performance.now();
		const size = await withClient(
			sandbox,
			async (client) => {
				let bytes = 0;
				for await (const chunk of (await client.stream('listRuns')).body) bytes += chunk.length;
				return bytes;
			},
			{ withinMs: 1_500 },
		);
		expect(performance.now() - startedAt).toBeGreaterThan(1_500);
		expect(size).toBeGreaterThan(30_000);
	});
});

describe('stopping the execution', () => {
	it.each<[string, Fault]>([
		['a response that never comes', { kind: 'hang' }],
		['a response that stalls', { kind: 'stall', bytes: 100 }],
		['the wait after 429', { kind: 'status', status: 429, retryAfter: 30 }],
		['the wait after 503', { kind: 'status', status: 503, retryAfter: 30 }],
	])('ends %s at once', async (_, fault) => {
		sandbox.faults.add({ endpoint: 'listRuns', fault });
		let stop: () => void = () => undefined;
		let stoppedAt = 0;
		let ended: unknown;
		await failureOf(
			withClient(
				sandbox,
				async (client) => {
					const call = failureOf(client.call('listRuns'));
					await until(() => sandbox.requests.count > 0);
					await aWhile();
					stoppedAt = performance.now();
					stop();
					ended = await call;
					throw ended as Error;
				},
				{ onStart: (way) => (stop = way) },
			),
		);
		expect(performance.now() - stoppedAt).toBeLessThan(15_000);
		expect(sandbox.requests.of('listRuns')).toHaveLength(1);
		await until(() => ended !== undefined);
		expect(ended).toBeInstanceOf(CancelledError);
	});
});

describe('an error body', () => {
	it('of a stream that stalls does not delay the error forever', async () => {
		sandbox.faults.add({ endpoint: 'exportAuditLog', fault: { kind: 'stall', bytes: 20 } });
		const startedAt = performance.now();
		const error = await failureOf(
			withClient(sandbox, async (client) => await client.stream('exportAuditLog'), {
				credentials: credentialsFor(sandbox, 'user'),
				withinMs: 2_000,
			}),
		);
		expect(performance.now() - startedAt).toBeLessThan(15_000);
		expect(error.httpCode).toMatch(/^4/);
	});
});

it.each([301, 308])('a redirect with status %i is not followed with the key', async (status) => {
	const location = `/catalogs?key=${sandbox.credentials.admin.apiKey}`;
	sandbox.faults.add({ fault: { kind: 'status', status, headers: { location } } });
	for (const send of [
		withClient(sandbox, async (client) => await client.call('listRuns')),
		withClient(sandbox, async (client) => await client.call('upsertPreset', { body: {} })),
		withClient(sandbox, async (client) => await client.stream('exportAuditLog')),
	]) {
		const error = await failureOf(send);
		expect(error.message).toBe('The base URL redirects to another address');
		expect(error.description).toContain('/catalogs?key=***');
	}
	expect(sandbox.requests.count).toBe(3);
});

import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/http';
import { clock } from '../../../nodes/Wherobots/transport/clock';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { SqlSocket } from '../../../nodes/Wherobots/transport/socket';
import { clientWith, KEY } from '../../support/clientWith';

const real = { ...clock };
const pauses: number[] = [];

beforeEach(() => {
	forgetThrottles();
	pauses.length = 0;
	clock.pause = async (ms) => void (await Promise.resolve(pauses.push(ms)));
});

afterEach(() => Object.assign(clock, real));

const failureOf = async (work: Promise<unknown>) =>
	await work.then(
		() => ({ message: 'none', description: '', context: {} }),
		(error: { message: string; description: string; context: object }) => error,
	);

describe('a client', () => {
	it('knows its address, its account and its deadline', async () => {
		const credential = { apiKey: KEY, baseUrl: 'https://x/' };
		const { client } = await clientWith({ credential, deadline: 7 });
		expect([client.baseUrl, client.deadline]).toEqual(['https://x', 7]);
		expect(client.account).toMatch(/^[0-9a-f]{64}$/);
		const others = [
			{ ...credential, apiKey: 'other' },
			{ ...credential, baseUrl: 'https://y' },
		];
		for (const other of others) {
			const { client: another } = await clientWith({ credential: other });
			expect(another.account).not.toBe(client.account);
		}
		const { client: same } = await clientWith({ credential });
		expect([same.account, same.deadline]).toEqual([client.account, Infinity]);
	});
});

it('an item has a signal of its own, as Node.js warns of many listeners on one', async () => {
	const { client } = await clientWith({ signal: new AbortController().signal });
	expect(client.forItem().signal).not.toBe(client.signal);
});

it('leaves a creation alone once it is sent, as only the response has its ID', async () => {
	const stop = new AbortController();
	const { client, sent } = await clientWith({ signal: stop.signal });
	await client.call('listRuns');
	await client.call('createApiKey');
	stop.abort();
	expect(sent.map(({ abortSignal }) => abortSignal?.aborted)).toEqual([true, false]);
});

describe('a request', () => {
	it('may be silent for longer when it must not be repeated, never beyond the deadline', async () => {
		const { client, sent } = await clientWith();
		await client.call('listRuns');
		await client.call('createRun');
		await client.call('createRun', { retry: 'repeatable' });
		await client.call('listRuns', { retry: 'once' });
		const { repeatable, once } = REQUEST_LIMITS.idleTimeoutMs;
		const limits = [repeatable, once, repeatable, repeatable];
		expect(sent.map(({ timeout }) => timeout)).toEqual(limits);
		const soon = await clientWith({ deadline: performance.now() + 10_000 });
		await soon.client.call('listRuns');
		expect(soon.sent[0].timeout).toBeLessThanOrEqual(10_000);
		expect(soon.sent[0].timeout).toBeGreaterThan(5_000);
	});
});

describe('a socket', () => {
	it('is not opened with a credential that cannot be used any more', async () => {
		const open = jest.spyOn(SqlSocket, 'open');
		let now = 0;
		clock.monotonic = () => now;
		const { client, change } = await clientWith();
		change({ apiKey: '' });
		now = 60_000;
		const error = await failureOf(client.connect('wss://s/1'));
		expect(`${error.message} ${error.description}`).toContain("'API Key' is empty");
		expect(open).not.toHaveBeenCalled();
	});
});

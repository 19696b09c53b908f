import { PassThrough, Readable } from 'node:stream';

import { Failure, isAmbiguous } from '../../../nodes/Wherobots/transport/failure';
import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/http';
import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { SqlSocket } from '../../../nodes/Wherobots/transport/socket';
import { clientWith, KEY } from '../../support/clientWith';

const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';

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
	it.each([
		[{ apiKey: '' }, "'API Key' is empty in the Wherobots API credential"],
		[{ apiKey: KEY, baseUrl: 'ftp://x' }, "'Base URL' must start with https://"],
		[{ apiKey: '', baseUrl: 'ftp://x' }, "'Base URL' must start with https://"],
	])('is not made of %j', async (credential, message) => {
		const error = await failureOf(clientWith({ credential }));
		expect(error).toBeInstanceOf(Failure);
		expect(error.message).toContain(message);
		expect(error.description).toBe('Correct it in the Wherobots API credential of this node.');
	});

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

describe('what ends the work of a client', () => {
	it.each([true, false])('for one item: the execution (%s), or the item', async (isExecution) => {
		const [execution, item] = [new AbortController(), new AbortController()];
		const { client } = await clientWith({ signal: execution.signal });
		const own = client.forItem(item.signal);
		expect(own.signal?.aborted).toBe(false);
		(isExecution ? execution : item).abort();
		expect(own.signal?.aborted).toBe(true);
		expect(own.executionSignal?.aborted).toBe(isExecution);
		expect(client.signal?.aborted).toBe(isExecution);
	});

	it('is a signal of its own for each item', async () => {
		const { client } = await clientWith({ signal: new AbortController().signal });
		expect(client.forItem().signal).not.toBe(client.signal);
	});

	it('is nothing for what has to be done nevertheless', async () => {
		const { client, sent } = await clientWith({ signal: AbortSignal.abort() });
		await expect(client.call('listRuns')).rejects.toBeInstanceOf(CancelledError);
		expect(sent).toEqual([]);
		const anyway = client.evenWhenCancelled();
		expect([anyway.signal, anyway.executionSignal?.aborted]).toEqual([undefined, true]);
		await anyway.call('listRuns');
		expect(sent.map(({ url }) => url)).toEqual(['https://api.cloud.wherobots.com/runs']);
	});

	it('leaves an attempt alone that is to be finished once it is sent', async () => {
		const { client, sent } = await clientWith({ signal: new AbortController().signal });
		await client.stream('listRuns');
		await client.stream('listRuns', { finishOnceSent: true });
		expect(sent.map(({ abortSignal }) => abortSignal !== undefined)).toEqual([true, false]);
	});
});

describe('a request', () => {
	it('is sent as it was asked for, and tells when', async () => {
		const { client, sent } = await clientWith({ replies: [{ body: '{"id":"r"}' }] });
		const onSend = jest.fn(() => expect(sent).toHaveLength(0));
		const query = { region: 'x' };
		const options = { query, body: { name: 'n' }, onSend };
		expect(await client.call('createRun', options)).toEqual({ id: 'r' });
		expect(onSend).toHaveBeenCalledTimes(1);
		expect(sent[0]).toMatchObject({
			method: 'POST',
			url: 'https://api.cloud.wherobots.com/runs',
			qs: query,
			body: '{"name":"n"}',
		});
	});

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

	it('is repeated where that is known to be harmless, and only there', async () => {
		const replies = [{ statusCode: 503 }, { body: '{}' }];
		const { client } = await clientWith({ replies });
		expect(await client.call('createRun', { retry: 'repeatable' })).toEqual({});
		const once = await clientWith({ replies });
		const error = await failureOf(once.client.call('createRun', { recoveryHint: 'it' }));
		expect(error.description).toContain('look for it');
		expect(once.sent).toHaveLength(1);
	});

	it('for a file gives its address, or the file itself', async () => {
		const redirect = {
			statusCode: 302,
			headers: { location: 'https://s/f' },
			body: new PassThrough(),
		};
		const body = Readable.from([]);
		const { client } = await clientWith({ replies: [redirect, { body }] });
		const options = { path: { storage_id: 's', path: 'f' } };
		expect(await client.locate('downloadFile', options)).toMatchObject({ location: 'https://s/f' });
		expect(await client.locate('downloadFile', options)).toMatchObject({ kind: 'stream', body });
	});

	it('to a storage carries the signal of the execution', async () => {
		const stop = new AbortController();
		const { client, sent } = await clientWith({ signal: stop.signal });
		const result = await client.sendPresigned({ method: 'GET', address: 'https://s/f' });
		expect(result).toMatchObject({ kind: 'stream', status: 200 });
		expect(sent[0]).toMatchObject({ url: 'https://s/f', abortSignal: stop.signal });
	});
});

describe("the service's time", () => {
	it('is known once a response has shown it, to all clients of a node', async () => {
		clock.now = () => Date.parse(DATE) - 3_600_000;
		const replies = [{}, { headers: { date: 'soon' } }, { headers: { date: DATE } }];
		const { client } = await clientWith({ replies });
		const item = client.forItem();
		await client.call('listRuns');
		await client.call('listRuns');
		expect([item.knowsServiceTime, item.serviceNow()]).toEqual([false, clock.now()]);
		await client.call('listRuns');
		expect([item.knowsServiceTime, item.serviceNow()]).toEqual([true, Date.parse(DATE)]);
	});

	it('is that of a stream, too', async () => {
		const { client } = await clientWith({ replies: [{ headers: { date: DATE } }] });
		await client.stream('listRuns');
		expect(client.knowsServiceTime).toBe(true);
	});
});

describe('a socket', () => {
	it('is opened with the key and the name of the client', async () => {
		const socket = {} as SqlSocket;
		const open = jest.spyOn(SqlSocket, 'open').mockResolvedValue(socket);
		const { signal } = new AbortController();
		const { client } = await clientWith({ signal });
		expect(await client.connect('wss://s/1')).toBe(socket);
		const headers = {
			'X-API-Key': KEY,
			'X-Wherobots-Client': expect.stringMatching(/^client=n8n;/),
			'User-Agent': expect.stringMatching(/^n8n-nodes-wherobots/),
		};
		expect(open).toHaveBeenCalledWith('wss://s/1', headers, signal);
	});

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

describe('the error for', () => {
	it('a body that is something else shows it without secrets, and what to look for', async () => {
		const { client } = await clientWith();
		const response = { status: 200, contentType: 'text/plain', text: `No, ${KEY}` };
		const error = client.unreadable('exportAuditLog', response);
		expect(error.description).toContain('No, ***');
		expect(isAmbiguous(error)).toBe(false);
		const created = client.unreadable('createRun', response, 'a job run');
		expect(created.description).toContain('look for a job run');
		expect(isAmbiguous(created)).toBe(true);
	});
});

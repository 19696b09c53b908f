import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/http';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { SqlSocket } from '../../../nodes/Wherobots/transport/socket';
import { clientWith, KEY } from '../../support/clientWith';
import { suiteWithInstantPauses } from '../../support/virtualTime';

const time = suiteWithInstantPauses();

beforeEach(forgetThrottles);

it('an account is an address and a key, which its name does not show', async () => {
	const accountOf = async (change: object = {}) => {
		const credential = { apiKey: KEY, baseUrl: 'https://x/', ...change };
		const { client } = await clientWith({ credential });
		expect(client.account).toMatch(/^[0-9a-f]{64}$/);
		return client.account;
	};
	const account = await accountOf();
	expect(await accountOf()).toBe(account);
	expect(await accountOf({ apiKey: 'other' })).not.toBe(account);
	expect(await accountOf({ baseUrl: 'https://y' })).not.toBe(account);
});

it('an item has a signal of its own, as Node.js warns of many listeners on one', async () => {
	const { client } = await clientWith({ signal: new AbortController().signal });
	expect(client.forItem().signal).not.toBe(client.signal);
});

it('a request may be silent for longer when it must not be repeated, but not take longer, never beyond the deadline', async () => {
	const total = jest.spyOn(AbortSignal, 'timeout');
	const { client, sent } = await clientWith();
	await client.call('listRuns');
	await client.call('createRun');
	await client.call('createRun', { retry: 'repeatable' });
	await client.call('listRuns', { retry: 'once' });
	const { repeatable, once } = REQUEST_LIMITS.idleTimeoutMs;
	const limits = [repeatable, once, repeatable, repeatable];
	expect(sent.map(({ timeout }) => timeout)).toEqual(limits);
	expect(total.mock.calls).toEqual(sent.map(() => [REQUEST_LIMITS.totalTimeoutMs]));
	const soon = await clientWith({ deadline: 10_000 });
	await soon.client.call('listRuns');
	expect(soon.sent[0].timeout).toBe(10_000);
	expect(total).toHaveBeenLastCalledWith(10_000);
});

it('a socket is not opened with a credential that cannot be used any more', async () => {
	const open = jest.spyOn(SqlSocket, 'open');
	const { client, change } = await clientWith();
	change({ apiKey: '' });
	time.now = 60_000;
	await expect(client.connect('wss://s/1')).rejects.toMatchObject({
		description: expect.stringContaining("'API Key' is empty"),
	});
	expect(open).not.toHaveBeenCalled();
});

import { createRequester } from '../../../nodes/Wherobots/transport/credential';
import { suiteWithInstantPauses } from '../../support/virtualTime';

const time = suiteWithInstantPauses(1_000);
const get = { url: 'https://x/runs' };

/**
 * A requester whose helper reads the credential for each request, as n8n's does, and returns the key.
 *
 * @param readings what the credential is, or its failure, one after the other
 */
function requesterWith(...readings: Array<object | Promise<object>>) {
	const helpers = {
		async httpRequestWithAuthentication(
			this: { getCredentials(type: string): Promise<{ apiKey: string }> },
			type: string,
		) {
			const credential = await this.getCredentials(type);
			const { apiKey } = credential;
			credential.apiKey += ' changed by the helper';
			return apiKey;
		},
	};
	const getCredentials = jest.fn(async () => await (readings.shift() as Promise<object>));
	const context = { helpers, logger: {}, getNode: () => ({}), getCredentials };
	const requester = createRequester(context as never);
	return { requester, read: getCredentials, key: async () => await requester.request(get) };
}

const busy = async () => await Promise.reject<object>(new Error('the database is busy'));

it('is read once for requests in close succession, each with a copy of its own', async () => {
	const { key, read } = requesterWith({ apiKey: 'key' });
	const keys = await Promise.all([key(), key(), key()]);
	expect([...keys, await key()]).toEqual(['key', 'key', 'key', 'key']);
	expect(read).toHaveBeenCalledTimes(1);
});

it('is read again after a while, so that a long wait picks up a rotated key', async () => {
	const { key, requester } = requesterWith({ apiKey: 'old' }, { apiKey: 'new' });
	expect(await key()).toBe('old');
	time.now += 5_000;
	expect(await key()).toBe('old');
	time.now += 1;
	expect(await key()).toBe('new');
	expect(requester.secrets).toEqual(['old', 'new']);
});

it('stays as it was when its base URL changes: the new key must not go to the old URL', async () => {
	const { key, requester, read } = requesterWith(
		{ apiKey: 'staging-key', baseUrl: 'https://staging' },
		{ apiKey: 'production-key', baseUrl: 'https://production' },
	);
	expect(await key()).toBe('staging-key');
	time.now += 60_000;
	expect(await key()).toBe('staging-key');
	expect(read).toHaveBeenCalledTimes(2);
	expect(requester.secrets).toEqual(['staging-key']);
});

it('is checked before anything is sent: it may have changed meanwhile', async () => {
	const versions = ['key', 'two words', ''].map((apiKey) => ({ apiKey }));
	const { key, requester } = requesterWith(...versions);
	expect(await key()).toBe('key');
	for (const problem of ['contains a space', 'is empty']) {
		time.now += 6_000;
		const message = expect.stringContaining(problem);
		await expect(key()).rejects.toMatchObject({ code: 'CREDENTIAL_UNUSABLE', message });
	}
	expect(requester.secrets).toStrictEqual(['key', 'two words']);
});

it('is read again after a failure', async () => {
	const { key } = requesterWith(busy(), { apiKey: 'key' });
	const message = 'the database is busy';
	await expect(key()).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE', message });
	expect(await key()).toBe('key');
});

it('is kept when an older reading fails after it', async () => {
	let fail: () => void = () => undefined;
	const slow = new Promise<object>((resolve) => (fail = () => resolve(busy())));
	const { key } = requesterWith(slow, { apiKey: 'key' });
	const first = key();
	time.now += 6_000;
	expect(await key()).toBe('key');
	fail();
	await expect(first).rejects.toThrow('busy');
	expect(await key()).toBe('key');
});

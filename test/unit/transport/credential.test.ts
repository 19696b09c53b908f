import { clock } from '../../../nodes/Wherobots/transport/clock';
import { authenticatedRequester } from '../../../nodes/Wherobots/transport/credential';

describe('the credential of a requester', () => {
	/** A requester with a helper that reads the credential for each request, as n8n's does. */
	function requesterWith(getCredentials: () => Promise<object>) {
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
		const context = { helpers, logger: {}, getNode: () => ({}), getCredentials };
		return authenticatedRequester(
			context as unknown as Parameters<typeof authenticatedRequester>[0],
		);
	}
	const get = { url: 'https://x/runs' };
	const real = { ...clock };
	afterEach(() => Object.assign(clock, real));

	it('is read once for requests in close succession, each with a copy of its own', async () => {
		const read = jest.fn(async () => await Promise.resolve({ apiKey: 'key' }));
		const requester = requesterWith(read);
		const keys = await Promise.all([1, 2, 3].map(async () => await requester.request(get)));
		expect([...keys, await requester.request(get)]).toEqual(['key', 'key', 'key', 'key']);
		expect(read).toHaveBeenCalledTimes(1);
	});

	it('is read again after a while, so that a long wait picks up a rotated key', async () => {
		let now = 1_000;
		clock.monotonic = () => now;
		const keys = ['old', 'new'];
		const requester = requesterWith(async () => await Promise.resolve({ apiKey: keys.shift() }));
		expect(await requester.request(get)).toBe('old');
		now += 5_000;
		expect(await requester.request(get)).toBe('old');
		now += 1;
		expect(await requester.request(get)).toBe('new');
		expect(requester.secrets).toEqual(['old', 'new']);
	});

	it('stays as it was when its base URL changes: the new key must not go to the old URL', async () => {
		let now = 1_000;
		clock.monotonic = () => now;
		const versions = [
			{ apiKey: 'staging-key', baseUrl: 'https://staging' },
			{ apiKey: 'production-key', baseUrl: 'https://production' },
		];
		const requester = requesterWith(async () => await Promise.resolve(versions.shift() as object));
		expect(await requester.request(get)).toBe('staging-key');
		now += 60_000;
		expect(await requester.request(get)).toBe('staging-key');
		expect(versions).toEqual([]);
		expect(requester.secrets).toEqual(['staging-key']);
	});

	it('is checked before anything is sent: it may have changed meanwhile', async () => {
		let now = 1_000;
		clock.monotonic = () => now;
		const versions = ['key', 'two words', ''];
		const requester = requesterWith(
			async () => await Promise.resolve({ apiKey: versions.shift() }),
		);
		expect(await requester.request(get)).toBe('key');
		for (const problem of ['contains a space', 'is empty']) {
			now += 6_000;
			const failed = requester.request(get);
			await expect(failed).rejects.toMatchObject({
				code: 'CREDENTIAL_UNUSABLE',
			});
			await expect(failed).rejects.toThrow(problem);
		}
		expect(requester.secrets).toStrictEqual(['key', 'two words']);
	});

	it('is read again after a failure', async () => {
		let calls = 0;
		const requester = requesterWith(async () => {
			calls++;
			return await (calls === 1
				? Promise.reject(new Error('the database is busy'))
				: Promise.resolve({ apiKey: 'key' }));
		});
		await expect(requester.request(get)).rejects.toMatchObject({
			code: 'CREDENTIAL_UNREADABLE',
			message: 'the database is busy',
		});
		expect(await requester.request(get)).toBe('key');
	});

	it('is kept when an older reading fails after it', async () => {
		let now = 1_000;
		clock.monotonic = () => now;
		let fail: (error: Error) => void = () => undefined;
		const slow = new Promise<object>((_, reject) => {
			fail = reject;
		});
		const readings = [slow, Promise.resolve({ apiKey: 'key' })];
		const requester = requesterWith(async () => await (readings.shift() ?? slow));
		const first = requester.request(get);
		now += 6_000;
		expect(await requester.request(get)).toBe('key');
		fail(new Error('the database is busy'));
		await expect(first).rejects.toThrow('busy');
		expect(await requester.request(get)).toBe('key');
	});
});

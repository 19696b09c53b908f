import { SECRET, sendOver, withCode } from '../../support/sendOver';

describe('what is sent', () => {
	it('never follows redirects, never throws on a status, and names the package', async () => {
		const { options } = await sendOver({}, { query: { status: ['A', 'B'], none: undefined } });
		expect(options).toMatchObject({
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			arrayFormat: 'repeat',
			encoding: 'stream',
			timeout: 1_000,
			headers: { Accept: 'application/json' },
		});
		expect((options.headers as Record<string, string>)['User-Agent']).toMatch(/^n8n-nodes-/);
		expect(options.body).toBeUndefined();
	});

	it('tells the service which client it comes from, in the form of its own clients', async () => {
		const { options } = await sendOver({});
		const client = String((options.headers as Record<string, string>)['X-Wherobots-Client']);
		expect(client).toMatch(/^client=n8n;ver=\d+\.\d+\.\d+$/);
		expect(Buffer.byteLength(client)).toBeLessThanOrEqual(512);
	});

	it('takes no longer than its limits, a stream for its headers only', async () => {
		const timers = jest.spyOn(AbortSignal, 'timeout');
		const whole = new AbortController();
		timers.mockReturnValue(whole.signal);
		const { options } = await sendOver({});
		const { options: stream } = await sendOver({}, { encoding: 'stream' });
		expect(timers).toHaveBeenCalledWith(5_000);
		whole.abort();
		expect((options.abortSignal as AbortSignal).aborted).toBe(true);
		expect(stream.abortSignal).toBeUndefined();
		expect(stream.timeout).toBe(1_000);
	});
});

describe('a response', () => {
	it.each(['{"items": [', ' \n{"items": [', '[1, 2', '"abc'])(
		'that breaks off (%s) is none',
		async (body) => {
			expect((await sendOver({ body })).sent).toEqual({
				kind: 'network',
				code: 'TRUNCATED',
				detail: '',
			});
		},
	);
});

describe('a failure', () => {
	it("is named by n8n 1's own error, which has no cause", async () => {
		const message = 'The service refused the connection - perhaps it is offline';
		const messages = ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'];
		const error = Object.assign(new Error(message), { httpCode: 'ECONNREFUSED', messages });
		expect((await sendOver(Object.assign(error, { cause: undefined }))).sent).toEqual({
			kind: 'network',
			code: 'ECONNREFUSED',
			detail: 'connect ECONNREFUSED 127.0.0.1:1',
		});
	});

	it('shows no secret', async () => {
		const { sent } = await sendOver(withCode('ERR_X', `Invalid header value ${SECRET}`));
		expect(JSON.stringify(sent)).not.toContain(SECRET);
	});
});

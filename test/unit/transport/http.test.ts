import { PassThrough, Readable } from 'node:stream';

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

	it('is the request, a stream in any type', async () => {
		const query = { size: 5 };
		const { options } = await sendOver({}, { method: 'PUT', query, body: { a: 1 } });
		expect(options).toMatchObject({
			method: 'PUT',
			url: 'https://x/runs',
			qs: query,
			body: '{"a":1}',
		});
		const { options: stream } = await sendOver({}, { encoding: 'stream' });
		expect(stream.headers).toMatchObject({ Accept: '*/*' });
		expect(stream.headers).not.toHaveProperty('Content-Type');
	});

	it('is an empty object where that is the body', async () => {
		const { options } = await sendOver({}, { method: 'POST', body: {} });
		expect(options.body).toBe('{}');
		expect(options.headers).toMatchObject({ 'Content-Type': 'application/json' });
	});

	it('ends with the signal of the execution', async () => {
		const stop = new AbortController();
		const { options } = await sendOver({}, { signal: stop.signal });
		expect((options.abortSignal as AbortSignal).aborted).toBe(false);
		stop.abort();
		expect((options.abortSignal as AbortSignal).aborted).toBe(true);
	});
});

describe('a response', () => {
	it.each(['', ' \n', undefined, null])('of %j has no body', async (body) => {
		for (const statusCode of [200, 201, 204]) {
			expect((await sendOver({ statusCode, body })).sent).toMatchObject({
				kind: 'json',
				body: undefined,
			});
		}
	});

	it('keeps digits and hides secrets, as they may be written', async () => {
		const body = `{"id":9007199254740993,"a":"${SECRET}","b":"sk-0123\\/45+67","d":"sk-0123%2F45%2B67"}`;
		const { sent } = await sendOver({ body });
		expect(sent).toMatchObject({
			kind: 'json',
			body: { id: '9007199254740993', a: '***', b: '***', d: '***' },
		});
	});

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

	it.each(['<html></html>', 'OK', 'nullx', 'Error: ["a', 'a{'])(
		'that is no JSON (%s) is not the service’s',
		async (body) => {
			expect((await sendOver({ body })).sent).toMatchObject({
				kind: 'response',
				status: 200,
				text: body,
			});
		},
	);

	it('is given on unread as a stream, but not with an error status', async () => {
		const body = Readable.from([Buffer.from('a,b\n')]);
		const good = await sendOver({ body }, { encoding: 'stream' });
		expect(good.sent).toMatchObject({ kind: 'stream', status: 200 });
		expect(body.destroyed).toBe(false);

		const error = Readable.from([Buffer.from('Zürich '), Buffer.from(SECRET)]);
		const bad = await sendOver({ statusCode: 500, body: error }, { encoding: 'stream' });
		expect(bad.sent).toMatchObject({ kind: 'response', status: 500, text: 'Zürich ***' });
		expect(error.destroyed).toBe(true);
	});

	it('with an error status is read in part when it is huge, or breaks off', async () => {
		const endless = Readable.from(
			(function* () {
				for (;;) yield Buffer.alloc(10_000, 'x');
			})(),
		);
		const { sent } = await sendOver({ statusCode: 500, body: endless }, { encoding: 'stream' });
		expect((sent as { text: string }).text.length).toBeLessThan(2_000_000);
		expect(endless.destroyed).toBe(true);

		const broken = Readable.from(
			(function* () {
				yield Buffer.from('half');
				throw withCode('ECONNRESET');
			})(),
		);
		const half = await sendOver({ statusCode: 502, body: broken }, { encoding: 'stream' });
		expect(half.sent).toMatchObject({ kind: 'response', status: 502, text: 'half' });
	});
});

describe('a body as a stream', () => {
	it('is the response, unless it is silent for too long', async () => {
		const body = Readable.from([Buffer.from('{"a":'), Buffer.from('1}')]);
		expect((await sendOver({ body })).sent).toMatchObject({ kind: 'json', body: { a: 1 } });
		for (const limits of [{ timeoutMs: 40 }, { totalTimeoutMs: 40 }]) {
			const silent = await sendOver({ body: new PassThrough() }, limits);
			expect(silent.sent).toEqual({ kind: 'network', code: 'ETIMEDOUT', detail: '' });
		}
	});
});

describe('a failure', () => {
	it('is named by the innermost code, whatever wraps it', async () => {
		const error = new Error('outer', {
			cause: Object.assign(new Error('middle', { cause: withCode('ECONNRESET', 'inner') }), {
				code: 'ERR_NETWORK',
			}),
		});
		expect((await sendOver(error)).sent).toEqual({
			kind: 'network',
			code: 'ECONNRESET',
			detail: 'inner',
		});
	});

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

	it('has a name even when nothing names it, or it names itself', async () => {
		const circular = new Error('round');
		circular.cause = circular;
		expect((await sendOver(circular)).sent).toMatchObject({ code: 'UNKNOWN', detail: 'round' });
		expect((await sendOver(withCode('', ''))).sent).toMatchObject({ code: 'UNKNOWN' });
	});

	it('shows no secret', async () => {
		const { sent } = await sendOver(withCode('ERR_X', `Invalid header value ${SECRET}`));
		expect(JSON.stringify(sent)).not.toContain(SECRET);
	});

	it("of n8n's own protection is told apart, though it has no code", async () => {
		const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
		const { sent } = await sendOver(new Error('wrapped', { cause: blocked }));
		expect(sent).toEqual({ kind: 'network', code: 'SSRF_BLOCKED', detail: 'blocked' });
	});
});

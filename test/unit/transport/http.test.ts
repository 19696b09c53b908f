import { PassThrough } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { send, type HttpRequest } from '../../../nodes/Wherobots/transport/http';

const request: HttpRequest = {
	method: 'GET',
	url: 'https://x/runs',
	encoding: 'text',
	timeoutMs: 1_000,
	totalTimeoutMs: 5_000,
};

interface Reply {
	statusCode?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** Sends with a requester that returns this response, or fails with this error. */
async function sendOver(reply: Reply | { error: unknown }, change: Partial<HttpRequest> = {}) {
	const options: IHttpRequestOptions[] = [];
	const requester = {
		request: async (given: IHttpRequestOptions) => {
			options.push(given);
			if ('error' in reply) return await Promise.reject(reply.error as Error);
			return { statusCode: 200, headers: {}, body: '', ...reply };
		},
	};
	return { sent: await send(requester, { ...request, ...change }), options: options[0] };
}

it.each([' \n{"items": [', '[1, 2', '"abc'])(
	'a response that breaks off is none: %j',
	async (body) => {
		const { sent } = await sendOver({ body });
		const detail = 'The connection was closed before the whole response had arrived.';
		expect(sent).toEqual({ kind: 'network', code: 'TRUNCATED', detail });
	},
);

describe('a redirect', () => {
	const to = async (location: string | undefined, statusCode = 302, redirects = true) => {
		const headers: Record<string, string> = location === undefined ? {} : { location };
		return (await sendOver({ statusCode, headers }, { redirects })).sent;
	};

	it.each([
		['https://storage/file?signature=x', 'https://storage/file?signature=x'],
		['/file', 'https://x/file'],
	])('to %s is given on as an address, where it is a success', async (location, address) => {
		for (const status of [300, 399]) {
			const kind = 'redirect';
			const expected = { kind, status, headers: { location }, location: address };
			expect(await to(location, status)).toEqual(expected);
		}
	});

	it.each<[string, string | undefined, number, boolean]>([
		['nobody asked for one', '/file', 302, false],
		['it leads nowhere', undefined, 302, true],
		['it leads to what is no address', 'https://', 302, true],
		['nothing has changed', '/file', 304, true],
		['the request was bad', '/file', 400, true],
	])('is a failure where %s', async (_, location, status, redirects) => {
		expect(await to(location, status, redirects)).toMatchObject({ kind: 'response', status });
	});

	it('lets go of its body', async () => {
		const body = new PassThrough();
		await sendOver({ statusCode: 302, headers: { location: '/file' }, body }, { redirects: true });
		expect(body.destroyed).toBe(true);
	});

	it('is not what a success says of its address', async () => {
		expect(await to('/file', 201)).toEqual({
			kind: 'json',
			body: undefined,
			text: '',
			date: undefined,
		});
	});
});

it('what a response says beside its body is kept', async () => {
	const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
	const others = { 'retry-after': '5', 'content-type': 'text/plain' };
	const headers = { ...others, date, location: 'https://y/' };
	expect((await sendOver({ statusCode: 429, headers, body: 'slow' })).sent).toEqual({
		...{ kind: 'response', status: 429, text: 'slow', contentType: 'text/plain', date },
		...{ location: 'https://y/', retryAfter: '5' },
	});
});

it.each([199, 300])('the status %i is no success', async (statusCode) => {
	expect((await sendOver({ statusCode, body: '{}' })).sent).toMatchObject({ kind: 'response' });
});

it('a body that is cancelled is told from one that takes too long', async () => {
	const patient = { timeoutMs: 60_000, totalTimeoutMs: 60_000 };
	for (const [limit, code] of [
		[{ signal: AbortSignal.timeout(20) }, 'UNKNOWN'],
		[{ totalTimeoutMs: 20 }, 'ETIMEDOUT'],
	] as const) {
		const { sent } = await sendOver({ body: new PassThrough() }, { ...patient, ...limit });
		expect(sent).toMatchObject({ kind: 'network', code });
	}
});

const circular = Object.assign(new Error('round'), { cause: undefined as unknown });
circular.cause = circular;
const refused = 'connect ECONNREFUSED 127.0.0.1:1';
const ofN8n1 = Object.assign(
	new Error('The service refused the connection - perhaps it is offline'),
	{ httpCode: 'ECONNREFUSED', messages: [refused, refused], cause: undefined },
);
const ssrf = { name: 'SsrfBlockedIpError', message: 'm' };

it.each([
	['text alone', 'text', 'UNKNOWN', ''],
	['nothing', undefined, 'UNKNOWN', ''],
	['null', null, 'UNKNOWN', ''],
	['an error that null has caused', { message: 'm', cause: null }, 'UNKNOWN', 'm'],
	['words below an error without any', { cause: { message: 'inner' } }, 'UNKNOWN', 'inner'],
	['a status of n8n', { httpCode: '404', message: 'm' }, 'UNKNOWN', 'm'],
	['a code without words', { code: 'EPIPE' }, 'EPIPE', ''],
	["n8n 1's own error, which has no cause", ofN8n1, 'ECONNREFUSED', refused],
	['a code of n8n 1 without words', { httpCode: 'EPIPE', messages: [] }, 'EPIPE', ''],
	['a code of n8n 1 alone', { httpCode: 'EPIPE', messages: 'm' }, 'EPIPE', ''],
	['words around words', { message: 'outer', cause: { message: 'inner' } }, 'UNKNOWN', 'outer'],
	[
		'what is wrapped in others',
		{ code: 'ERR_NETWORK', cause: { code: 'EPIPE', message: 'm' } },
		'EPIPE',
		'm',
	],
	['an error that causes itself', circular, 'UNKNOWN', 'round'],
	['what n8n does not allow', { cause: ssrf }, 'SSRF_BLOCKED', 'm'],
])('the cause of %s is found as far as it is named', async (_, error, code, detail) => {
	expect((await sendOver({ error })).sent).toEqual({ kind: 'network', code, detail });
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

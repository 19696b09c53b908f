import { PassThrough, Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { USER_AGENT } from '../../../nodes/Wherobots/service/deployment';
import {
	plainRequester,
	sendPresigned,
	type PresignedRequest,
} from '../../../nodes/Wherobots/transport/http';

const GET: PresignedRequest = { method: 'GET', address: 'https://bucket.s3/file?signature=x' };

interface Reply {
	statusCode?: number;
	headers?: object;
	body?: unknown;
}

/** Sends with n8n's helper standing in for this response, or for this error. */
async function sendOver(reply: Reply | Error, change: Partial<PresignedRequest> = {}) {
	const sent: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		sent.push(options);
		if (reply instanceof Error) throw reply;
		return await Promise.resolve({ statusCode: 200, headers: {}, body: '', ...reply });
	};
	const requester = plainRequester({ helpers: { httpRequest } } as never);
	return { result: await sendPresigned(requester, { ...GET, ...change }), sent };
}

describe('what is sent', () => {
	it('is a request without anything of the service, which is not followed anywhere', async () => {
		const { signal } = new AbortController();
		const { sent } = await sendOver({}, { signal });
		expect(sent).toEqual([
			{
				method: 'GET',
				url: GET.address,
				headers: { Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': USER_AGENT },
				body: undefined,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 120_000,
				abortSignal: signal,
			},
		]);
	});

	it.each([0, 7])('states the length of a file of %i bytes, and no type', async (size) => {
		const body = new Uint8Array(size);
		const { sent } = await sendOver({}, { method: 'PUT', file: { body, size } });
		expect(sent[0]).toMatchObject({ method: 'PUT', body });
		expect(sent[0].headers).toMatchObject({
			'Content-Length': String(size),
			'Content-Type': false,
		});
	});

	it.each(['http://localhost:9000/b/f', 'http://127.0.0.1/b/f', 'https://b.s3.amazonaws.com/f'])(
		'goes to %s',
		async (address) => {
			expect((await sendOver({}, { address })).sent).toHaveLength(1);
		},
	);

	it.each(['http://b.s3.amazonaws.com/f', 'ftp://localhost/f', '/b/f', ''])(
		'does not go to %j',
		async (address) => {
			const { result, sent } = await sendOver({}, { address });
			expect(result).toEqual({ kind: 'network', code: 'INSECURE_ADDRESS' });
			expect(sent).toEqual([]);
		},
	);
});

describe('what comes back', () => {
	const headers = { 'content-length': '4' };

	it.each([200, 299])('is a file that nobody has read yet (%i)', async (statusCode) => {
		const body = Readable.from([Buffer.from('file')]);
		const { result } = await sendOver({ statusCode, headers, body });
		expect(result).toEqual({ kind: 'stream', status: statusCode, headers, body });
		expect(body.destroyed).toBe(false);
	});

	it('after an upload has been read', async () => {
		const body = new PassThrough();
		body.end('done');
		const file = { body: undefined, size: 0 };
		const { result } = await sendOver({ headers, body }, { method: 'PUT', file });
		expect(result).toEqual({ kind: 'stream', status: 200, headers, body });
		expect(body.destroyed).toBe(true);
	});

	it.each([
		['<Error><Code>InternalError</Code></Error>', 'InternalError'],
		['<?xml version="1.0"?>\n<Error><Code>SlowDown</Code></Error>', 'SlowDown'],
		['\n<html>Sign in</html>', undefined],
	])('after an upload may be a refusal with status 200: %s', async (text, code) => {
		const body = Readable.from([Buffer.from(text)]);
		const file = { body: undefined, size: 0 };
		const { result } = await sendOver({ headers, body }, { method: 'PUT', file });
		expect(result).toEqual({ kind: 'refused', status: 200, code });
	});

	it.each<[string, string | undefined]>([
		['<Error><Code>AccessDenied</Code><HostId>host</HostId></Error>', 'AccessDenied'],
		['<Error><Code>Access Denied</Code></Error>', undefined],
		['<Error><Code>A</Code></Error>', undefined],
		['busy', undefined],
		['', undefined],
	])('of a refusal with %j is no more than its code', async (text, code) => {
		const body = Readable.from([Buffer.from(text)]);
		const { result } = await sendOver({ statusCode: 403, body });
		expect(result).toEqual({ kind: 'refused', status: 403, code });
	});

	it.each([199, 300, 500])('with status %i is a refusal', async (statusCode) => {
		expect((await sendOver({ statusCode })).result).toMatchObject({ kind: 'refused' });
	});

	it('of a lost connection is its code', async () => {
		const error = Object.assign(new Error('at https://…'), { code: 'ECONNRESET' });
		expect((await sendOver(error)).result).toEqual({ kind: 'network', code: 'ECONNRESET' });
	});
});

import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { sendPresigned, type PresignedRequest } from '../../../nodes/Wherobots/transport/http';

const GET: PresignedRequest = { method: 'GET', address: 'https://bucket.s3/file?signature=x' };

/** Sends with n8n's helper standing in for this response. */
async function sendOver(reply: object, change: Partial<PresignedRequest> = {}) {
	const sent: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		sent.push(options);
		return await Promise.resolve({ statusCode: 200, headers: {}, body: '', ...reply });
	};
	return { result: await sendPresigned(httpRequest, { ...GET, ...change }), sent };
}

it.each([
	['<Error><Code>AccessDenied</Code><HostId>host</HostId></Error>', 'AccessDenied'],
	['<Error><Code>Access Denied</Code></Error>', undefined],
	['<Error><Code>A</Code></Error>', undefined],
	['', undefined],
])('of a refusal with %j no more than its code comes back', async (text, code) => {
	const body = Readable.from([Buffer.from(text)]);
	const { result } = await sendOver({ statusCode: 403, body });
	expect(result).toEqual({ kind: 'refused', status: 403, code });
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

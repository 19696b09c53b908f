import type { IHttpRequestOptions } from 'n8n-workflow';

import { send, type HttpRequest } from '../../nodes/Wherobots/transport/http';

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
export async function sendOver(reply: Reply | Error, change: Partial<HttpRequest> = {}) {
	const options: IHttpRequestOptions[] = [];
	const requester = {
		request: async (given: IHttpRequestOptions) => {
			options.push(given);
			if (reply instanceof Error) return await Promise.reject(reply);
			return { statusCode: 200, headers: {}, body: '', ...reply };
		},
	};
	return { sent: await send(requester, { ...request, ...change }), options: options[0] };
}

export const withCode = (code: string, message = 'm') =>
	Object.assign(new Error(message), { code });

import type { IHttpRequestOptions } from 'n8n-workflow';

import { Client } from '../../nodes/Wherobots/transport/client';

export const KEY = 'sk-0123456789';

export interface Reply {
	statusCode?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

interface Setting {
	credential?: object;
	replies?: Array<Reply | Error>;
	/** What the service does with a request, in place of `replies`. */
	answer?(request: IHttpRequestOptions): Promise<Reply>;
	signal?: AbortSignal;
	deadline?: number;
}

/** A client of a node whose requests get these replies, the last one again and again. */
export async function clientWith({
	credential = { apiKey: KEY },
	replies = [{}],
	answer,
	...rest
}: Setting = {}) {
	const sent: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		sent.push(options);
		const reply = answer
			? await answer(options)
			: replies[Math.min(sent.length, replies.length) - 1];
		if (reply instanceof Error) throw reply;
		return { statusCode: 200, headers: {}, body: '', ...reply };
	};
	let fields = credential;
	const context = {
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				await httpRequest(options),
		},
		logger: {},
		getNode: () => ({ name: 'Wherobots', type: 'wherobots' }),
		getCredentials: async () => await Promise.resolve(fields),
		getExecutionCancelSignal: () => rest.signal,
	};
	const client = await Client.create(context as never, rest.deadline);
	return { client, sent, change: (other: object) => (fields = other) };
}

import { Agent } from 'node:http';

import axios, { type AxiosInstance } from 'axios';

/** How a person is known to n8n. */
export interface Session {
	/** `name=value`. */
	sessionCookie: string;
	/** Of the public API. */
	apiKey?: string;
}

/** What a key of the public API may do, as far as the n8n at hand knows it. */
export const API_KEY_SCOPES = [
	...['create', 'read', 'list', 'update', 'delete', 'activate', 'deactivate'].map(
		(action) => `workflow:${action}`,
	),
	...['read', 'list', 'delete'].map((action) => `execution:${action}`),
	...['list', 'read', 'create', 'delete'].map((action) => `dataTable:${action}`),
	...['read', 'create'].map((action) => `dataTableRow:${action}`),
	...['credential:update', 'workflowTags:update'],
];

/** Requests to one n8n; every response is the caller's to judge. */
export function client(baseURL: string): AxiosInstance {
	// A connection that is used again may be one that a busy n8n is just closing.
	const httpAgent = new Agent({ keepAlive: false });
	return axios.create({
		baseURL,
		// Against hanging only: on a busy machine, n8n takes a minute now and then.
		timeout: 240_000,
		proxy: false,
		httpAgent,
		validateStatus: () => true,
	});
}

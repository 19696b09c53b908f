import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../service/endpoints';
import { isRecord } from '../service/types';
import type { CallOptions, Client } from './client';
import { pathFacts } from './failures/facts';

/**
 * The records of a list that comes in one response: a bare array, or the array under `key`.
 *
 * @throws NodeApiError when the response has no such list; otherwise as `Client.call` does
 */
export async function readList<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	{ key, ...options }: CallOptions & { key?: string } = {},
): Promise<T[]> {
	const body = await client.call(id, options);
	const list = key === undefined ? body : isRecord(body) ? body[key] : undefined;
	if (Array.isArray(list) && list.every(isRecord)) return list as T[];
	throw client.error({
		message: 'Wherobots Cloud returned an unexpected response',
		description: `It does not contain a list${key ? ` named '${key}'` : ''}. Check 'Base URL' in the credential, and whether a newer version of this package is available.`,
		facts: pathFacts(options.path),
	});
}

/**
 * One record.
 *
 * @throws NodeApiError when the response has none; for a creating request the error says what to look
 * for (`lookFor`), because the record may still have been created
 */
export async function readRecord<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	options: CallOptions = {},
): Promise<T> {
	const body = await client.call(id, options);
	if (isRecord(body)) return body as T;
	throw client.error({
		message: 'Wherobots Cloud returned an unexpected response',
		description: options.lookFor
			? `Before you try again, look for ${options.lookFor}.`
			: "It does not contain a record. Check 'Base URL' in the credential, and whether a newer version of this package is available.",
		ambiguous: options.lookFor !== undefined,
		facts: pathFacts(options.path),
	});
}

import type { IDataObject } from 'n8n-workflow';

import { endpoints, type EndpointId } from '../service/endpoints';
import { isRecord, type Run } from '../service/types';
import type { CallOptions, Client } from './client';
import { pathFacts } from './explain';
import { Failure } from './failure';
import { collect, type PageOptions } from './pagination';

/**
 * The records of a list, up to the limit where it comes in pages.
 *
 * @throws Failure when the response has no list; otherwise as `Client.call` and `pages` do
 */
export async function readList<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	{ path, query, ...options }: Pick<PageOptions<T>, 'path' | 'query' | 'limit' | 'onShort'> = {},
): Promise<T[]> {
	const { key, pages } = endpoints[id].list ?? {};
	if (pages) return await collect<T>(client, id, { path, query, ...options });
	const body = await client.call(id, { path, query });
	const list = key === undefined ? body : isRecord(body) ? body[key] : undefined;
	if (Array.isArray(list) && list.every(isRecord)) return list as T[];
	const lacks = `It does not contain a list${key ? ` named '${key}'` : ''}.`;
	throw unexpected(lacks, { path });
}

/**
 * One record.
 *
 * @throws Failure when the response has none; for a creating request the error says what to look
 * for (`recoveryHint`), because the record may still have been created
 */
export async function readRecord<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	options: CallOptions = {},
): Promise<T> {
	const body = await client.call(id, options);
	if (isRecord(body)) return body as T;
	throw unexpected('It does not contain a record.', options);
}

/**
 * One job run in its current state.
 *
 * @throws Failure when the response is not a job run; otherwise as the client does
 */
export async function readRun(client: Client, runId: string): Promise<Run> {
	const path = { run_id: runId };
	const run = await readRecord<Run>(client, 'getRun', { path });
	if (typeof run.status === 'string') return run;
	throw unexpected(`It is not a job run: it has no status. Run ID: ${runId}.`, { path });
}

/** The error for a successful response without what it should contain. */
export function unexpected(
	lacks: string,
	{ path, recoveryHint }: Pick<CallOptions, 'path' | 'recoveryHint'>,
): Failure {
	return new Failure({
		message: 'Wherobots Cloud returned an unexpected response',
		description: recoveryHint
			? `Before you try again, look for ${recoveryHint}.`
			: `${lacks} Check 'Base URL' in the credential, and whether a newer version of this package is available.`,
		ambiguous: recoveryHint !== undefined,
		facts: pathFacts(path),
	});
}

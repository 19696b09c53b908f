import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../../service/endpoints';
import type { Client, StreamResponse } from '../client';
import { hasStatus } from '../errors';

/** The two documented paths of the export, in the order in which they are tried. */
const PATHS: readonly EndpointId[] = ['exportAuditLog', 'exportAuditLogByGuidePath'];

/** Which path a base URL answered at, in this process. */
const knownPaths = new Map<string, EndpointId>();

/**
 * Asks for an export at the path of the API description, and at that of the export guide when
 * the first is not there. What was found is remembered for the base URL.
 *
 * @throws NodeApiError, CancelledError as `Client.stream` does; when neither path is there, the
 *   error of the first
 */
export async function openExport(client: Client, query: IDataObject): Promise<StreamResponse> {
	const known = knownPaths.get(client.baseUrl);
	const paths = known ? [known, ...PATHS.filter((path) => path !== known)] : PATHS;
	let notFound: Error | undefined;
	for (const path of paths) {
		const outcome = await client.stream(path, { query }).catch((error: Error) => error);
		if (!(outcome instanceof Error)) {
			knownPaths.set(client.baseUrl, path);
			return outcome;
		}
		if (!hasStatus(outcome, 404)) throw outcome;
		notFound ??= outcome;
	}
	throw notFound as Error;
}

/** Forgets which paths were found. For tests. */
export function forgetPaths(): void {
	knownPaths.clear();
}

/** Tested by test/engine/actions/api.test.ts. */
import { type ApiRequest, listApiRequests } from '../../service/apiDescription';
import type { Client } from '../../transport/client';
import { hasStatus, settle } from '../../transport/failure';
import { fetchRecord } from '../../transport/records';

/**
 * The requests that the deployment describes.
 *
 * @throws Failure that says so when it describes none; otherwise as the client does
 */
export async function fetchApiRequests(client: Client): Promise<ApiRequest[]> {
	const read = await settle(fetchRecord(client, 'getDescription'));
	if (read.ok) return listApiRequests(read.value);
	if (!hasStatus(read.error, 404)) throw read.error;
	throw read.error.with({
		message: 'This deployment does not describe its requests',
		description: 'There is nothing at /openapi.json.',
	});
}

import type { NodeApiError } from 'n8n-workflow';

import type { EndpointId } from '../../service/endpoints';
import type { StreamResponse } from '../http';
import type { Client } from '../client';
import { CancelledError } from '../clock';
import { amend } from '../failures/errors';
import { BodyReader, TransferError, type TransferProblem } from './bodyReader';
import { toResult } from '../toResult';
import { retriesOf } from '../pace/pacedRequest';

/** Problems that another attempt may not have. */
const TEMPORARY: ReadonlySet<TransferProblem> = new Set([
	'broken',
	'stalled',
	'incomplete',
	'foreign',
]);

/**
 * Fetches the body of a response and passes it to `use`, again from the start when the transfer
 * breaks, stalls, ends early or is something else, as often as the retry policy and the client's
 * deadline allow. The time of the transfers themselves does not count against the policy.
 *
 * @param endpoint for explaining a failure
 * @param open sends the request
 * @param use reads the whole body; its result of a failed transfer is discarded
 * @throws NodeApiError when the last attempt failed too
 * @throws CancelledError when the execution is cancelled
 */
export async function transfer<T>(
	client: Client,
	endpoint: EndpointId,
	open: () => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<T> {
	const mayRetry = retriesOf(client);
	for (let attempts = 1; ; attempts++) {
		const outcome = await attempt(client, open, use);
		if ('value' in outcome) return outcome.value;
		const isTemporary = TEMPORARY.has(outcome.error.problem);
		if (!isTemporary || !(await mayRetry({ kind: 'network', code: 'TRUNCATED' }))) {
			throw explain(client, endpoint, outcome, attempts);
		}
	}
}

interface Failed {
	error: TransferError;
	response: StreamResponse;
}

async function attempt<T>(
	client: Client,
	open: () => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<{ value: T } | Failed> {
	const response = await open();
	const reader = new BodyReader(response, client.signal);
	const used = await toResult(use(reader));
	const { failed } = reader;
	reader.stop();
	if (used.ok) return { value: used.value };
	const { error } = used;
	// n8n's stores rethrow the error of a stream, sometimes wrapped in their own.
	const found = [error, (error as Error | undefined)?.cause, failed].find(
		(candidate) => candidate instanceof TransferError || candidate instanceof CancelledError,
	);
	if (found instanceof TransferError) return { error: found, response };
	throw found ?? error;
}

const MESSAGES = {
	broken: 'The transfer from Wherobots Cloud was interrupted',
	stalled: 'The transfer from Wherobots Cloud stalled',
	incomplete: 'Wherobots Cloud ended the response before it was complete',
	unproven: 'The response from Wherobots Cloud may be incomplete',
	malformed: 'The response from Wherobots Cloud is malformed',
	foreign: 'The response is not the file',
};

function explain(
	client: Client,
	endpoint: EndpointId,
	{ error, response }: Failed,
	attempts: number,
): NodeApiError {
	const isTemporary = TEMPORARY.has(error.problem);
	const tried = isTemporary
		? `Tried ${attempts} times from the start; no partial file was kept.`
		: 'No partial file was kept.';
	if (error.problem === 'foreign' && error.excerpt !== '') {
		const found = client.unreadable(endpoint, {
			status: response.status,
			contentType: response.headers['content-type'] ?? '',
			text: error.excerpt,
		});
		amend(found, { before: `${error.message}.\n${tried}` });
		return found;
	}
	return client.error({
		message: MESSAGES[error.problem],
		description: `${error.message}.\n${tried}${isTemporary ? ' Try again later.' : ''}`,
	});
}

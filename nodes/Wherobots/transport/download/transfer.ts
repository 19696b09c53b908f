import type { NodeApiError } from 'n8n-workflow';

import type { EndpointId } from '../../service/endpoints';
import type { Client } from '../client';
import { CancelledError } from '../clock';
import { amend } from '../failures/errors';
import type { StreamResponse } from '../http';
import { FailedAttempt, LOST, tryAgain } from '../pace/pacedRequest';
import { toResult } from '../toResult';
import { BodyReader, TransferError, type TransferProblem } from './bodyReader';

/** Problems that another attempt may not have. */
const TEMPORARY: ReadonlySet<TransferProblem> = new Set([
	'broken',
	'stalled',
	'incomplete',
	'foreign',
]);

/**
 * Fetches the body of a response and passes it to `use`, again from the start when the transfer
 * breaks, stalls, ends early or is something else, as often as `tryAgain` allows.
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
	open: (attempt: number) => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await tryAgain(client, async (attempt) => {
		const response = await open(attempt);
		const reader = new BodyReader(response, client.signal);
		const used = await toResult(use(reader));
		const { failed } = reader;
		reader.stop();
		if (used.ok) return used.value;
		const { error } = used;
		// n8n's stores rethrow the error of a stream, sometimes wrapped in their own.
		const found = [error, (error as Error | undefined)?.cause, failed].find(
			(candidate) => candidate instanceof TransferError || candidate instanceof CancelledError,
		);
		if (!(found instanceof TransferError)) throw found ?? error;
		throw new FailedAttempt(TEMPORARY.has(found.problem) ? LOST : undefined, (attempts) =>
			explain(client, endpoint, found, response, attempts),
		);
	});
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
	{ problem, message, excerpt }: TransferError,
	{ status, headers }: StreamResponse,
	attempts: number,
): NodeApiError {
	const isTemporary = TEMPORARY.has(problem);
	const tried = isTemporary
		? `Tried ${attempts} times from the start; no partial file was kept.`
		: 'No partial file was kept.';
	if (excerpt !== '') {
		const contentType = headers['content-type'] ?? '';
		const found = client.unreadable(endpoint, { status, contentType, text: excerpt });
		amend(found, { before: `${message}.\n${tried}` });
		return found;
	}
	return client.error({
		message: MESSAGES[problem],
		description: `${message}.\n${tried}${isTemporary ? ' Try again later.' : ''}`,
	});
}

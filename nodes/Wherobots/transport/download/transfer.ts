import type { NodeApiError } from 'n8n-workflow';

import type { EndpointId } from '../../service/endpoints';
import type { Client, StreamResponse } from '../client';
import { CancelledError, clock } from '../clock';
import { addFact } from '../errors';
import { BodyReader, TransferError } from './bodyReader';
import { decideRetry } from '../retry';

/**
 * Fetches the body of an answer and gives it to `use`, again from the start when the transfer breaks,
 * stalls, or turns out not to be what was asked for: at most as often, and with the waits between,
 * that the retry policy allows. The time of the transfers themselves does not count against it.
 *
 * @param endpoint what the answer is asked for, to explain a failure
 * @param open sends the request
 * @param use reads the whole body; what it made of a failed transfer has to be worthless by itself
 * @throws NodeApiError when the last try failed too
 * @throws CancelledError when the execution is cancelled
 */
export async function transfer<T>(
	client: Client,
	endpoint: EndpointId,
	open: () => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<T> {
	let waitedMs = 0;
	for (let tries = 1; ; tries++) {
		const outcome = await attempt(client, open, use);
		if ('value' in outcome) return outcome.value;
		const decision = decideRetry(
			'repeatable',
			{ kind: 'network', code: 'TRUNCATED' },
			{ attempts: tries, elapsedMs: waitedMs },
			clock.now(),
			Math.random(),
		);
		if (!decision.retry) throw explain(client, endpoint, outcome, tries);
		waitedMs += decision.delayMs;
		await clock.pause(decision.delayMs, client.signal);
	}
}

interface Failed {
	error: TransferError;
	answer: StreamResponse;
}

async function attempt<T>(
	client: Client,
	open: () => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<{ value: T } | Failed> {
	const answer = await open();
	const reader = new BodyReader(answer, client.signal);
	try {
		return { value: await use(reader) };
	} catch (error) {
		// n8n's stores give the error of a stream on, some of them inside one of their own.
		const found = [error, (error as Error | undefined)?.cause, reader.failed].find(
			(candidate) => candidate instanceof TransferError || candidate instanceof CancelledError,
		);
		if (found instanceof TransferError) return { error: found, answer };
		return await Promise.reject((found ?? error) as Error);
	} finally {
		reader.stop();
	}
}

const MESSAGES = {
	broken: 'The transfer from Wherobots Cloud broke off',
	stalled: 'The transfer from Wherobots Cloud stood still',
	incomplete: 'Wherobots Cloud ended the answer before it was complete',
};

function explain(
	client: Client,
	endpoint: EndpointId,
	{ error, answer }: Failed,
	tries: number,
): NodeApiError {
	const tried = `Tried ${tries} times, each time from the start; nothing of it was kept.`;
	if (error.problem === 'foreign') {
		const found = client.unreadable(endpoint, {
			status: answer.status,
			contentType: answer.headers['content-type'] ?? '',
			text: error.excerpt,
		});
		addFact(found, `It is not an audit log export: ${error.message}.\n${tried}`);
		return found;
	}
	return client.error({
		message: MESSAGES[error.problem],
		description: `${error.message}.\n${tried} Try again later.`,
		codes: [],
	});
}

import type { NodeApiError } from 'n8n-workflow';

import { toResult } from '../toResult';
import { retriesOf } from './pacedRequest';
import type { Attempt } from './retry';

/** A failed attempt at work that consists of more than one request. */
export class FailedAttempt extends Error {
	override readonly name = 'FailedAttempt';

	/**
	 * @param attempt the failure for the retry policy; undefined when another attempt cannot help
	 * @param explain makes the error for the last attempt; `attempts` is their number
	 */
	constructor(
		readonly attempt: Attempt | undefined,
		readonly explain: (attempts: number) => NodeApiError | Promise<NodeApiError>,
	) {
		super();
	}
}

/** A lost connection, for the retry policy. */
export const LOST: Attempt = { kind: 'network', code: 'ECONNRESET' };

/**
 * Does work that may be repeated, again from the start after each FailedAttempt, as often as the retry
 * policy and the client's deadline allow. The time of the work itself does not count.
 *
 * @throws NodeApiError that the last failed attempt explains; any other error at once
 * @throws CancelledError when the execution is cancelled
 */
export async function tryAgain<T>(
	client: { deadline: number; signal?: AbortSignal },
	work: (attempt: number) => Promise<T>,
): Promise<T> {
	const mayRetry = retriesOf(client);
	for (let attempts = 1; ; attempts++) {
		const done = await toResult(work(attempts));
		if (done.ok) return done.value;
		const { error } = done;
		if (!(error instanceof FailedAttempt)) throw error;
		const isRepeated = error.attempt !== undefined && (await mayRetry(error.attempt));
		if (!isRepeated) throw await error.explain(attempts);
	}
}

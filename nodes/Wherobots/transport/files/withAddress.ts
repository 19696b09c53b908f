import type { Client } from '../client';
import { CancelledError, clock } from '../clock';
import { decideRetry } from '../pace/retry';
import type { PresignedResult } from './presigned';
import { attemptOf, describeStorage, mayHaveExpired, type StorageAction } from './storageFailure';

/** So often a new address is asked for because the last one was refused. */
const MAX_NEW_ADDRESSES = 2;

type Accepted = Extract<PresignedResult, { kind: 'stream' }>;

/**
 * Asks for an address and uses it, again from the start when the storage is out of order or takes
 * the address for an old one, as often as the retry policy allows. Each attempt has a new address.
 *
 * @param attempt one request for an address and one to it
 * @throws NodeApiError when the storage refused the last attempt
 * @throws CancelledError when the execution is cancelled
 */
export async function withAddress(
	client: Client,
	action: StorageAction,
	attempt: () => Promise<PresignedResult>,
): Promise<Accepted> {
	// The time of the transfers themselves does not count against the policy.
	let waitedMs = 0;
	for (let attempts = 1, addresses = 1; ; attempts++) {
		const result = await attempt();
		if (result.kind === 'stream') return result;
		if (client.signal?.aborted) throw new CancelledError();
		if (mayHaveExpired(result) && addresses++ < MAX_NEW_ADDRESSES) continue;
		const decision =
			result.kind === 'network' && result.code === 'INSECURE_ADDRESS'
				? { retry: false as const }
				: decideRetry(
						'repeatable',
						attemptOf(result),
						{ attempts, elapsedMs: waitedMs },
						clock.now(),
						Math.random(),
					);
		if (!decision.retry) throw client.error(describeStorage(action, result));
		waitedMs += decision.delayMs;
		await clock.pause(decision.delayMs, client.signal);
	}
}

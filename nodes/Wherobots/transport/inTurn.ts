import type { Client } from './client';
import { untilAborted } from './clock';

/** By address and what is created: settled when all who were waiting for it are done. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when nobody else in this process creates the same at this address: between looking for
 * a record and creating one, another must not do the same, and when a response is lost, what was
 * created meanwhile must not be somebody else's.
 *
 * @param what kind and name of the record
 * @throws CancelledError when the execution is cancelled before its turn
 */
export async function inTurn<T>(
	client: Pick<Client, 'baseUrl' | 'signal'>,
	what: string,
	work: () => Promise<T>,
): Promise<T> {
	const key = `${client.baseUrl}\n${what}`;
	const before = turns.get(key) ?? Promise.resolve();
	const mine = untilAborted(before, client.signal).then(work);
	// Giving up the wait does not let the next one overtake those who are still at work.
	const all = Promise.allSettled([before, mine]);
	turns.set(key, all);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === all) turns.delete(key);
	}
}

import type { Client } from './client';
import { untilAborted } from './clock';

/** By base URL and record: settled when all earlier work on it is done. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when no other work in this process creates the same record at this base URL: others must
 * not create it between a search and a creation, or while the record of a lost response is searched
 * for.
 *
 * @param what type and name of the record
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
	// When this one gives up waiting, the next still waits for the work before it.
	const all = Promise.allSettled([before, mine]);
	turns.set(key, all);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === all) turns.delete(key);
	}
}

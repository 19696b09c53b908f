/** Work that is done one at a time, or several at once. */
import { waitUnlessAborted } from './clock';

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
export async function runLocked<T>(
	client: { baseUrl: string; signal?: AbortSignal },
	what: string,
	work: () => Promise<T>,
): Promise<T> {
	const key = `${client.baseUrl}\n${what}`;
	const before = turns.get(key) ?? Promise.resolve();
	const mine = waitUnlessAborted(before, client.signal).then(work);
	// When this one gives up waiting, the next still waits for the work before it.
	const all = Promise.allSettled([before, mine]);
	turns.set(key, all);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === all) turns.delete(key);
	}
}

/** Runs `work` for the indexes 0 to count - 1, at most `width` at once. After a failure, none is started. */
export async function runInParallel<T>(
	count: number,
	width: number,
	work: (index: number) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	let next = 0;
	let failed = false;
	const lane = async () => {
		while (next < count && !failed) {
			const index = next++;
			try {
				results[index] = await work(index);
			} finally {
				failed ||= !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
	return results;
}

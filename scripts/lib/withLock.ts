import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { lock } from 'proper-lockfile';

/** After this long without a sign of life a lock counts as left behind by a dead process. */
const STALE_MS = 60_000;

/**
 * Runs `work` while no other process of this machine runs work under the same lock.
 *
 * @param lockFile the file that represents the lock; created when missing
 * @param waitMs how long to wait for another holder before giving up with an error
 */
export async function withLock<T>(
	lockFile: string,
	waitMs: number,
	work: () => Promise<T>,
): Promise<T> {
	await mkdir(path.dirname(lockFile), { recursive: true });
	await writeFile(lockFile, '', { flag: 'a' });
	const release = await lock(lockFile, {
		stale: STALE_MS,
		retries: { retries: Math.ceil(waitMs / 500), factor: 1, minTimeout: 500, maxTimeout: 500 },
	});
	try {
		return await work();
	} finally {
		await release();
	}
}

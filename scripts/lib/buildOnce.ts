import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { withLock } from './withLock';

const WAIT_FOR_OTHER_MS = 30 * 60_000;

/**
 * Makes an expensive file or folder of the cache only once, even when several processes ask for it.
 *
 * It is made beside its place and renamed at the end, so whatever has the final name is complete.
 *
 * @param target absolute path of what is wanted
 * @param build fills the empty folder it is given and returns the path in it that becomes the
 *   target
 */
export async function buildOnce(
	target: string,
	build: (emptyFolder: string) => Promise<string>,
): Promise<string> {
	if (existsSync(target)) return target;
	await mkdir(path.dirname(target), { recursive: true });
	return await withLock(`${target}.lock`, WAIT_FOR_OTHER_MS, async () => {
		if (existsSync(target)) return target;
		const partial = await mkdtemp(`${target}.partial-`);
		try {
			await rename(await build(partial), target);
		} finally {
			await rm(partial, { recursive: true, force: true });
		}
		return target;
	});
}

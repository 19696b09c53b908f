import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { lock } from 'proper-lockfile';

/** A process without a sign of life for a minute is dead; one that works gets half an hour. */
const LOCK = {
	stale: 60_000,
	retries: { retries: 3_600, factor: 1, minTimeout: 500, maxTimeout: 500 },
};

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
	await writeFile(`${target}.lock`, '', { flag: 'a' });
	const release = await lock(`${target}.lock`, LOCK);
	let partial = '';
	try {
		if (existsSync(target)) return target;
		partial = await mkdtemp(`${target}.partial-`);
		await rename(await build(partial), target);
		return target;
	} finally {
		if (partial) await rm(partial, { recursive: true, force: true });
		await release();
	}
}

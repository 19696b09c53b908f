import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { lock } from 'proper-lockfile';

/**
 * Where a real n8n, its Node and what is derived from them are kept between runs: outside the
 * checkout, because together they are larger than anything in it.
 */
export function cacheRoot(): string {
	if (process.env.N8N_NODES_WHEROBOTS_CACHE) return process.env.N8N_NODES_WHEROBOTS_CACHE;
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-wherobots');
}

/** A folder under the cache, created when it is missing. */
export async function cacheFolder(...names: string[]): Promise<string> {
	const folder = join(cacheRoot(), ...names);
	await mkdir(folder, { recursive: true });
	return folder;
}

export async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

export interface BuildOnceOptions {
	/** Absolute path under the cache at which the finished folder or file appears. */
	target: string;
	/** Fills an empty folder and returns the path, in it, of what becomes the target. */
	build: (emptyFolder: string) => Promise<string>;
	/** Called when another process is building the same thing, before waiting for it. */
	onWait?: () => void;
}

/**
 * Makes an expensive folder or file exactly once, also when several processes ask for it: it
 * is built beside its place and renamed into it, so what stands at `target` is always whole.
 */
export async function buildOnce({ target, build, onWait }: BuildOnceOptions): Promise<string> {
	if (await exists(target)) return target;
	await mkdir(dirname(target), { recursive: true });
	const release = await acquire(target, onWait);
	try {
		if (await exists(target)) return target;
		const scratch = await mkdtemp(`${target}.part-`);
		try {
			await rename(await build(scratch), target);
		} finally {
			await rm(scratch, { recursive: true, force: true });
		}
		return target;
	} finally {
		await release();
	}
}

async function acquire(target: string, onWait?: () => void): Promise<() => Promise<void>> {
	// `realpath: false`: the target does not exist yet. A lock whose owner died is stale after
	// 30 s, because a living owner renews it every 5 s.
	const options = { realpath: false, stale: 30_000, update: 5_000 };
	try {
		return await lock(target, options);
	} catch {
		onWait?.();
		return await lock(target, {
			...options,
			retries: { forever: true, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 },
		});
	}
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { buildOnce } from './buildOnce';
import { cacheRoot } from './paths';
import { step } from './progress';

/** What to install, and how. */
export interface CachedInstall {
	/** The readable first part of the folder's name, such as `n8n-2`. */
	name: string;
	/** What it is called while it is installed, if not by its name. */
	title?: string;
	/** A folder with a package.json and, as a rule, a package-lock.json. Nothing is written to it. */
	manifestDir: string;
	/** Further arguments for `npm install`, such as `--legacy-peer-deps`. They are part of the key. */
	npmArgs?: string[];
	/** Anything else that makes an installation a different one, such as the Node version. */
	key?: string;
	/** Environment variables on top of the current ones. */
	env?: NodeJS.ProcessEnv;
	/** Runs once in the installed folder before it counts as complete (native modules, say). */
	finish?: (dir: string) => Promise<void>;
}

const MANIFESTS = ['package.json', 'package-lock.json'];

/**
 * Installs a package.json with its lock into the cache folder, once for each content of the two.
 *
 * A folder with the final name is always complete: the work is done in a folder beside it, which is
 * renamed at the end, and two processes that want the same one take turns.
 *
 * @returns the folder that holds node_modules
 * @throws when npm fails; its output is in the message
 */
export async function installCached(wanted: CachedInstall): Promise<string> {
	const target = path.join(cacheRoot(), `${wanted.name}-${await keyOf(wanted)}`);
	return await buildOnce(target, async (dir) => {
		for (const file of MANIFESTS) {
			const source = path.join(wanted.manifestDir, file);
			if (existsSync(source)) await cp(source, path.join(dir, file));
		}
		const env = { ...process.env, ...wanted.env };
		return await step(`Installing ${wanted.title ?? wanted.name} (once)`, async () => {
			await execa('npm', npmArguments(wanted), { cwd: dir, env, all: true, stdin: 'ignore' });
			await wanted.finish?.(dir);
			return dir;
		});
	});
}

function npmArguments(wanted: CachedInstall): string[] {
	// `npm ci` would refuse a lock file without the optional packages of every platform.
	return ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...(wanted.npmArgs ?? [])];
}

async function keyOf(wanted: CachedInstall): Promise<string> {
	const hash = createHash('sha256');
	for (const file of MANIFESTS) {
		const source = path.join(wanted.manifestDir, file);
		if (existsSync(source)) hash.update(await readFile(source));
		hash.update('\0');
	}
	hash.update(JSON.stringify([wanted.npmArgs ?? [], wanted.key ?? '']));
	return hash.digest('hex').slice(0, 16);
}

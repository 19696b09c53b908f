import { writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:process';
import { join } from 'node:path';
import { execa } from 'execa';
import { buildOnce, cacheRoot } from './cache';
import { npm } from './npm';
import { step } from './progress';

export interface NodeRuntime {
	/** Exact version, without a `v`. */
	version: string;
	/** Folder with `bin/node` and the headers under `include/`. */
	folder: string;
	/** The executable. */
	bin: string;
}

/**
 * A Node of an exact version beside the machine's own: n8n 2 needs a newer one than this
 * package is developed with. It comes from the registry's package for this platform, a plain
 * binary with its headers, so nothing is installed on the machine.
 *
 * @param version exact, for example 24.21.0
 */
export async function ensureNode(version: string): Promise<NodeRuntime> {
	const name = `node-${platform}-${arch}`;
	const target = join(cacheRoot(), `${name}-${version}`);
	const runtime = { version, folder: target, bin: join(target, 'bin', 'node') };
	await buildOnce({
		target,
		build: async (folder) =>
			await step(`Fetching Node ${version} for n8n`, async () => await fetchNode(name, version, folder)),
	});
	return runtime;
}

async function fetchNode(name: string, version: string, folder: string): Promise<string> {
	await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
	await npm(['install', ...flags, `${name}@${version}`], { cwd: folder });
	const unpacked = join(folder, 'node_modules', name);
	const { stdout } = await execa(join(unpacked, 'bin', 'node'), ['--version']);
	if (stdout.trim() !== `v${version}`) throw new Error(`${name} answered ${stdout} as its version`);
	return unpacked;
}

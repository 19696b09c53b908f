import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { arch, platform } from 'node:process';

import { execa } from 'execa';

import { buildOnce } from '../../../scripts/lib/buildOnce';
import { cacheRoot } from '../../../scripts/lib/paths';
import { step } from '../../../scripts/lib/progress';

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
	const folder = path.join(cacheRoot(), `${name}-${version}`);
	if (!existsSync(folder)) {
		await step(`Fetching Node ${version} for n8n`, async () => {
			await buildOnce(folder, async (scratch) => await fetchNode(name, version, scratch));
		});
	}
	return { version, folder, bin: path.join(folder, 'bin', 'node') };
}

async function fetchNode(name: string, version: string, scratch: string): Promise<string> {
	await writeFile(path.join(scratch, 'package.json'), '{ "private": true }\n');
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
	const wanted = `${name}@${version}`;
	await execa('npm', ['install', ...flags, wanted], { cwd: scratch, stdin: 'ignore' });
	const unpacked = path.join(scratch, 'node_modules', name);
	const { stdout } = await execa(path.join(unpacked, 'bin', 'node'), ['--version']);
	if (stdout.trim() !== `v${version}`) throw new Error(`${wanted} calls itself ${stdout}`);
	// Out of node_modules: npm would take the folder above for a project.
	const folder = path.join(scratch, name);
	await rename(unpacked, folder);
	return folder;
}

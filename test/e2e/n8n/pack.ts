import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { buildOnce } from '../../../scripts/lib/buildOnce';
import { listFiles } from '../../../scripts/lib/listFiles';
import { cacheRoot, REPOSITORY } from '../../../scripts/lib/paths';
import { step } from './progress';

/** Everything that the published package is made from. */
const SOURCES = [
	...['nodes', 'credentials', 'icons', 'scripts/build', 'gulpfile.js', 'index.js'],
	...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE'],
];

/**
 * Builds the package and packs it as `npm publish` would, once per content of its sources.
 *
 * @returns path of the tarball
 */
export async function packPackage(): Promise<string> {
	const target = path.join(cacheRoot(), 'packages', `${await sourcesKey()}.tgz`);
	if (existsSync(target)) return target;
	return await step('Building and packing n8n-nodes-wherobots', async () => {
		return await buildOnce(target, async (scratch) => {
			await run('npm', ['run', 'build']);
			const packed = await run('npm', ['pack', '--json', '--pack-destination', scratch]);
			const [{ filename }] = JSON.parse(packed) as Array<{ filename: string }>;
			return path.join(scratch, filename);
		});
	});
}

/** @throws Error that carries the output of the command */
async function run(command: string, parameters: string[]): Promise<string> {
	const options = { cwd: REPOSITORY, stdin: 'ignore', all: true } as const;
	return (await execa(command, parameters, options)).stdout;
}

async function sourcesKey(): Promise<string> {
	const hash = createHash('sha256');
	for (const source of SOURCES) {
		for (const file of await filesOf(path.join(REPOSITORY, source))) {
			hash.update(`${path.relative(REPOSITORY, file)}\0`).update(await readFile(file));
		}
	}
	return hash.digest('hex').slice(0, 16);
}

async function filesOf(place: string): Promise<string[]> {
	if (!existsSync(place)) return [];
	if ((await stat(place)).isFile()) return [place];
	return (await listFiles(place)).map((file) => path.join(place, file));
}

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { buildOnce } from './buildOnce';
import { listFiles } from './listFiles';
import { cacheRoot, REPOSITORY } from './paths';
import { step } from './progress';
import { run } from './run';

/** The package as npm would publish it now. */
export interface PackedPackage {
	/** The `.tgz` file. */
	tarball: string;
	/** What is in it, unpacked. */
	dir: string;
}

/** Everything that decides what is published. */
const INPUT_FOLDERS = ['nodes', 'credentials', 'icons', 'scripts/build', 'scripts/lib'];
const INPUT_FILES =
	/^(package(-lock)?\.json|tsconfig\.json|gulpfile\.js|index\.js|LICENSE|README\.md)$/;

const KEEP_UNUSED_MS = 24 * 3_600_000;

/**
 * Builds and packs this package, once for each state of its sources, and unpacks the result.
 *
 * The work is done on a copy in the cache, so that it neither touches `dist` of the checkout nor sees
 * a file change half way: tests, scan, demo and benchmarks can run side by side, and after an edit
 * each of them gets the package of the sources it saw.
 *
 * @throws when the build fails; its output is in the message
 */
export async function packedPackage(): Promise<PackedPackage> {
	const inputs = await readInputs();
	const folder = path.join(cacheRoot(), 'packed');
	const target = path.join(folder, keyOf(inputs));
	const build = async (dir: string) => {
		await removeUnused(folder);
		const workshop = path.join(dir, 'workshop');
		await writeAll(inputs, workshop);
		await symlink(path.join(REPOSITORY, 'node_modules'), path.join(workshop, 'node_modules'));
		await run('npm', ['run', 'build'], { cwd: workshop });
		await run('npm', ['pack', '--pack-destination', dir], { cwd: workshop });
		await run('tar', ['-xzf', await tarballIn(dir)], { cwd: dir });
		await rm(workshop, { recursive: true });
		return dir;
	};
	await buildOnce(target, async (dir) => {
		return await step('Building and packing the package', async () => await build(dir));
	});
	return { tarball: await tarballIn(target), dir: path.join(target, 'package') };
}

type Inputs = Map<string, Buffer>;

async function readInputs(): Promise<Inputs> {
	const top = (await readdir(REPOSITORY)).filter((name) => INPUT_FILES.test(name));
	const below = await Promise.all(
		INPUT_FOLDERS.map(async (folder) => {
			const files = await listFiles(path.join(REPOSITORY, folder));
			return files.map((file) => `${folder}/${file}`);
		}),
	);
	const inputs: Inputs = new Map();
	for (const file of [...top.sort(), ...below.flat()]) {
		inputs.set(file, await readFile(path.join(REPOSITORY, file)));
	}
	return inputs;
}

function keyOf(inputs: Inputs): string {
	const hash = createHash('sha256');
	for (const [file, content] of inputs) hash.update(`${file}\0${content.length}\0`).update(content);
	return hash.digest('hex').slice(0, 16);
}

async function writeAll(inputs: Inputs, dir: string): Promise<void> {
	for (const [file, content] of inputs) {
		const target = path.join(dir, file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, content);
	}
}

async function tarballIn(dir: string): Promise<string> {
	const name = (await readdir(dir)).find((file) => file.endsWith('.tgz'));
	if (!name) throw new Error(`npm pack left no tarball in ${dir}`);
	return path.join(dir, name);
}

async function removeUnused(folder: string): Promise<void> {
	for (const name of await readdir(folder)) {
		const entry = path.join(folder, name);
		// Another process may have removed it in the meantime.
		const { mtimeMs } = await stat(entry).catch(() => ({ mtimeMs: Infinity }));
		if (Date.now() - mtimeMs > KEEP_UNUSED_MS) await rm(entry, { recursive: true, force: true });
	}
}

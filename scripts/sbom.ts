/**
 * The software bill of materials of the published package, in CycloneDX, on standard output:
 * `npx tsx scripts/sbom.ts > sbom.json`. The package has no dependencies; besides its own code, it
 * contains the libraries that scripts/build/bundled.ts names, in the versions of the lock file.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import { BUNDLED_FILES } from './build/bundled';
import { REPOSITORY } from './lib/paths';

interface Lock {
	packages: Record<string, { version: string }>;
}

async function main(): Promise<void> {
	const read = async (file: string) => await readFile(path.join(REPOSITORY, file), 'utf8');
	const manifest = JSON.parse(await read('package.json')) as Record<string, unknown>;
	const { packages } = JSON.parse(await read('package-lock.json')) as Lock;
	const bundled = new Set(BUNDLED_FILES.flatMap((file) => file.packages));
	const { name, version, license, author, repository } = manifest;
	const dependencies = Object.fromEntries(
		[...bundled].map((library) => [library, packages[`node_modules/${library}`].version]),
	);
	// npm describes what a package depends on, so it is given one that depends on what is bundled.
	const parent = await mkdtemp(path.join(tmpdir(), 'sbom-'));
	try {
		// npm names the whole after its folder.
		const folder = path.join(parent, String(name));
		await mkdir(folder);
		const described = { name, version, license, author, repository, dependencies };
		await writeFile(path.join(folder, 'package.json'), JSON.stringify(described));
		const npm = async (...parameters: string[]) =>
			await execa('npm', parameters, { cwd: folder, stdin: 'ignore' });
		await npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
		const { stdout } = await npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx');
		process.stdout.write(`${stdout}\n`);
	} finally {
		await rm(parent, { recursive: true, force: true });
	}
}

void main();

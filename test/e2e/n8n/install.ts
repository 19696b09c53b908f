import { createHash } from 'node:crypto';
import { access, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import { execa } from 'execa';
import { buildOnce, cacheRoot } from './cache';
import { ensureNode, type NodeRuntime } from './node';
import { npm } from './npm';
import { startStep, type Detail } from './progress';

/** The current n8n: its package.json and lock, with the exact Node it runs on as `engines`. */
export const N8N_2 = join(__dirname, '..', 'n8n-2');

export interface N8nInstall {
	/** Exact n8n version. */
	version: string;
	folder: string;
	/** The script that Node runs. */
	script: string;
	node: NodeRuntime;
	/** Changes whenever the installed tree or its Node does. */
	key: string;
}

interface Manifest {
	dependencies: { n8n: string };
	engines: { node: string };
}

interface Lock {
	packages: Record<string, { optional?: boolean }>;
}

/**
 * A real n8n, installed once per lock file and Node version into the cache. Takes minutes and
 * two gigabytes the first time, and nothing afterwards.
 *
 * @param spec folder with package.json and package-lock.json
 */
export async function ensureN8n(spec: string = N8N_2): Promise<N8nInstall> {
	const manifestText = await readFile(join(spec, 'package.json'), 'utf8');
	const lockText = await readFile(join(spec, 'package-lock.json'), 'utf8');
	const manifest = JSON.parse(manifestText) as Manifest;
	const version = manifest.dependencies.n8n;
	const node = await ensureNode(manifest.engines.node);
	const key = createHash('sha256')
		.update([manifestText, lockText, node.version, platform, arch].join('\0'))
		.digest('hex')
		.slice(0, 12);
	const target = join(cacheRoot(), `n8n-${version}-${key}`);
	await buildOnce({
		target,
		build: async (folder) => await installN8n(spec, folder, version, node),
		onWait: () => process.stderr.write(`  Another process is installing n8n ${version}; waiting\n`),
	});
	const script = join(target, 'node_modules', 'n8n', 'bin', 'n8n');
	return { version, folder: target, script, node, key };
}

async function installN8n(
	spec: string,
	folder: string,
	version: string,
	node: NodeRuntime,
): Promise<string> {
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(join(spec, name), join(folder, name));
	}
	let phase: Detail = await unpackedPackages(folder);
	const title = `Installing n8n ${version} (about 2 GB, once; usually 2 to 6 minutes)`;
	const progress = startStep(title, () => phase());
	try {
		// Without --legacy-peer-deps the peer sets of langchain take over ten minutes to resolve;
		// with install scripts a Kafka driver that nothing here needs is compiled, or fails to.
		const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
		await npm(['install', ...flags, '--loglevel=error'], { cwd: folder, node: node.bin });
		phase = () => 'building its database driver';
		await buildDatabaseDriver(folder, node);
		progress.done();
		return folder;
	} catch (error) {
		progress.fail();
		throw error;
	}
}

/** The one native module that n8n cannot start without; it needs Node's headers. */
async function buildDatabaseDriver(folder: string, node: NodeRuntime): Promise<void> {
	const flags = ['--foreground-scripts', '--ignore-scripts=false'];
	await npm(['rebuild', 'sqlite3', ...flags], {
		cwd: folder,
		node: node.bin,
		env: { npm_config_nodedir: node.folder },
	}).catch((error: Error) => {
		throw new Error(
			`The database driver of n8n could not be built. It needs a C++ compiler, make and ` +
				`Python 3 (on Debian: build-essential python3).\n${error.message}`,
		);
	});
	await execa(node.bin, ['-e', 'require("sqlite3")'], { cwd: folder });
}

/** "812 of 2,095 packages", counted on disk, because npm itself is silent while it works. */
async function unpackedPackages(folder: string): Promise<Detail> {
	const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock;
	const expected = Object.keys(lock.packages).filter(
		(path) => path !== '' && !lock.packages[path].optional,
	);
	const present = new Set<string>();
	let counting = false;
	const count = async () => {
		counting = true;
		for (const path of expected) {
			if (present.has(path)) continue;
			await access(join(folder, path, 'package.json')).then(
				() => present.add(path),
				() => undefined,
			);
		}
		counting = false;
	};
	return () => {
		if (!counting) void count();
		const format = (value: number) => value.toLocaleString('en-US');
		return `${format(present.size)} of ${format(expected.length)} packages`;
	};
}

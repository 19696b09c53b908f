import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { arch, env, platform } from 'node:process';

import { execa } from 'execa';

import { installCached } from '../../../scripts/lib/cachedInstall';
import { step } from '../../../scripts/lib/progress';
import { ensureNode, type NodeRuntime } from './node';

/** The current n8n: its package.json and lock, with the exact Node it runs on as `engines`. */
const N8N_2 = path.join(__dirname, '..', 'n8n-2');

export interface N8nInstall {
	/** Exact n8n version. */
	version: string;
	/** Folder with its node_modules; the name changes whenever the tree or its Node does. */
	folder: string;
	/** The script that Node runs. */
	script: string;
	node: NodeRuntime;
}

interface Manifest {
	dependencies: { n8n: string };
	engines: { node: string };
}

/**
 * A real n8n, installed once per lock file and Node version into the cache. Takes minutes and
 * two gigabytes the first time, and nothing afterwards.
 *
 * @param spec folder with package.json and package-lock.json
 */
export async function ensureN8n(spec: string = N8N_2): Promise<N8nInstall> {
	const manifest = JSON.parse(await readFile(path.join(spec, 'package.json'), 'utf8')) as Manifest;
	const version = manifest.dependencies.n8n;
	const node = await ensureNode(manifest.engines.node);
	const folder = await installCached({
		name: `n8n-${version}`,
		title: `n8n ${version}, 2 GB, which takes 2 to 8 minutes, or longer on a busy machine`,
		manifestDir: spec,
		// Without it the peer sets of langchain take over ten minutes to resolve.
		npmArgs: ['--legacy-peer-deps', '--loglevel=error'],
		key: [node.version, platform, arch].join(' '),
		// npm itself runs on that Node, so that what it builds and chooses fits.
		env: { PATH: `${path.dirname(node.bin)}${path.delimiter}${env.PATH}` },
		finish: async (dir) =>
			await step(
				'Building the database driver of n8n, which takes minutes where it is compiled',
				async () => buildDatabaseDriver(dir, node),
			),
	});
	return { version, folder, script: path.join(folder, 'node_modules/n8n/bin/n8n'), node };
}

/**
 * Builds the one native module that n8n cannot start without. Its install script was left out
 * with all the others, of which some fail; it needs the headers of the Node that will run it.
 */
async function buildDatabaseDriver(folder: string, node: NodeRuntime): Promise<void> {
	const flags = ['--foreground-scripts', '--ignore-scripts=false'];
	const build = await execa('npm', ['rebuild', 'sqlite3', ...flags], {
		cwd: folder,
		env: {
			PATH: `${path.dirname(node.bin)}${path.delimiter}${env.PATH}`,
			npm_config_nodedir: node.folder,
			// Where no ready-made one can be downloaded, SQLite is compiled, on one core and with -O3 unless
			// told otherwise. This takes a fraction of that time, and nobody here notices the difference.
			CFLAGS: '-O1',
			CXXFLAGS: '-O1',
			npm_config_jobs: 'max',
			// Set by an outer `npm run` in this repository.
			npm_config_ignore_scripts: 'false',
		},
		all: true,
		reject: false,
		stdin: 'ignore',
	});
	if (build.exitCode !== 0) {
		throw new Error(
			'The database driver of n8n could not be built. It needs a C++ compiler, make and ' +
				`Python 3 (on Debian: build-essential python3).\n${build.all ?? ''}`,
		);
	}
	await execa(node.bin, ['-e', 'require("sqlite3")'], { cwd: folder });
}

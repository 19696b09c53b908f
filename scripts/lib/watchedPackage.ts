import { cp, mkdir, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { BUNDLED_FILES } from '../build/bundled';
import { REPOSITORY } from './paths';

/** What the compiler prints whenever it has written everything. */
const COMPILED = /Found (\d+) errors?\. Watching for file changes\./;

/** A package that is compiled again whenever one of its sources changes. */
export interface WatchedPackage {
	stop(): Promise<void>;
}

/**
 * Compiles the package into the folder where n8n keeps community packages, again after every change:
 * n8n loads it under its real name, so that users' workflows work with it. Libraries that the build
 * bundles are linked beside it instead. Icons are copied only once.
 *
 * @param sources folder with `nodes`, `credentials`, `icons`, package.json and tsconfig.json
 * @param userFolder parent of `.n8n`
 * @param onOutput receives each line of the compiler
 * @throws when the compiler ends before it has compiled once
 */
export async function watchPackage(
	sources: string,
	userFolder: string,
	onOutput: (line: string) => void = () => undefined,
): Promise<WatchedPackage> {
	const modules = path.join(await realpath(userFolder), '.n8n', 'nodes', 'node_modules');
	const folder = path.join(modules, 'n8n-nodes-wherobots');
	const dist = path.join(folder, 'dist');
	await mkdir(dist, { recursive: true });
	await cp(path.join(sources, 'package.json'), path.join(folder, 'package.json'));
	await cp(path.join(sources, 'icons'), path.join(dist, 'icons'), { recursive: true });
	for (const name of new Set(BUNDLED_FILES.flatMap(({ packages }) => packages))) {
		const place = path.join(modules, name);
		await mkdir(path.dirname(place), { recursive: true });
		await symlink(path.join(REPOSITORY, 'node_modules', name), place);
	}

	const tsc = path.join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
	const flags = ['--watch', '--preserveWatchOutput', '--outDir', dist];
	const compiler = execa(process.execPath, [tsc, ...flags], {
		cwd: sources,
		stdin: 'ignore',
		buffer: false,
		reject: false,
	});
	await new Promise<void>((resolve, reject) => {
		compiler.stdout?.setEncoding('utf8').on('data', (text: string) => {
			for (const line of text.split('\n').filter((part) => part.trim() !== '')) onOutput(line);
			if (COMPILED.test(text)) resolve();
		});
		void compiler.once('exit', (code) => reject(new Error(`tsc ended with ${code}`)));
		void compiler.once('error', reject);
	});
	return {
		async stop() {
			compiler.kill();
			await compiler;
		},
	};
}

/** Makes n8n load the nodes again whenever their files change. */
export const HOT_RELOAD = { N8N_DEV_RELOAD: 'true' };

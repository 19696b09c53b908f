/** What the benchmarks load into n8n beside the package. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { build } from 'esbuild';

import { PACE, paceModule } from '../lib/pace';

const NO_PACE = 'RATE_LIMIT = { requests: 1e9,';

export interface Extensions {
	/** For N8N_CUSTOM_EXTENSIONS; node types in it are named `CUSTOM.…`. */
	folder: string;
	/** For EXTERNAL_HOOK_FILES. */
	hook: string;
}

/**
 * Builds the floor's node and the hook, and makes a copy of the package that differs in one
 * number: its pace is so high that it never waits. Only with it can be measured what the code
 * costs where the published rate of the service is the limit.
 *
 * @param packageDir the unpacked package
 * @param target an empty folder
 */
export async function buildExtensions(packageDir: string, target: string): Promise<Extensions> {
	const folder = path.join(target, 'extensions');
	await mkdir(folder, { recursive: true });
	await bundle('Floor.node.ts', path.join(folder, 'floor', 'Floor.node.js'));
	const hook = path.join(target, 'hook.js');
	await bundle('hook.ts', hook);

	const unpaced = path.join(folder, 'unpaced');
	await cp(packageDir, unpaced, { recursive: true });
	const file = paceModule(unpaced, 'rateLimit');
	const code = await readFile(file, 'utf8');
	if (!PACE.test(code)) throw new Error(`${file} does not set the pace where it used to`);
	await writeFile(file, code.replace(PACE, NO_PACE));
	return { folder, hook };
}

async function bundle(source: string, outfile: string): Promise<void> {
	await build({
		entryPoints: [path.join(__dirname, source)],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
		logLevel: 'warning',
	});
}

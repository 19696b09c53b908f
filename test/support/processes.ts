import { once } from 'node:events';
import path from 'node:path';

import { build } from 'esbuild';
import { execa } from 'execa';

import { REPOSITORY } from '../../scripts/lib/paths';

const FOLDER = path.join(REPOSITORY, 'node_modules', '.cache', 'processes');
const TIMEOUT_MS = 110_000;

/**
 * Runs a program once for each order, in processes of their own that begin at the same moment: what
 * the package keeps in a process is not shared. See `processWork.ts` for the program's side.
 *
 * @param entry path of the program
 * @returns what each reports
 */
export async function together<Report>(entry: string, orders: object[]): Promise<Report[]> {
	const script = path.join(FOLDER, `${path.basename(entry, '.ts')}.cjs`);
	await build({
		entryPoints: [entry],
		outfile: script,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		packages: 'external',
		// A node's description in JSON lies beside its code under the same name.
		resolveExtensions: ['.ts', '.js', '.json'],
		logLevel: 'silent',
	});
	const processes = orders.map((order) =>
		execa(process.execPath, [script, JSON.stringify(order)], {
			cwd: REPOSITORY,
			timeout: TIMEOUT_MS,
			env: { NODE_ENV: 'test' },
		}),
	);
	// Each prints a line when it is ready.
	await Promise.all(processes.map(async ({ stdout }) => await once(stdout!, 'data')));
	for (const { stdin } of processes) stdin?.write('go\n');
	return await Promise.all(
		processes.map(async (running) => {
			const { stdout } = await running;
			return JSON.parse(stdout.trim().split('\n').at(-1) as string) as Report;
		}),
	);
}

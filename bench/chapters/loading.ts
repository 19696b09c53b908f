import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import type { Bench } from '../bench';
import { atMost, type Chapter, inRounds, ratio, row } from '../measure';

const MAX_TARBALL = 300_000;
const ROUNDS = 11;

/**
 * What n8n does with a node at its start: require the file and instantiate the class. n8n has loaded
 * n8n-workflow long before that. Prints the milliseconds.
 */
const LOAD = `
require('n8n-workflow');
const begun = performance.now();
for (const file of process.argv.slice(1)) {
	for (const Type of Object.values(require(file))) if (typeof Type === 'function') new Type();
}
console.log(performance.now() - begun);
`;

/** What the package costs before it does anything. */
export async function loading({ install, packed }: Bench): Promise<Chapter[]> {
	const { size } = await stat(packed.tarball);
	const manifest = JSON.parse(await readFile(path.join(packed.dir, 'package.json'), 'utf8')) as {
		dependencies?: object;
		n8n: { nodes: string[] };
	};
	const dependencies = Object.keys(manifest.dependencies ?? {}).length;
	const modules = path.join(install.folder, 'node_modules');
	const load = async (folder: string, files: string[]) => {
		const full = files.map((file) => path.join(folder, file));
		const env = { NODE_PATH: modules, NODE_ENV: 'production' };
		const { stdout } = await execa(install.node.bin, ['-e', LOAD, ...full], { env });
		return { ms: Number(stdout) };
	};
	const databricks = path.join(modules, 'n8n-nodes-base/dist/nodes/Databricks');
	const { ours, theirs } = await inRounds(
		{
			ours: async () => await load(packed.dir, manifest.n8n.nodes),
			theirs: async () =>
				await load(databricks, ['Databricks.node.js', 'DatabricksTrigger.node.js']),
		},
		ROUNDS,
	);
	return [
		{
			title: 'Load the package in n8n',
			how: 'Both nodes required and made in a fresh process of the Node.js that runs n8n, with n8n-workflow loaded before.',
			rows: [
				row('Wherobots and Wherobots Trigger', ours),
				row("n8n's own Databricks and Databricks Trigger", theirs),
			],
			checks: [
				{
					target: `tarball under ${MAX_TARBALL / 1_000} KB`,
					reached: `${(size / 1_000).toFixed(1)} KB`,
					met: size < MAX_TARBALL,
				},
				{ target: 'no dependencies', reached: String(dependencies), met: dependencies === 0 },
				atMost(1, "× the time of n8n's own nodes", ratio(ours, theirs)),
			],
		},
	];
}

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import type { Bench } from '../lib/bench';
import { atMost, type Chapter, row } from '../lib/chapter';
import { inRounds, ratio, type Sample } from '../lib/samples';

const MAX_TARBALL = 250_000;
const ROUNDS = 15;

/**
 * What n8n does with a node at its start: require the file, and make the class. n8n has loaded
 * n8n-workflow long before. Prints the milliseconds.
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
export async function loading({ install, packed, scale }: Bench): Promise<Chapter> {
	const { size } = await stat(packed.tarball);
	const manifest = JSON.parse(await readFile(path.join(packed.dir, 'package.json'), 'utf8')) as {
		dependencies?: object;
		n8n: { nodes: string[] };
	};
	const dependencies = Object.keys(manifest.dependencies ?? {}).length;
	const modules = path.join(install.folder, 'node_modules');
	const databricks = path.join(modules, 'n8n-nodes-base', 'dist', 'nodes', 'Databricks');
	const load = async (files: string[]): Promise<Sample> => {
		const env = { NODE_PATH: modules, NODE_ENV: 'production' };
		const { stdout } = await execa(install.node.bin, ['-e', LOAD, ...files], { env });
		return { ms: Number(stdout) };
	};
	const samples = await inRounds(
		{
			ours: async () => await load(manifest.n8n.nodes.map((file) => path.join(packed.dir, file))),
			databricks: async () =>
				await load(
					['Databricks.node.js', 'DatabricksTrigger.node.js'].map((file) =>
						path.join(databricks, file),
					),
				),
		},
		Math.max(ROUNDS, scale.rounds),
	);
	return {
		title: 'Load the package in n8n',
		how: 'Both nodes required and made in a fresh process of the Node that runs n8n, with n8n-workflow loaded before.',
		rows: [
			row('Wherobots and Wherobots Trigger', samples.ours),
			row("n8n's own Databricks and Databricks Trigger", samples.databricks),
		],
		checks: [
			{
				target: `tarball under ${MAX_TARBALL / 1000} KB`,
				reached: `${(size / 1000).toFixed(1)} KB`,
				met: size < MAX_TARBALL,
			},
			{ target: 'no dependencies', reached: String(dependencies), met: dependencies === 0 },
			atMost(1, "× the time of n8n's own nodes", ratio(samples.ours, samples.databricks)),
		],
	};
}

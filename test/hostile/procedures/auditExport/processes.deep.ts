import path from 'node:path';

import { build } from 'esbuild';
import { execa } from 'execa';

import { REPOSITORY } from '../../../../scripts/lib/paths';
import { ensureNode } from '../../../e2e/n8n/node';
import type { FaultReport } from './processes/exportFaults';

/** n8n 2 runs on this one; n8n 1 on the one that the tests run on. */
const NEWER_NODE = '24.21.0';
const script = path.join(REPOSITORY, 'node_modules', '.cache', 'export-faults', 'index.cjs');

beforeAll(async () => {
	await build({
		entryPoints: [path.join(__dirname, 'processes', 'exportFaults.ts')],
		outfile: script,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		packages: 'external',
		// A node's description in JSON lies beside its code under the same name.
		resolveExtensions: ['.ts', '.js', '.json'],
		logLevel: 'silent',
	});
});

const nodes: Array<[string, () => Promise<string>]> = [
	['this Node', async () => await Promise.resolve(process.execPath)],
	[`Node ${NEWER_NODE}`, async () => (await ensureNode(NEWER_NODE)).bin],
];

it.each(nodes)(
	'an export that breaks is repeated or fails, in every binary mode, on %s',
	async (_, findNode) => {
		const { stdout } = await execa(await findNode(), [script], {
			cwd: REPOSITORY,
			timeout: 460_000,
			env: { NODE_ENV: 'test' },
		});
		const report = JSON.parse(stdout.trim().split('\n').at(-1) as string) as FaultReport;
		expect(report).toEqual({ ...report, wrong: [], uncaught: [] });
		expect(report.runs).toBeGreaterThan(1000);
	},
	480_000,
);

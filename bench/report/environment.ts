/** The machine and the versions that the figures belong to. */
import { readFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type as osType } from 'node:os';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { run } from '../../scripts/lib/run';
import type { N8nInstall } from '../../test/e2e/n8n/install';

/** Name and value, in the order in which they are shown. */
export type Facts = Record<string, string>;

export async function describeEnvironment(install: N8nInstall): Promise<Facts> {
	const [commit, changed] = await Promise.all([
		run('git', ['rev-parse', '--short', 'HEAD'], { cwd: REPOSITORY }),
		run('git', ['status', '--porcelain', '--', 'nodes', 'credentials'], { cwd: REPOSITORY }),
	]);
	const { version } = await manifest(REPOSITORY);
	return {
		Date: new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
		Machine: `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${osType()} ${release()}`,
		Package: `n8n-nodes-wherobots ${version} at ${commit}${changed ? ', with changes' : ''}`,
		n8n: `${install.version} on Node ${install.node.version}, SQLite, files in the file system`,
		Floors: `axios ${await versionOf('axios')}, papaparse ${await versionOf('papaparse')}, on the same Node`,
		'Load at the start': loadavg()
			.map((load) => load.toFixed(1))
			.join(', '),
	};
}

async function versionOf(name: string): Promise<string> {
	return (await manifest(path.join(REPOSITORY, 'node_modules', name))).version;
}

async function manifest(folder: string): Promise<{ version: string }> {
	const text = await readFile(path.join(folder, 'package.json'), 'utf8');
	return JSON.parse(text) as { version: string };
}

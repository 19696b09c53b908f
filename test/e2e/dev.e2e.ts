import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { HOT_RELOAD, watchPackage, type WatchedPackage } from '../../scripts/lib/watchedPackage';
import { until } from '../support/until';
import { ensureN8n } from './n8n/install';
import { N8nServer } from './n8n/server';

const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];
const EDITED = 'nodes/Wherobots/actions/tables/index.ts';

let sources: string;
let watched: WatchedPackage | undefined;
let n8n: N8nServer | undefined;

beforeAll(async () => {
	sources = await mkdtemp(path.join(tmpdir(), 'wherobots-sources-'));
	for (const name of SOURCES) {
		await cp(path.join(REPOSITORY, name), path.join(sources, name), { recursive: true });
	}
	await symlink(path.join(REPOSITORY, 'node_modules'), path.join(sources, 'node_modules'));
});

afterAll(async () => {
	await watched?.stop();
	await n8n?.stop();
	await rm(sources, { recursive: true, force: true });
});

/** Names of the node's resources, as the editor gets them. */
async function resources(): Promise<string[]> {
	const types = await n8n!.api.request<NodeType[]>('GET', '/types/nodes.json');
	const node = types.find(({ name }) => name === 'n8n-nodes-wherobots.wherobots');
	const field = node?.properties.find(({ name }) => name === 'resource');
	return (field?.options ?? []).map(({ name }) => name);
}

interface NodeType {
	name: string;
	properties: Array<{ name: string; options?: Array<{ name: string }> }>;
}

it('shows a changed label in an n8n that goes on running', async () => {
	n8n = await N8nServer.start({
		install: await ensureN8n(),
		env: HOT_RELOAD,
		prepare: async (userFolder) => {
			watched = await watchPackage(sources, userFolder);
		},
	});
	expect(await resources()).toContain('View');

	const file = path.join(sources, EDITED);
	const text = await readFile(file, 'utf8');
	let saves = 0;
	// n8n opens its editor before it watches the package, and does not notice what is saved until then.
	const save = async () =>
		await writeFile(file, text.replace("name: 'View'", `name: 'View, save ${(saves += 1)}'`));
	const isShown = async () => {
		// n8n writes the file anew while it serves it, and a response can be cut by that.
		const names = await resources().catch((): string[] => []);
		return names.some((name) => name.startsWith('View, save ')) && !names.includes('View');
	};
	await until(
		async () => {
			if (await isShown()) return true;
			await save();
			return false;
		},
		// Compiling and loading again take most of a minute on a busy machine.
		{ timeoutMs: 150_000, everyMs: 10_000 },
	);
});

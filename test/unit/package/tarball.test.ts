import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { PACE } from '../../../bench/pace';
import { PROVIDED_BY_N8N } from '../../../scripts/build/bundled';
import { requiredModules } from '../../../scripts/build/requires';
import { listFiles } from '../../../scripts/lib/listFiles';
import { packedPackage, type PackedPackage } from '../../../scripts/lib/packedPackage';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { run } from '../../../scripts/lib/run';
import type { LoadedPackage } from '../../support/loadPackage';

// Against hanging only: the build takes long on a busy machine.
jest.setTimeout(900_000);

const MAX_TARBALL_BYTES = 360_000;

/** What npm adds by itself, and what the build leaves in dist. */
const PUBLISHED = [
	/^(package\.json|README\.md|LICENSE|index\.js)$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/.+\.node\.json$/,
	/^dist\/nodes\/Wherobots\/map\/land\.json$/,
	/^dist\/nodes\/Wherobots\/__schema__\/v1\.0\.0\/\w+\/\w+\.json$/,
	/^dist\/icons\/[\w.]+\.svg$/,
	/^dist\/THIRD-PARTY-NOTICES\.txt$/,
];

let packed: PackedPackage;
let files: string[];

beforeAll(async () => {
	packed = await packedPackage();
	files = await listFiles(packed.dir);
});

describe('the packed package', () => {
	it('holds what is published and nothing else', () => {
		const others = files.filter((file) => !PUBLISHED.some((pattern) => pattern.test(file)));
		expect(others).toEqual([]);
		expect(files).toEqual(expect.arrayContaining(['LICENSE', 'index.js', 'package.json']));
	});

	it('is small', async () => {
		expect((await stat(packed.tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
	});

	it('holds every source, compiled, and beside the node the schemas of its outputs', async () => {
		const sources = await listFiles(path.join(REPOSITORY, 'nodes'));
		const published = sources
			.filter((file) => /(?<!\.d)\.ts$|__schema__/.test(file))
			.map((file) => `dist/nodes/${file.replace(/\.ts$/, '.js')}`);
		expect(published.length).toBeGreaterThan(100);
		expect(files).toEqual(expect.arrayContaining(published));
	});

	it('sets its pace where the benchmarks lift it', async () => {
		const code = await Promise.all(
			files.map(async (file) => await readFile(path.join(packed.dir, file), 'utf8')),
		);
		expect(code.filter((text) => PACE.test(text))).toHaveLength(1);
	});

	it('requires only files of its own and what n8n provides', async () => {
		const wrong: string[] = [];
		for (const file of files.filter((name) => name.endsWith('.js'))) {
			const code = await readFile(path.join(packed.dir, file), 'utf8');
			for (const name of requiredModules(code, file)) {
				const own = /^\.\.?(\/|$)/.test(name) && resolves(path.dirname(file), name);
				if (!own && !PROVIDED_BY_N8N.has(name)) wrong.push(`${file} → ${name}`);
			}
		}
		expect(wrong).toEqual([]);
	});
});

describe('n8n', () => {
	it('loads both nodes and the credential from the packed package', async () => {
		const script = path.join(REPOSITORY, 'test/support/loadPackage.ts');
		const output = await run('npx', ['tsx', script, packed.dir], {
			cwd: REPOSITORY,
			env: { NODE_PATH: path.join(REPOSITORY, 'node_modules') },
		});
		const loaded = JSON.parse(output) as LoadedPackage;

		expect(Object.keys(loaded.nodes).sort()).toEqual(['wherobots', 'wherobotsTrigger']);
		expect(Object.keys(loaded.credentials)).toEqual(['wherobotsApi']);
		expect(loaded.nodes.wherobots.displayName).toBe('Wherobots');
		expect(loaded.nodes.wherobotsTrigger.displayName).toBe('Wherobots Trigger');
		for (const node of Object.values(loaded.nodes)) expect(node.categories).not.toEqual([]);
		for (const type of [...Object.values(loaded.nodes), loaded.credentials.wherobotsApi]) {
			expect(new Set(type.icons).size).toBe(2);
			for (const icon of type.icons) expect(files).toContain(iconFile(icon));
		}
	});
});

function resolves(folder: string, name: string): boolean {
	const target = path.posix.join(folder, name);
	return [target, `${target}.js`, `${target}.json`, `${target}/index.js`].some((file) =>
		files.includes(file),
	);
}

/** From the address under which n8n serves an icon to the file in the package. */
function iconFile(address: string): string {
	return address.replace(/^\/?icons\/n8n-nodes-wherobots\//, '');
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { env } from 'node:process';

import getPort from 'get-port';

import { installCached } from '../../scripts/lib/cachedInstall';
import { ensureNode } from '../e2e/n8n/node';
import { startProgram } from '../e2e/servers/command';

const MANIFEST = path.join(__dirname, 'prism');

/**
 * Starts Prism over a description: as a proxy that judges what passes through it, or as a mock that
 * makes up responses.
 *
 * @param file the description
 * @param upstream where a proxy passes requests on to; without it it is a mock
 */
export async function startPrism(file: string, upstream?: string) {
	const { bin, script } = await ensurePrism();
	const port = await getPort({ host: '127.0.0.1' });
	const common = ['--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'silent'];
	const rest = upstream ? ['proxy', ...common, file, upstream] : ['mock', '-d', ...common, file];
	const stop = await startProgram([bin, script, ...rest], port);
	return { baseUrl: `http://127.0.0.1:${port}`, stop };
}

/** What makes up values for a schema: the library with which Prism makes up its responses. */
export async function loadFaker(): Promise<(schema: object) => Promise<unknown>> {
	const { folder } = await ensurePrism();
	const load = createRequire(path.join(folder, 'package.json'));
	const faker = load('json-schema-faker') as {
		option(options: object): void;
		resolve(schema: object): Promise<unknown>;
	};
	faker.option({ alwaysFakeOptionals: true, maxItems: 3, refDepthMax: 20 });
	return async (schema) => await faker.resolve(schema);
}

/** Prism and the Node that it needs, from the cache; installs both the first time. */
async function ensurePrism(): Promise<{ bin: string; script: string; folder: string }> {
	const text = await readFile(path.join(MANIFEST, 'package.json'), 'utf8');
	const manifest = JSON.parse(text) as { engines: { node: string } };
	const node = await ensureNode(manifest.engines.node);
	const folder = await installCached({
		name: 'prism',
		manifestDir: MANIFEST,
		key: node.version,
		npmArgs: ['--loglevel=error'],
		env: { PATH: `${path.dirname(node.bin)}${path.delimiter}${env.PATH}` },
	});
	const script = path.join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
	return { bin: node.bin, script, folder };
}

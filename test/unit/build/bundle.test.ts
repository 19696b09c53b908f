import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bundle } from '../../../scripts/build/bundle';
import { requiredModules } from '../../../scripts/build/requires';
import { REPOSITORY } from '../../../scripts/lib/paths';

const SOURCE = 'nodes/scale.ts';
let root: string;

beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'bundle-'));
	await symlink(path.join(REPOSITORY, 'node_modules'), path.join(root, 'node_modules'));
	await mkdir(path.join(root, 'nodes'));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

async function bundled(code: string, packages = ['d3-array']): Promise<string> {
	await writeFile(path.join(root, SOURCE), code);
	await bundle({ source: SOURCE, packages }, root);
	return await readFile(path.join(root, 'dist/nodes/scale.js'), 'utf8');
}

const SCALE = `
	import { tickStep } from 'd3-array';
	import { LoggerProxy } from 'n8n-workflow';
	import { own } from './own';
	export const uses = [LoggerProxy, own, tickStep];
`;

describe('bundle', () => {
	it('takes the library in and leaves own files and n8n outside', async () => {
		const code = await bundled(SCALE);
		expect(requiredModules(code)).toEqual(['./own', 'n8n-workflow']);
		expect(code).toContain('function tickStep');
	});

	it('keeps nothing that community nodes may not use', async () => {
		const papaparse = "export { default } from 'papaparse';";
		const code = await bundled(
			`${SCALE} ${papaparse} console.log(globalThis.Uint8Array);
			export const bytes = new globalThis.Uint8Array(1);`,
			['d3-array', 'papaparse'],
		);
		expect(code).toContain('Papa Parse');
		expect(code).not.toMatch(/\bconsole\b|\bglobalThis\b|\bsetTimeout\b|require\("stream"\)/);
	});

	it('makes a module that works', async () => {
		await bundled(`
			import { tickStep } from 'd3-array';
			export const step = tickStep(0, 160, 1);
		`);
		const { step } = (await import(path.join(root, 'dist/nodes/scale.js'))) as { step: number };
		expect(step).toBe(200);
	});

	it.each([
		['a package that it was not allowed', `${SCALE} export * from 'luxon/src/luxon';`, /luxon/],
		['a module of Node.js', `${SCALE} export * from 'node:fs';`, /not available/],
		['nothing any more', 'export const a = 1;', /no longer imports d3-array/],
	])('refuses a file that imports %s', async (_, code, message) => {
		await expect(bundled(code)).rejects.toThrow(message);
	});
});

import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bundle } from '../../../scripts/build/bundle';
import { requiredModules } from '../../../scripts/build/requires';
import { REPOSITORY } from '../../../scripts/lib/paths';

const SOURCE = 'nodes/csv.ts';
let root: string;

beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'bundle-'));
	await symlink(path.join(REPOSITORY, 'node_modules'), path.join(root, 'node_modules'));
	await mkdir(path.join(root, 'nodes'));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

async function bundled(code: string, packages = ['papaparse']): Promise<string> {
	await writeFile(path.join(root, SOURCE), code);
	await bundle({ source: SOURCE, packages }, root);
	return await readFile(path.join(root, 'dist/nodes/csv.js'), 'utf8');
}

const PARSE = `
	import Papa from 'papaparse';
	import { LoggerProxy } from 'n8n-workflow';
	import { own } from './own';
	export const uses = [LoggerProxy, own];
	export const parse = (text: string) => Papa.parse(text, { header: true }).data;
`;

describe('bundle', () => {
	it('takes the library in and leaves own files and n8n outside', async () => {
		const code = await bundled(PARSE);
		expect(requiredModules(code)).toEqual(['./own', 'n8n-workflow']);
		expect(code).toContain('Papa Parse');
	});

	it('keeps nothing that community nodes may not use', async () => {
		const code = await bundled(PARSE);
		expect(code).not.toMatch(/\bsetTimeout\b|\bconsole\b|require\(["'](node:)?stream["']\)/);
	});

	it('makes a module that works', async () => {
		await bundled(`
			import Papa from 'papaparse';
			export const parse = (text: string) => Papa.parse(text, { header: true }).data;
		`);
		const { parse } = (await import(path.join(root, 'dist/nodes/csv.js'))) as {
			parse(text: string): unknown[];
		};
		expect(parse('a,b\n1,"x\ny"')).toEqual([{ a: '1', b: 'x\ny' }]);
	});

	it.each([
		['a package that it was not allowed', `${PARSE} export * from 'luxon/src/luxon';`, /luxon/],
		['a module of Node.js', `${PARSE} export * from 'node:fs';`, /not available/],
		['nothing any more', 'export const a = 1;', /no longer imports papaparse/],
	])('refuses a file that imports %s', async (_, code, message) => {
		await expect(bundled(code)).rejects.toThrow(message);
	});
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bundle } from '../../../scripts/build/bundle';
import { REPOSITORY } from '../../../scripts/lib/paths';

const SOURCE = 'nodes/scale.ts';
let root: string;

beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'bundle-'));
	await symlink(path.join(REPOSITORY, 'node_modules'), path.join(root, 'node_modules'));
	await mkdir(path.join(root, 'nodes'));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

const SCALE = "import { tickStep } from 'd3-array'; export const uses = [tickStep];";

// What a bundle is like, the packed package says.
it.each([
	['a package that it was not allowed', `${SCALE} export * from 'luxon/src/luxon';`, /luxon/],
	['a module of Node.js', `${SCALE} export * from 'node:fs';`, /not available/],
	['nothing any more', 'export const a = 1;', /no longer imports d3-array/],
])('a bundle refuses a file that imports %s', async (_, code, message) => {
	await writeFile(path.join(root, SOURCE), code);
	await expect(bundle({ source: SOURCE, packages: ['d3-array'] }, root)).rejects.toThrow(message);
});

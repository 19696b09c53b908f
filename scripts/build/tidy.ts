import { readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { transform } from 'esbuild';

import { listFiles } from '../lib/listFiles';
import { DIST } from '../lib/paths';
import { NOTICES_FILE } from './notices';

const PUBLISHED = /^((nodes|credentials)\/.*\.(js|json)|icons\/.*\.svg)$/;

/**
 * Removes from dist what is not to be published: n8n-node copies every picture in the repository
 * there, including those of docs and tests. What stays is compacted.
 */
export async function tidyDist(): Promise<void> {
	for (const file of await listFiles(DIST)) {
		const whole = path.join(DIST, file);
		if (!PUBLISHED.test(file) && file !== NOTICES_FILE) await rm(whole);
		else if (file.endsWith('.json')) await writeFile(whole, await compact(whole));
		else if (file.endsWith('.js')) await writeFile(whole, await reprint(whole));
	}
	await removeEmptyFolders(DIST);
}

/** JSON without spaces and line ends, most of all the land under maps. */
async function compact(file: string): Promise<string> {
	return JSON.stringify(JSON.parse(await readFile(file, 'utf8')));
}

/**
 * The same code with half the indentation of what tsc writes and, as in the files that are bundled,
 * without needless braces, which is worth 10 kB of the tarball.
 */
async function reprint(file: string): Promise<string> {
	const options = {
		charset: 'utf8',
		legalComments: 'inline',
		minifySyntax: true,
		target: 'node20',
	} as const;
	return (await transform(await readFile(file, 'utf8'), options)).code;
}

async function removeEmptyFolders(dir: string): Promise<void> {
	for (const entry of await readdir(dir, { withFileTypes: true })) {
		if (entry.isDirectory()) await removeEmptyFolders(path.join(dir, entry.name));
	}
	if (dir !== DIST && (await readdir(dir)).length === 0) await rmdir(dir);
}

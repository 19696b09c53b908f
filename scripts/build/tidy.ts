import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from '../lib/listFiles';
import { DIST } from '../lib/paths';
import { NOTICES_FILE } from './notices';

const PUBLISHED = /^((nodes|credentials)\/.*\.(js|json)|icons\/.*\.svg)$/;

/**
 * Removes from dist what is not to be published: n8n-node copies every picture in the repository
 * there, including those of docs and tests.
 */
export async function tidyDist(): Promise<void> {
	for (const file of await listFiles(DIST)) {
		if (!PUBLISHED.test(file) && file !== NOTICES_FILE) await rm(path.join(DIST, file));
	}
	await removeEmptyFolders(DIST);
}

async function removeEmptyFolders(dir: string): Promise<void> {
	for (const entry of await readdir(dir, { withFileTypes: true })) {
		if (entry.isDirectory()) await removeEmptyFolders(path.join(dir, entry.name));
	}
	if (dir !== DIST && (await readdir(dir)).length === 0) await rmdir(dir);
}

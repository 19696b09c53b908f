import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** All files below a folder, as sorted paths relative to it with forward slashes. */
export async function listFiles(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
		.map((file) => file.split(path.sep).join('/'))
		.sort();
}

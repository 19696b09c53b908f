import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, for as long as something needs it. */
export async function makeFolder(name: string) {
	const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
	const remove = async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	return { folder, remove };
}

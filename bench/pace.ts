/** The pace of requests: what the service publishes, and how the package's own is lifted. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from '../scripts/lib/listFiles';

/** The limit that the service publishes: a number of requests in any window. */
export const PUBLISHED = { requests: 100, windowMs: 5_000 };

/** The least time in which that limit lets this many requests through. */
export function leastMs(requests: number): number {
	return Math.floor((requests - 1) / PUBLISHED.requests) * PUBLISHED.windowMs;
}

/** The one piece of shipped code that sets the pace. */
export const PACE = /RATE_LIMIT = \{ requests: 100,/;

/**
 * A copy of the package that differs in one number: its pace is so high that it never waits. Only this
 * copy shows what the code costs where the published limit would hide it.
 */
export async function copyWithoutPace(packageDir: string, target: string): Promise<void> {
	await cp(packageDir, target, { recursive: true });
	let changed = 0;
	for (const name of await listFiles(path.join(target, 'dist', 'nodes'))) {
		const file = path.join(target, 'dist', 'nodes', name);
		const code = await readFile(file, 'utf8');
		if (!PACE.test(code)) continue;
		await writeFile(file, code.replace(PACE, 'RATE_LIMIT = { requests: 1e9,'));
		changed += 1;
	}
	if (changed !== 1) throw new Error(`${changed} files set the pace instead of one`);
}

import { existsSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../lib/paths';
import { bundle } from './bundle';
import { BUNDLED_FILES } from './bundled';
import { problemsInDist } from './checks';
import { writeNotices } from './notices';
import { tidyDist } from './tidy';

/** Bundles the files that need it and writes the licences of what went in. */
export async function bundleLibraries(): Promise<void> {
	const packages: string[] = [];
	for (const file of BUNDLED_FILES) {
		if (existsSync(path.join(REPOSITORY, file.source))) packages.push(...(await bundle(file)));
	}
	await writeNotices([...new Set(packages)]);
}

/** Leaves only what is published in dist. */
export async function tidy(): Promise<void> {
	await tidyDist();
}

/** Fails the build when n8n could not load what is in dist. */
export async function check(): Promise<void> {
	const problems = await problemsInDist();
	if (problems.length > 0) throw new Error(`dist is not complete:\n- ${problems.join('\n- ')}`);
}

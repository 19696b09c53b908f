import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { DIST, REPOSITORY } from '../lib/paths';

/** The name of the file in dist with the licences of bundled libraries. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

const HEADER = 'This package contains the following libraries, each under its own licence.\n';
const RULE = `\n${'-'.repeat(80)}\n\n`;

/**
 * Writes the licence texts of the bundled packages into dist, as their licences require.
 *
 * @throws when a package has no licence file
 */
export async function writeNotices(packages: string[]): Promise<void> {
	if (packages.length === 0) return;
	const notices = await Promise.all([...packages].sort().map(notice));
	await writeFile(path.join(DIST, NOTICES_FILE), [HEADER, ...notices].join(RULE));
}

async function notice(name: string): Promise<string> {
	const dir = path.join(REPOSITORY, 'node_modules', name);
	const manifest = JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8')) as {
		version: string;
		license?: string;
	};
	const licences = (await readdir(dir)).filter((file) => /licen[cs]e/i.test(file)).sort();
	if (licences.length === 0)
		throw new Error(`${name} is bundled but has no licence file to pass on`);
	const texts = await Promise.all(
		licences.map(async (file) => (await readFile(path.join(dir, file), 'utf8')).trim()),
	);
	const text = texts.join('\n\n');
	return `${name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${text}\n`;
}

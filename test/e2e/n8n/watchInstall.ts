import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type Detail } from './progress';

interface Lock {
	packages: Record<string, { optional?: boolean }>;
}

const LOOK_AGAIN_MS = 1_000;

/**
 * Says how far npm is with a folder, as "812 of 2,095 packages": counted on disk, because npm
 * itself says nothing while it works.
 *
 * @param folder where npm is filling node_modules from a package-lock.json
 */
export function watchInstall(folder: string): Detail {
	const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
	const required = Object.entries(lock.packages).filter(([name, entry]) => name && !entry.optional);
	const missing = new Set(required.map(([name]) => path.join(folder, name, 'package.json')));
	let looked = 0;
	return () => {
		if (Date.now() - looked >= LOOK_AGAIN_MS) {
			looked = Date.now();
			for (const file of missing) if (existsSync(file)) missing.delete(file);
		}
		if (missing.size === required.length) return 'finding out what to fetch';
		if (missing.size === 0) return 'building its database driver';
		const unpacked = (required.length - missing.size).toLocaleString('en-US');
		return `${unpacked} of ${required.length.toLocaleString('en-US')} packages`;
	};
}

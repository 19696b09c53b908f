import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { installCached } from './lib/cachedInstall';
import { packedPackage } from './lib/packedPackage';
import { REPOSITORY } from './lib/paths';

/** The part of n8n's scanner that is used here: its checks, without its download. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(dir: string, patterns: string[]): Promise<Verdict>;
}

interface Verdict {
	passed: boolean;
	message?: string;
	details?: string;
}

/** What the scanner looks at in a published package. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

/**
 * Runs the checks of n8n's community-package scanner on the sources and on the packed package.
 * The scanner itself accepts only the name of a published package.
 */
async function main(): Promise<void> {
	const manifestDir = path.join(REPOSITORY, 'test', 'scan');
	const installed = await installCached({ name: 'scan', manifestDir });
	const module = 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs';
	const scanner = (await import(pathToFileURL(path.join(installed, module)).href)) as Scanner;
	const packed = await packedPackage();

	const results = {
		sources: await scanner.analyzePackage(REPOSITORY, scanner.SOURCE_FILE_PATTERNS),
		tarball: await scanner.analyzePackage(packed.dir, TARBALL_FILE_PATTERNS),
	};
	for (const [what, verdict] of Object.entries(results)) {
		// A message together with "passed" says that no file was found.
		const clean = verdict.passed && !verdict.message;
		console.log(`scan of the ${what}: ${clean ? 'passed' : 'failed'}`);
		if (clean) continue;
		console.log([verdict.message, verdict.details].filter(Boolean).join('\n'));
		process.exitCode = 1;
	}
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from '../lib/listFiles';
import { DIST, REPOSITORY } from '../lib/paths';
import { PROVIDED_BY_N8N } from './bundled';
import { requiredModules } from './requires';

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

/**
 * Checks dist as n8n will find it.
 *
 * @returns what is wrong with it, one sentence for each problem; empty when nothing is
 */
export async function problemsInDist(): Promise<string[]> {
	const manifest = JSON.parse(
		await readFile(path.join(REPOSITORY, 'package.json'), 'utf8'),
	) as Manifest;
	const { nodes, credentials } = manifest.n8n;
	return [
		...missingFiles([...nodes, ...credentials]),
		...missingFiles(nodes.map((node) => node.replace(/\.js$/, '.json'))),
		...(await iconProblems([...nodes, ...credentials])),
		...(await foreignRequires()),
	];
}

function missingFiles(files: string[]): string[] {
	return files
		.filter((file) => !existsSync(path.join(REPOSITORY, file)))
		.map((file) => `${file} is missing`);
}

/** Every `file:` icon has to exist beside the compiled class, for light and for dark. */
async function iconProblems(classFiles: string[]): Promise<string[]> {
	const problems: string[] = [];
	for (const file of classFiles.filter((name) => existsSync(path.join(REPOSITORY, name)))) {
		const code = await readFile(path.join(REPOSITORY, file), 'utf8');
		const icons = [...code.matchAll(/(['"])file:([^'"]+)\1/g)].map((match) => match[2]);
		if (new Set(icons).size < 2) problems.push(`${file} names no icon for light and for dark`);
		for (const icon of icons) {
			const target = path.resolve(REPOSITORY, path.dirname(file), icon);
			if (!existsSync(target)) problems.push(`${file} names the icon ${icon}, which is missing`);
		}
	}
	return problems;
}

/** The scanner accepts a file that requires a devDependency, which n8n then fails to load. */
async function foreignRequires(): Promise<string[]> {
	const problems: string[] = [];
	for (const file of (await listFiles(DIST)).filter((name) => name.endsWith('.js'))) {
		const code = await readFile(path.join(DIST, file), 'utf8');
		for (const name of requiredModules(code, file)) {
			if (!/^\.\.?(\/|$)/.test(name) && !PROVIDED_BY_N8N.has(name)) {
				problems.push(`dist/${file} requires ${name}, which n8n does not provide`);
			}
		}
	}
	return problems;
}

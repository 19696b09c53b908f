import { isBuiltin } from 'node:module';
import path from 'node:path';

import { build, type Metafile, type Plugin } from 'esbuild';

import { REPOSITORY } from '../lib/paths';
import { type BundledFile, PROVIDED_BY_N8N } from './bundled';

/** Community nodes may not use `globalThis`, through which libraries get typed arrays. */
const PLAIN_GLOBALS = Object.fromEntries(
	[
		'Int8',
		'Uint8',
		'Int16',
		'Uint16',
		'Int32',
		'Uint32',
		'BigInt64',
		'BigUint64',
		'Float32',
		'Float64',
	]
		.map((kind) => `${kind}Array`)
		.map((name) => [`globalThis.${name}`, name]),
);

/** papaparse calls it only to go on after a pause, for which it is not used. */
const NO_TIMERS = { setTimeout: 'undefined' };

/**
 * Compiles one shipped source together with its libraries, over what tsc wrote for it in dist.
 *
 * Other files of this package stay separate modules (their classes must exist only once). What the
 * rules for community nodes forbid is removed from the libraries: console calls disappear, Node's
 * streams become an empty module, and a call of a timer fails.
 *
 * @param root the folder with the sources and dist
 * @returns the names of the npm packages that are now part of the file
 * @throws when the file needs a package that is not on its list, or that n8n lacks
 */
export async function bundle(file: BundledFile, root: string = REPOSITORY): Promise<string[]> {
	const result = await build({
		absWorkingDir: root,
		entryPoints: [file.source],
		outfile: path.join(root, 'dist', file.source.replace(/\.ts$/, '.js')),
		bundle: true,
		format: 'cjs',
		// Libraries have variants for Node.js that use modules which community nodes may not.
		platform: 'neutral',
		mainFields: ['module', 'main'],
		target: 'node20',
		legalComments: 'inline',
		// Shorter, and still readable.
		minifySyntax: true,
		drop: ['console'],
		define: { ...PLAIN_GLOBALS, ...NO_TIMERS },
		plugins: [boundaries()],
		metafile: true,
		logLevel: 'silent',
	});
	const packages = packagesIn(result.metafile);
	const unexpected = packages.filter((name) => !file.packages.includes(name));
	if (unexpected.length > 0) {
		throw new Error(`${file.source} bundles packages it may not: ${unexpected.join(', ')}`);
	}
	const missing = file.packages.filter((name) => !packages.includes(name));
	if (missing.length > 0) {
		throw new Error(`${file.source} no longer imports ${missing.join(', ')}: correct bundled.ts`);
	}
	return packages;
}

/** Decides for each import whether it is bundled, left to n8n, emptied or refused. */
function boundaries(): Plugin {
	return {
		name: 'boundaries',
		setup(esbuild) {
			esbuild.onResolve({ filter: /.*/ }, ({ path: name, importer, kind }) => {
				if (kind === 'entry-point') return undefined;
				const fromLibrary = importer.includes(`${path.sep}node_modules${path.sep}`);
				if (fromLibrary && name === 'stream') return { path: name, namespace: 'empty' };
				if (!fromLibrary && /^\.\.?\//.test(name)) return { path: name, external: true };
				if (PROVIDED_BY_N8N.has(name)) return { path: name, external: true };
				if (isBuiltin(name)) {
					return { errors: [{ text: `"${name}" is not available to community nodes` }] };
				}
				return undefined;
			});
			esbuild.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
		},
	};
}

function packagesIn(metafile: Metafile): string[] {
	const names = Object.keys(metafile.inputs).flatMap((input) => {
		const match = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
		return match ? [match[1]] : [];
	});
	return [...new Set(names)].sort();
}

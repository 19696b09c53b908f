import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';

/** By GitHub's schema of workflows; it also resolves the jobs that jobs need, and patterns of files. */
const { validateWorkflow } = createRequire(__filename)('@action-validator/core') as {
	validateWorkflow(text: string): { errors: object[] };
};

const FOLDER = path.join(REPOSITORY, '.github/workflows');
const workflows = readdirSync(FOLDER).map((file): [file: string, text: string] => [
	file,
	readFileSync(path.join(FOLDER, file), 'utf8'),
]);

/** Actions of others, with what follows the `@`. */
const used = workflows.flatMap(([, text]) =>
	[...text.matchAll(/^\s*(?:- )?uses: ([^.\s@]+)@(.*)$/gm)].map(([, action, version]) => ({
		// Those of one repository have one version.
		repository: action.split('/').slice(0, 2).join('/'),
		version,
	})),
);

it.each(workflows)('%s is a valid workflow that starts without permissions', (_, text) => {
	// The schema is older than this permission.
	const known = text.replace(/^ +attestations: write\n/gm, '');
	expect(validateWorkflow(known).errors).toEqual([]);
	expect(text).toMatch(/^permissions: \{\}$/m);
});

it('uses actions by commit, each in one version', () => {
	expect(used.length).toBeGreaterThan(10);
	for (const { version } of used) expect(version).toMatch(/^[\da-f]{40} # v\d+\.\d+\.\d+$/);
	const versions = new Map(used.map(({ repository, version }) => [repository, version]));
	expect(used.filter((it) => versions.get(it.repository) !== it.version)).toEqual([]);
});

it('runs only files of .ci that exist', () => {
	const named = workflows.flatMap(([, text]) => [...text.matchAll(/bash \.ci\/([\w-]+)/g)]);
	const there = readdirSync(path.join(REPOSITORY, '.ci'));
	expect(there).toEqual(expect.arrayContaining(named.map(([, file]) => file)));
	expect(named.length).toBeGreaterThan(0);
});

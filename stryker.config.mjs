/**
 * Stryker plants mistakes in the files that scripts/mutants.ts names, one at a time, and runs the tests
 * of their folders.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import base from './jest.config.mjs';

const inRunner = (file) => fileURLToPath(new URL(`test/runner/${file}`, import.meta.url));

const SUITES = ['unit', 'property', 'engine'];

/** Folders and files that are tested through the operations that use them, too. */
const USERS = {
	auditExport: 'actions/auditLog',
	auditFiles: 'actions/auditLog',
	bytes: 'actions/files',
	files: 'actions/files',
	http: 'actions/files',
	mapper: 'actions/runs',
	mappers: 'actions/tables',
	storage: 'actions/files',
	runs: 'actions/runs',
	sql: 'actions/sql',
	tableWriter: 'actions/tables',
};

const [unit] = base.projects;

/** Files from the root of the repository, perhaps with a range of lines: `nodes/some/file.ts:1-40`. */
const mutate = process.env.N8N_NODES_WHEROBOTS_MUTATE?.split(',') ?? [];

/** Patterns of tests: all of the source's own folder, and those directly in a folder above it. */
function testsOf(file) {
	const folder = path.posix.relative('nodes/Wherobots', path.posix.dirname(file));
	const steps = folder.split('/');
	const above = steps.slice(0, -1).map((_, index) => steps.slice(0, index + 1).join('/'));
	const user = USERS[path.posix.basename(file).replace(/\..*$/, '')] ?? USERS[steps.at(-1)];
	return [
		...[`${folder}/**/*`, `${folder}*`, ...above.map((name) => `${name}/*`)],
		...(user ? [`${user}/**/*`] : []),
	];
}

const tests = [...new Set(mutate.flatMap(testsOf))];

/** Minutes for each mistake that nothing notices: for the trigger's core, which has tables and histories, what it does in n8n. */
const TOO_LONG = mutate.every((file) => file.includes('/trigger/core/'))
	? ['/engine/trigger/']
	: [];

/** What requests and logs promise is tested against a service that misbehaves. */
const HOSTILE = {
	'transport/': 'transport/{pagination,responses}',
	'useCases/runs/': 'useCases/runs/*',
	'useCases/files': 'useCases/files/*',
	'transport/bytes': 'useCases/files/*',
	'transport/http': 'useCases/files/*',
};
const hostile = Object.entries(HOSTILE)
	.filter(([start]) => mutate.some((file) => file.startsWith(`nodes/Wherobots/${start}`)))
	.map(([, files]) => `test/hostile/${files}`);

/** Jest goes through these folders for each mistake. */
const roots = [...new Set(tests.map((test) => test.split(/[/*]/)[0]))]
	.flatMap((room) => SUITES.map((suite) => `test/${suite}/${room}`))
	.filter((folder) => existsSync(new URL(folder, import.meta.url)));

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate,
	// No test repeats the texts of forms and errors word by word.
	mutator: { excludedMutations: ['StringLiteral'] },
	// For what is computed once, when a module is loaded, all tests would have to run.
	ignoreStatic: true,
	coverageAnalysis: 'perTest',
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		// Not jest.config.mjs: Stryker takes no configuration of several projects.
		configFile: 'package.json',
		config: {
			...unit,
			roots: [...roots, ...hostile.map((files) => path.posix.dirname(files))].map(
				(folder) => `<rootDir>/${folder}`,
			),
			testMatch: [
				...tests.map((test) => `<rootDir>/test/{${SUITES}}/${test}.test.ts`),
				...hostile.map((files) => `<rootDir>/${files}.test.ts`),
			],
			testSequencer: inRunner('mutantsSequencer.cjs'),
			testRunner: inRunner('jest-circus-mutants.cjs'),
			setupFiles: ['<rootDir>/test/runner/fixedExamples.ts'],
			testTimeout: base.testTimeout,
			testPathIgnorePatterns: TOO_LONG,
		},
		enableFindRelatedTests: false,
	},
	thresholds: { high: 95, low: 85, break: 85 },
	concurrency: 2,
	timeoutMS: 10_000,
	reporters: ['progress', 'clear-text'],
	clearTextReporter: { reportTests: false, allowColor: false },
	allowConsoleColors: false,
	tempDirName: '.cache/mutants',
	ignorePatterns: ['.cache', 'bench', 'docs/images'],
};

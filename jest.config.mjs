/**
 * Four suites, one per folder under test/: `npx jest --selectProjects unit`. `npm test` runs them in
 * a short form; in full, see jest.deep.config.mjs. Whatever starts programs of its own, such as an
 * n8n, has a configuration of its own beside this one.
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

// n8n-core writes every error of a workflow to the console, expected ones too.
process.env.N8N_LOG_LEVEL ??= 'silent';
// What test files of one run tell each other goes by this name.
process.env.N8N_NODES_WHEROBOTS_TEST_RUN ??= randomUUID();

/** Packages that ship ES modules only; jest runs CommonJS, so they are compiled too. */
const ES_MODULES_ONLY = [
	'@cto.af/wtf8',
	'@uwdata/flechette',
	'cbor2',
	'd3-array',
	'dt-sql-parser',
	'execa',
	'fast-png',
	'fflate',
	'get-port',
	'get-stream',
	'human-signals',
	'hyparquet',
	'hyparquet-writer',
	'iobuffer',
	'is-stream',
	'mimic-fn',
	'npm-run-path',
	'onetime',
	'path-key',
	'strip-final-newline',
];

/** Suites of which `npm test` runs a short form. */
export const SHORT = ['property', 'hostile'];

/** @type {import('@swc/core').Options} */
const swc = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	sourceMaps: 'inline',
};

/** Not by <rootDir>, which Stryker does not know. */
const inRunner = (file) => fileURLToPath(new URL(`test/runner/${file}`, import.meta.url));

/**
 * @param {string} name folder under test/
 * @returns {import('jest').Config}
 */
const project = (name) => ({
	displayName: name,
	testEnvironment: inRunner('environment.cjs'),
	runtime: inRunner('runtime.cjs'),
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The built package carries the same module names as its sources.
	modulePathIgnorePatterns: ['<rootDir>/dist'],
	// swc rather than ts-jest: types are checked once by `npm run lint`, not once per worker.
	transform: { '^.+\\.m?[jt]s$': ['@swc/jest', swc] },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES_ONLY.join('|')})/)`],
	restoreMocks: true,
	setupFiles: SHORT.includes(name) ? ['<rootDir>/test/runner/fixedExamples.ts'] : [],
	setupFilesAfterEnv: [
		// Whatever the nodes and the stand-in for the service say to each other keeps the contract.
		...(name === 'engine' ? ['<rootDir>/test/contract/watch.ts'] : []),
		// No execution leaves a credential behind.
		...(['engine', 'hostile'].includes(name) ? ['<rootDir>/test/support/watchSecrets.ts'] : []),
		...(name !== 'unit' && process.env.N8N_EXPRESSION_ENGINE
			? ['<rootDir>/test/engine/harness/expressions.ts']
			: []),
	],
});

/** @type {import('jest').Config} */
export default {
	projects: ['unit', 'property', 'engine', 'hostile'].map(project),
	testSequencer: inRunner('sequencer.cjs'),
	// One worker less than cores is the default, which on two cores is a single one.
	maxWorkers: 2,
	// What test files leave behind adds up.
	workerIdleMemoryLimit: '500MB',
	// Against hanging only: a busy machine takes ten times as long as an idle one.
	testTimeout: 30_000,
	// On a busy machine a worker with a large heap does not end within the usual half a second.
	workerGracefulExitTimeout: 10_000,
};

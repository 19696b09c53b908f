/**
 * Four suites, one per folder under test/: `npx jest --selectProjects unit`.
 * The end-to-end suite has a configuration of its own beside it, because it
 * installs a whole n8n.
 */
import { randomUUID } from 'node:crypto';

// n8n-core writes every error of a workflow to the console, expected ones too.
process.env.N8N_LOG_LEVEL ??= 'silent';
// What test files of one run tell each other goes by this name.
process.env.N8N_NODES_WHEROBOTS_TEST_RUN ??= randomUUID();

/** Packages that ship ES modules only; jest runs CommonJS, so they are compiled too. */
const ES_MODULES_ONLY = [
	'dt-sql-parser',
	'execa',
	'get-port',
	'get-stream',
	'human-signals',
	'is-stream',
	'mimic-fn',
	'npm-run-path',
	'onetime',
	'path-key',
	'strip-final-newline',
];

/** @type {import('@swc/core').Options} */
const swc = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	sourceMaps: 'inline',
};

/** Each use of a global is looked up in the context of the tests, which costs random histories a fifth of their time. */
const OFTEN_USED = [
	'Array',
	'BigInt',
	'Error',
	'JSON',
	'Map',
	'Math',
	'Number',
	'Object',
	'Promise',
	'Set',
	'String',
	'Symbol',
];

/**
 * @param {string} name folder under test/
 * @returns {import('jest').Config}
 */
const project = (name) => ({
	displayName: name,
	testEnvironment: 'node',
	sandboxInjectedGlobals: OFTEN_USED,
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The built package carries the same module names as its sources.
	modulePathIgnorePatterns: ['<rootDir>/dist'],
	// swc rather than ts-jest: types are checked once by `npm run lint`, not once per worker.
	transform: { '^.+\\.m?[jt]s$': ['@swc/jest', swc] },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES_ONLY.join('|')})/)`],
	restoreMocks: true,
	setupFilesAfterEnv: [
		// Whatever the nodes and the stand-in for the service say to each other keeps the contract.
		...(name === 'engine' ? ['<rootDir>/test/contract/watch.ts'] : []),
		// No execution leaves a credential behind.
		...(['engine', 'hostile'].includes(name) ? ['<rootDir>/test/support/watchSecrets.ts'] : []),
		'<rootDir>/test/support/webSocket.ts',
	],
});

/** @type {import('jest').Config} */
export default {
	projects: ['unit', 'property', 'engine', 'hostile'].map(project),
	// One worker less than cores is the default, which on two cores is a single one.
	maxWorkers: 2,
	testTimeout: 30_000,
	// On a busy machine a worker with a large heap does not end within the usual half a second.
	workerGracefulExitTimeout: 10_000,
};

/**
 * Four suites, one per folder under test/: `npx jest --selectProjects unit`.
 * The end-to-end suite has a configuration of its own beside it, because it
 * installs a whole n8n.
 */

/** Packages that ship ES modules only; jest runs CommonJS, so they are compiled too. */
const ES_MODULES_ONLY = [
	'execa',
	'get-port',
	'@sindresorhus/merge-streams',
	'@sec-ant/readable-stream',
	'figures',
	'get-stream',
	'human-signals',
	'is-plain-obj',
	'is-stream',
	'is-unicode-supported',
	'npm-run-path',
	'parse-ms',
	'path-key',
	'pretty-ms',
	'strip-final-newline',
	'unicorn-magic',
	'yoctocolors',
];

/** @type {import('@swc/core').Options} */
const swc = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	sourceMaps: 'inline',
};

/**
 * @param {string} name folder under test/
 * @returns {import('jest').Config}
 */
const project = (name) => ({
	displayName: name,
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The built package carries the same module names as its sources.
	modulePathIgnorePatterns: ['<rootDir>/dist'],
	// swc rather than ts-jest: types are checked once by `npm run lint`, not once per worker.
	transform: { '^.+\\.m?[jt]s$': ['@swc/jest', swc] },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES_ONLY.join('|')})/)`],
	// Its exports name no file for require(), which is what the compiled import becomes.
	moduleNameMapper: { '^unicorn-magic$': '<rootDir>/node_modules/unicorn-magic/node.js' },
	restoreMocks: true,
});

/** @type {import('jest').Config} */
export default {
	projects: ['unit', 'property', 'engine', 'hostile'].map(project),
	// One worker less than cores is the default, which on two cores is a single one.
	maxWorkers: 2,
	testTimeout: 30_000,
};

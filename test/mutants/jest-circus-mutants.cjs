/**
 * Runs a test file for a planted mistake, but no more of it than can say something: Stryker has jest
 * load every file of the part and go on after a test has failed. (Stryker takes only runners that have
 * jest-circus in their name.)
 */
const { isNativeError } = require('node:util').types;

const { createEmptyTestResult } = require('@jest/test-result');
const circus = require('jest-circus/runner');

/** The mistake that a test has noticed last; one process tries many. */
let noticed;

/** What running a file gave before, by its path. */
const earlier = new Map();

/**
 * Packages that take most of the time of a test file to load, and what has to be the same as in them.
 * Nothing that tests look at stays in them from one file to the next.
 */
const SHARED = new Set([
	...['n8n-workflow', 'n8n-core', '@n8n/di', '@n8n/backend-common', 'luxon'],
	...['fastify', 'axios', 'ajv', 'ajv-formats', 'ws', 'fast-check', 'csv-parse/sync', 'papaparse'],
]);

/** Errors are errors, whether a shared package has made them or what a test file loads by itself. */
function recognizeErrors(BaseError) {
	const ordinary = Function.prototype[Symbol.hasInstance];
	Object.defineProperty(BaseError, Symbol.hasInstance, {
		configurable: true,
		value(candidate) {
			return (this === BaseError && isNativeError(candidate)) || ordinary.call(this, candidate);
		},
	});
}

recognizeErrors(Error);

/** Has all test files share what a process loads once. */
function share(environment, runtime) {
	recognizeErrors(environment.global.Error);
	const load = runtime.requireModuleOrMock.bind(runtime);
	runtime.requireModuleOrMock = (from, name) =>
		SHARED.has(name) ? require(name) : load(from, name);
}

module.exports = async (globalConfig, config, environment, runtime, file, ...rest) => {
	share(environment, runtime);
	const mistake = process.env.__STRYKER_ACTIVE_MUTANT__;
	const known = earlier.get(file);
	const wanted = new RegExp(globalConfig.testNamePattern ?? '', 'i');
	const isOfUse = known?.some(({ fullName }) => wanted.test(fullName)) ?? true;
	if (known && mistake !== undefined && (mistake === noticed || !isOfUse)) {
		const testResults = known.map((test) => ({ ...test, status: 'pending', failureMessages: [] }));
		const numPendingTests = testResults.length;
		return { ...createEmptyTestResult(), testFilePath: file, testResults, numPendingTests };
	}
	const handle = environment.handleTestEvent;
	environment.handleTestEvent = async (event, state) => {
		if (mistake !== undefined && event.name === 'test_fn_failure') noticed = mistake;
		if (event.name === 'test_start' && noticed !== undefined && noticed === mistake) {
			event.test.mode = 'skip';
		}
		await handle?.call(environment, event, state);
	};
	const run = circus.default ?? circus;
	const result = await run(globalConfig, config, environment, runtime, file, ...rest);
	if (result.testResults.length > 0) earlier.set(file, result.testResults);
	return result;
};

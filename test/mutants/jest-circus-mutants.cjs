/**
 * Runs a test file for a planted mistake, but no more of it than can say something: Stryker has jest
 * load every file of the part and go on after a test has failed. (Stryker takes only runners that have
 * jest-circus in their name.)
 */
const { createEmptyTestResult } = require('@jest/test-result');
const circus = require('jest-circus/runner');

/** Whether to run all tests that can say something, to see which of them never do. */
const runsAll = process.env.N8N_NODES_WHEROBOTS_MUTANTS_IDLE === 'true';

/** The mistake that a test has noticed last; one process tries many. */
let noticed;

/** What running a file gave before, by its path. */
const earlier = new Map();

module.exports = async (globalConfig, config, environment, runtime, file, ...rest) => {
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
		const isFailure = event.name === 'test_fn_failure';
		if (mistake !== undefined && isFailure && !runsAll) noticed = mistake;
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

/**
 * For a planted mistake: no more tests once one has noticed it. Stryker cannot tell jest to stop. It looks
 * for jest-circus in the name of this file, whose events it uses.
 */
const { createEmptyTestResult } = require('@jest/test-result');
const { default: run } = require('jest-circus/runner');

/** The mistake that was noticed last; one process tries many. */
let noticed;

/** A file that is left out: jest takes one without any test for an error. */
const leftOut = (testFilePath) => ({
	...createEmptyTestResult(),
	testFilePath,
	numPendingTests: 1,
	testResults: [
		{ ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending', title: '' },
	],
});

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	const mistake = process.env.__STRYKER_ACTIVE_MUTANT__;
	const isNoticed = () => mistake !== undefined && noticed === mistake;
	if (isNoticed()) return leftOut(testPath);
	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_start' && isNoticed()) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mistake;
		await handleTestEvent?.call(environment, event, state);
	};
	return await run(globalConfig, config, environment, runtime, testPath, ...rest);
};

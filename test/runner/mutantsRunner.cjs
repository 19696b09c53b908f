/** For a planted mistake: no more tests once one has noticed it. Stryker cannot tell jest to stop. */
const { createEmptyTestResult } = require('@jest/test-result');
const run = require('jest-circus/runner');

/** The mistake that was noticed last; one process tries many. */
let noticed;

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	const mistake = process.env.__STRYKER_ACTIVE_MUTANT__;
	const isNoticed = () => mistake !== undefined && noticed === mistake;
	if (isNoticed()) {
		return { ...createEmptyTestResult(), displayName: config.displayName, testFilePath: testPath };
	}
	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_start' && isNoticed()) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mistake;
		await handleTestEvent?.call(environment, event, state);
	};
	return await run(globalConfig, config, environment, runtime, testPath, ...rest);
};

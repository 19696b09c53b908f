/** Which test files run for a planted mistake, and in which order. */
const { default: TestSequencer } = require('@jest/test-sequencer');

const { ofUse } = require('./jest-circus-mutants.cjs');

module.exports = class extends TestSequencer {
	constructor(options) {
		super(options);
		this.globalConfig = options.globalConfig;
	}

	sort(tests) {
		return ofUse(tests, this.globalConfig);
	}

	/** Nothing: jest would write to the disk how long each file took, for every mistake. */
	cacheResults() {}
};

/** For a planted mistake: only the test files with a test that Stryker wants, since loading the others takes seconds. */
const { default: TestSequencer } = require('@jest/test-sequencer');

/** The full titles of the tests in each file, as the runs before have shown; one process tries many mistakes. */
const titles = new Map();

module.exports = class extends TestSequencer {
	constructor(options) {
		super(options);
		this.wanted = new RegExp(options.globalConfig.testNamePattern ?? '', 'i');
	}

	sort(tests) {
		return tests.filter(
			({ path }) => titles.get(path)?.some((title) => this.wanted.test(title)) ?? true,
		);
	}

	cacheResults(tests, { testResults: files }) {
		for (const { testFilePath, testResults } of files) {
			// A file that a mistake keeps from loading has none, and one that is left out has none by name.
			if (testResults.some(({ fullName }) => fullName) && !titles.has(testFilePath)) {
				titles.set(
					testFilePath,
					testResults.map(({ fullName }) => fullName),
				);
			}
		}
	}
};

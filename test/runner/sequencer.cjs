/**
 * In which order test files run. After `--findRelatedTests <source>` those come first that lie, below
 * their suite, in the folders of the source: nearly every source is reached by a hundred files, and
 * these are the ones that are about it.
 */
const path = require('node:path');

const { default: TestSequencer } = require('@jest/test-sequencer');

/** How many folders a test shares with the nearest of the sources: both below their first two. */
function closeness(test, sources) {
	const folders = path.dirname(path.relative(process.cwd(), test)).split(path.sep).slice(2);
	return Math.max(
		...sources.map((source) => {
			const others = path.relative(process.cwd(), path.resolve(source)).split(path.sep).slice(2);
			const end = folders.findIndex((folder, index) => folder !== others[index]);
			return end === -1 ? folders.length : end;
		}),
	);
}

module.exports = class extends TestSequencer {
	constructor(options) {
		super(options);
		const { findRelatedTests, nonFlagArgs } = options.globalConfig;
		this.sources = findRelatedTests ? nonFlagArgs : [];
	}

	sort(tests) {
		const sorted = super.sort(tests);
		if (this.sources.length === 0) return sorted;
		const order = new Map(sorted.map((test) => [test, closeness(test.path, this.sources)]));
		return sorted.sort((a, b) => order.get(b) - order.get(a));
	}
};

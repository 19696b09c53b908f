/**
 * Runs a test file for a planted mistake, but no more of it than can say something: Stryker has jest
 * load every file of the part and go on after a test has failed. (Stryker takes only runners that have
 * jest-circus in their name.)
 */
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

const { createEmptyTestResult } = require('@jest/test-result');
const circus = require('jest-circus/runner');

/**
 * The file that takes the names of the tests that have failed with a mistake, if those that never do are
 * wanted: each test then runs until it has failed once. Stryker starts new processes while it works.
 */
const list = process.env.N8N_NODES_WHEROBOTS_MUTANTS_FAILED || undefined;

const failed = new Set(list && existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []);

/** A test that a mistake makes wait for ever fails sooner than Stryker would give up, and start anew. */
const TIMEOUT_MS = 5_000;

/** The mistake that a test has noticed last; one process tries many. */
let noticed;

/** What running a file gave before, and the milliseconds that it took without its tests, by its path. */
const earlier = new Map();

/** As results.ts reads it. */
const keyOf = (config, file, name) => JSON.stringify([path.relative(config.rootDir, file), name]);

/** Describe blocks and the test, as jest joins them. */
function fullName({ name, parent }) {
	return parent?.parent ? `${fullName(parent)} ${name}` : name;
}

function noteFailure(mistake, key) {
	if (list === undefined) noticed = mistake;
	else if (!failed.has(key)) {
		failed.add(key);
		appendFileSync(list, `${key}\n`);
	}
}

module.exports = async (globalConfig, config, environment, runtime, file, ...rest) => {
	const mistake = process.env.__STRYKER_ACTIVE_MUTANT__;
	if (mistake !== undefined && mistake === noticed && earlier.has(file)) return skipped(file);
	const handle = environment.handleTestEvent;
	environment.handleTestEvent = async (event, state) => {
		if (mistake !== undefined && event.name === 'test_fn_failure') {
			noteFailure(mistake, keyOf(config, file, fullName(event.test)));
		}
		if (mistake !== undefined && event.name === 'test_start') {
			const hasFailed = failed.has(keyOf(config, file, fullName(event.test)));
			if (mistake === noticed || hasFailed) event.test.mode = 'skip';
			event.test.timeout ??= TIMEOUT_MS;
		}
		await handle?.call(environment, event, state);
	};
	const run = circus.default ?? circus;
	const started = performance.now();
	const result = await run(globalConfig, config, environment, runtime, file, ...rest);
	const { testResults } = result;
	// Stryker keeps the messages for each mistake; some compare files of megabytes, or come by the thousand.
	for (const test of testResults) {
		test.failureMessages = test.failureMessages.slice(0, 3).map(shorten);
	}
	const { testExecError: error } = result;
	if (error) Object.assign(error, { message: shorten(error.message), stack: shorten(error.stack) });
	// A mistake can leave tests out that are made of a table.
	if (testResults.length >= Math.max(1, earlier.get(file)?.testResults.length ?? 0)) {
		const others = performance.now() - started - durationOf(testResults);
		earlier.set(file, { testResults, others });
	}
	return result;
};

const shorten = (text = '') => text.slice(0, 1_000);

const durationOf = (tests) => tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0);

/** As if all tests of a file had been left out; jest does not take a result without tests. */
function skipped(file) {
	const { testResults } = earlier.get(file);
	return {
		...createEmptyTestResult(),
		testFilePath: file,
		testResults: testResults.map((test) => ({ ...test, status: 'pending', failureMessages: [] })),
		numPendingTests: testResults.length,
	};
}

/**
 * Those of the test files that can say something about the mistake, the quickest first.
 *
 * @param tests as jest gives them to a sequencer
 */
module.exports.ofUse = (tests, { testNamePattern }) => {
	if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) return tests;
	const wanted = new RegExp(testNamePattern ?? '', 'i');
	const costs = new Map();
	for (const test of tests) {
		const { path: file, context } = test;
		const { testResults = [], others = 0 } = earlier.get(file) ?? {};
		const isOfUse = ({ fullName: name }) =>
			wanted.test(name) && !failed.has(keyOf(context.config, file, name));
		const left = testResults.filter(isOfUse);
		if (left.length > 0 || !earlier.has(file)) costs.set(test, others + durationOf(left));
	}
	return [...costs.keys()].sort((a, b) => costs.get(a) - costs.get(b));
};

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

/** The mistake that a test has noticed last; one process tries many. */
let noticed;

/** What running a file gave before, by its path. */
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
	const known = earlier.get(file);
	const wanted = new RegExp(globalConfig.testNamePattern ?? '', 'i');
	const hasFailed = (name) => failed.has(keyOf(config, file, name));
	const isOfUse =
		known?.some(({ fullName: name }) => wanted.test(name) && !hasFailed(name)) ?? true;
	if (known && mistake !== undefined && (mistake === noticed || !isOfUse)) {
		const testResults = known.map((test) => ({ ...test, status: 'pending', failureMessages: [] }));
		const numPendingTests = testResults.length;
		return { ...createEmptyTestResult(), testFilePath: file, testResults, numPendingTests };
	}
	const handle = environment.handleTestEvent;
	environment.handleTestEvent = async (event, state) => {
		if (mistake !== undefined && event.name === 'test_fn_failure') {
			noteFailure(mistake, keyOf(config, file, fullName(event.test)));
		}
		if (mistake !== undefined && event.name === 'test_start') {
			if (mistake === noticed || hasFailed(fullName(event.test))) event.test.mode = 'skip';
		}
		await handle?.call(environment, event, state);
	};
	const run = circus.default ?? circus;
	const result = await run(globalConfig, config, environment, runtime, file, ...rest);
	// A mistake can leave tests out that are made of a table.
	const most = Math.max(1, known?.length ?? 0);
	if (result.testResults.length >= most) earlier.set(file, result.testResults);
	return result;
};

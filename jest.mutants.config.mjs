/** The tests that `npm run mutants` has Stryker run against one part of the package. */
import { fileURLToPath } from 'node:url';

import base from './jest.config.mjs';

const [project] = base.projects;

/** Patterns from the root of the repository, handed over by scripts/mutants.ts. */
const tests = JSON.parse(process.env.N8N_NODES_WHEROBOTS_MUTANTS_TESTS ?? '[]');

const inMutants = (file) => fileURLToPath(new URL(`test/mutants/${file}`, import.meta.url));

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'mutants',
	testMatch: tests.map((pattern) => `<rootDir>/${pattern}`),
	// Jest looks for test files anew for each mistake.
	roots: [...new Set(tests.map((test) => `<rootDir>/${test.replace(/\/[^/]*$|\/?[*{].*$/, '')}`))],
	watchman: false,
	testRunner: inMutants('jest-circus-mutants.cjs'),
	testSequencer: inMutants('sequencer.cjs'),
	setupFiles: tests.some((test) => test.startsWith('test/property/'))
		? ['<rootDir>/test/mutants/setup.ts']
		: [],
	// Of the run without a mistake; jest-circus-mutants.cjs has a shorter one for the others.
	testTimeout: 60_000,
};

/** The tests that `npm run mutants` has Stryker run against one part of the package. */
import base from './jest.config.mjs';

const [project] = base.projects;

/** Patterns from the root of the repository, handed over by scripts/mutants.ts. */
const tests = JSON.parse(process.env.N8N_NODES_WHEROBOTS_MUTANTS_TESTS ?? '[]');

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'mutants',
	testMatch: tests.map((pattern) => `<rootDir>/${pattern}`),
	testTimeout: 30_000,
};

/**
 * The end-to-end suite: the packed package in a real n8n. Its global setup installs that n8n
 * when it is missing, so the first run takes minutes longer.
 */
import base from './jest.config.mjs';

const [project] = base.projects;

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'e2e',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['<rootDir>/test/e2e/**/*.e2e.ts'],
	globalSetup: '<rootDir>/test/e2e/suite/globalSetup.ts',
	globalTeardown: '<rootDir>/test/e2e/suite/globalTeardown.ts',
	// One n8n serves all files, one after the other: two would fight for the same cores.
	maxWorkers: 1,
	testTimeout: 240_000,
};

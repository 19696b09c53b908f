/**
 * The contract that nobody here wrote: requests and responses are held against the service's own
 * description by Prism, which is installed into the cache folder when it is missing.
 */
import base from './jest.config.mjs';

const [project] = base.projects;

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'outside',
	roots: ['<rootDir>/test/outside'],
	testMatch: ['<rootDir>/test/outside/*.outside.ts'],
	maxWorkers: 1,
	testTimeout: 240_000,
};

/**
 * The stand-in, judged by the vendor's own clients: they are written in Python and installed into
 * the cache folder when they are missing.
 */
import base from './jest.config.mjs';

const [project] = base.projects;

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'vendor',
	roots: ['<rootDir>/test/vendor'],
	testMatch: ['<rootDir>/test/vendor/*.vendor.ts'],
	maxWorkers: 1,
	testTimeout: 240_000,
};

/**
 * SQL on a real Spark: `npm run test:spark`. Its global setup installs Spark, Sedona and Iceberg into the
 * cache folder when they are missing; without Java, Python or Maven it says so and everything is skipped.
 */
import base from './jest.config.mjs';

const [project] = base.projects;

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'spark',
	roots: ['<rootDir>/test/spark'],
	testMatch: ['<rootDir>/test/spark/*.spark.ts'],
	globalSetup: '<rootDir>/test/spark/globalSetup.ts',
	maxWorkers: 1,
	testTimeout: 600_000,
};

/** n8n in queue mode: started by scripts/queue.ts, one part after the other. */
import base from './jest.config.mjs';

const [project] = base.projects;

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'queue',
	roots: ['<rootDir>/test/e2e/queue'],
	testMatch: ['<rootDir>/test/e2e/queue/*.queue.ts'],
	setupFilesAfterEnv: ['<rootDir>/test/e2e/suite/midnight.ts'],
	maxWorkers: 1,
	testTimeout: 600_000,
};

/** Every operation and every event × every fault: `npm run reliability`. */
import base from './jest.config.mjs';

const project = base.projects.find(({ displayName }) => displayName === 'hostile');

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'reliability',
	testMatch: ['<rootDir>/test/hostile/matrix/*.reliability.ts'],
	maxWorkers: 1,
	testTimeout: 30_000,
};

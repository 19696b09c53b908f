/** The package in a real n8n for an hour, under random faults: started by scripts/soak.ts. */
import base from './jest.config.mjs';

const [project] = base.projects;

// It may run beside the end-to-end suite, which begins by emptying its folder of artifacts.
process.env.N8N_NODES_WHEROBOTS_SUITE = 'soak';

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'soak',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['<rootDir>/test/e2e/soak/*.soak.ts'],
	maxWorkers: 1,
};

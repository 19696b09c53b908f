/**
 * The end-to-end suite: the packed package in a real n8n. Its global setup installs that n8n
 * when it is missing, so the first run takes minutes longer. `npm run test:e2e:main` runs
 * the files that run for every change, `npm run test:e2e:n8n-1` those that an older n8n can change.
 */
import base from './jest.config.mjs';

/** What an n8n that is not installed here can be asked; the other files start one of their own. */
const ON_ANY_N8N = [
	...['aiTool', 'credential', 'errorBranch', 'jobRun', 'jobRunFailures', 'pickers', 'resources'],
	...['triggerPoll'],
];
const isForeign =
	process.env.N8N_NODES_WHEROBOTS_E2E_URL || process.env.N8N_NODES_WHEROBOTS_E2E_IMAGE;

const [project] = base.projects;

/** What runs for every change: each resource, both kinds of events, archives, errors and the editor. */
const MAIN = [
	...['auditLogArchive', 'credential', 'editor', 'errorBranch', 'jobRun', 'resources', 'runUsage'],
	...['sql', 'triggerExamples', 'triggerPoll'],
];

/** What depends on the methods, the errors and the interfaces of n8n itself. */
const ALSO_ON_N8N_1 = [
	...['aiTool', 'binaryModes', 'credential', 'errorBranch', 'jobRun', 'jobRunFailures', 'pickers'],
	...['resources', 'triggerPoll'],
];

const { N8N_NODES_WHEROBOTS_E2E_N8N: n8n, N8N_NODES_WHEROBOTS_E2E_FILES: wanted } = process.env;
const files = n8n === 'n8n-1' ? ALSO_ON_N8N_1 : wanted === 'main' ? MAIN : ['*'];

/** @type {import('jest').Config} */
export default {
	...project,
	displayName: 'e2e',
	roots: ['<rootDir>/test/e2e'],
	testMatch: (isForeign ? ON_ANY_N8N : files).map((file) => `<rootDir>/test/e2e/${file}.e2e.ts`),
	globalSetup: '<rootDir>/test/e2e/suite/globalSetup.ts',
	globalTeardown: '<rootDir>/test/e2e/suite/globalTeardown.ts',
	setupFilesAfterEnv: [
		'<rootDir>/test/e2e/suite/stored/watch.ts',
		'<rootDir>/test/e2e/suite/midnight.ts',
	],
	// One n8n serves all files, one after the other: two would fight for the same cores.
	maxWorkers: 1,
	testTimeout: 240_000,
};

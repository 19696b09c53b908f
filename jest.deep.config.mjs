/**
 * The properties and the hostile cases in full, and the files that `npm test` leaves out for their
 * length, `*.deep.ts`: `npm run test:deep`.
 */
import base, { SHORT } from './jest.config.mjs';

process.env.N8N_NODES_WHEROBOTS_DEEP = 'true';

/** @type {import('jest').Config} */
export default {
	...base,
	projects: base.projects
		.filter(({ displayName }) => SHORT.includes(displayName))
		.map((project) => ({
			...project,
			setupFiles: [],
			testMatch: [...project.testMatch, `<rootDir>/test/${project.displayName}/**/*.deep.ts`],
		})),
};

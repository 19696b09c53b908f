/** The parts that `npm run mutants` plants mistakes in, and the tests that have to notice. */

export interface Part {
	/** Patterns of sources below nodes/Wherobots. */
	sources: string[];
	/** Patterns of tests below test/: those that are fast and meant for these sources. */
	tests: string[];
	/** Kinds of mistakes that are left out, by Stryker's names. */
	without?: string[];
}

/** Labels and descriptions of forms: no test should repeat them word by word. */
const WORDS = ['StringLiteral'];

const OF_ALL_OPERATIONS = 'engine/actions/invariants.test.ts';

function operations(folder: string, ...tests: string[]): Part {
	return { sources: [`actions/${folder}/**/*.ts`], tests, without: WORDS };
}

/** In the order in which they are run and shown; each takes minutes. */
export const PARTS: Record<string, Part> = {
	service: {
		sources: [
			...[
				'jobRuns/runs',
				'jobRuns/runRequests',
				'secret',
				'fileNames',
				'formulas',
				'templates',
				'baseUrl',
			],
			...['auditLog', 'apiKeys', 'types'],
		].map((name) => `service/${name}.ts`),
		tests: ['unit/service/**/*.test.ts', 'property/service/{fileNames,endpoints}.test.ts'],
	},
	rules: {
		sources: [...['rules', 'endpoints', 'jobRuns/runtimes', 'catalogs', 'cloudConnections']].map(
			(name) => `service/${name}.ts`,
		),
		tests: ['unit/service/**/*.test.ts', 'property/service/{*,jobRuns/*}.test.ts'],
	},
	time: { sources: ['service/time/*.ts'], tests: ['property/service/time/*.test.ts'] },
	input: { sources: ['parameters/input.ts'], tests: ['unit/parameters/*.test.ts'] },
	parameters: {
		sources: ['values', 'shape', 'items', 'declarations', 'toolUse', 'source'].map(
			(name) => `parameters/${name}.ts`,
		),
		tests: ['unit/parameters/*.test.ts'],
	},
	pace: {
		sources: ['transport/pace/*.ts'],
		tests: ['unit/transport/pace/*.test.ts', 'property/transport/pace/*.test.ts'],
	},
	failures: {
		sources: ['transport/failures/*.ts'],
		// Its properties read megabytes.
		tests: ['unit/transport/failures/*.test.ts', 'property/transport/failures/redact.test.ts'],
	},
	download: { sources: ['transport/download/*.ts'], tests: ['unit/transport/download/*.test.ts'] },
	auditExport: {
		sources: ['transport/auditExport/*.ts'],
		tests: ['unit/transport/auditExport/*.test.ts', 'property/transport/auditExport/*.test.ts'],
	},
	requests: {
		sources: ['http', 'json', 'clock', 'authenticatedRequest'].map(
			(name) => `transport/${name}.ts`,
		),
		tests: ['unit/transport/*.test.ts', 'property/transport/*.test.ts'],
	},
	pages: {
		sources: ['pagination', 'polling', 'records', 'client', 'serviceClock', 'inParallel'].map(
			(name) => `transport/${name}.ts`,
		),
		tests: ['hostile/transport/*.test.ts', 'engine/actions/jobRun/getAll.test.ts'],
	},
	jobRuns: {
		sources: ['transport/jobRuns/*.ts', 'transport/creation/*.ts'],
		tests: ['engine/actions/jobRun/*.test.ts', 'hostile/transport/jobRuns/*.test.ts'],
	},
	triggerState: {
		sources: ['trigger/core/state.ts', 'trigger/core/watermark.ts'],
		tests: ['unit/trigger/core/{state,watermark}.test.ts'],
	},
	triggerCore: {
		sources: ['trigger/core/**/*.ts', '!trigger/core/state.ts', '!trigger/core/watermark.ts'],
		tests: ['unit/trigger/core/**/*.test.ts', 'property/trigger/{runs,audit}.test.ts'],
	},
	trigger: {
		sources: ['trigger/*.ts', '!trigger/properties.ts'],
		tests: ['engine/trigger/*.test.ts'],
	},
	router: {
		sources: ['router', 'creations', 'errorItem', 'requestFields', 'hint'].map(
			(name) => `actions/${name}.ts`,
		),
		tests: ['unit/actions/*.test.ts', OF_ALL_OPERATIONS, 'engine/actions/jobRun/create*.test.ts'],
	},
	jobRun: operations('jobRun', 'engine/actions/jobRun/*.test.ts'),
	auditLog: operations(
		'auditLog',
		'engine/actions/auditLog/*.test.ts',
		'property/actions/auditLog/*.test.ts',
	),
	apiKey: operations('apiKey', 'engine/actions/apiKey.test.ts', OF_ALL_OPERATIONS),
	catalog: {
		sources: ['catalog', 'namespace', 'table', 'view'].map((folder) => `actions/${folder}/*.ts`),
		tests: ['engine/actions/catalog.test.ts', OF_ALL_OPERATIONS],
		without: WORDS,
	},
	cloudConnection: operations('cloudConnection', 'engine/actions/cloudConnection/*.test.ts'),
	preset: operations(
		'environmentOverridePreset',
		'engine/actions/environmentOverridePreset.test.ts',
		OF_ALL_OPERATIONS,
	),
};

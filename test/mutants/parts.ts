/** The parts that `npm run mutants` plants mistakes in, and the tests that have to notice. */

export interface Part {
	/** Patterns of sources, from nodes/Wherobots on. */
	sources: string[];
	/** Patterns of tests below test/: those that are fast and meant for these sources. */
	tests: string[];
	/** Kinds of mistakes that are left out, by Stryker's names. */
	without?: string[];
}

/** Labels and descriptions of forms: no test should repeat them word by word. */
const WORDS = ['StringLiteral'];

const TRANSFERS = 'unit/transport/{download,files}/*.test.ts';
const OF_ALL_OPERATIONS = 'engine/actions/invariants.test.ts';
const LISTS = 'engine/actions/{emptyLists,limits}.test.ts';

function operations(folder: string, ...tests: string[]): Part {
	return {
		sources: [`actions/${folder}/**/*.ts`],
		tests: [...tests, LISTS],
		without: WORDS,
	};
}

const RESOURCES = ['apiKey', 'catalog', 'environmentOverridePreset', 'table'];

const RULES = ['rules', 'endpoints', 'jobRuns/runtimes', 'catalogs', 'cloudConnections'].map(
	(name) => `service/${name}.ts`,
);

const PAGES = ['pagination', 'polling', 'records', 'client', 'inParallel'].map(
	(name) => `transport/${name}.ts`,
);

const TASK_REQUESTS = ['runTask', 'taskRuns'].map((name) => `transport/${name}.ts`);
const FIELDS = ['parameters/declarations.ts', 'parameters/fields.ts'];

/** Those left out read tens of thousands of events, or poll hundreds of times. */
const AUDIT_POLLS = 'unit/trigger/core/audit/!(auditBaseline|backlog|limits).test.ts';

/** Sources that only declare what the editor shows. */
export const DECLARATIONS = [
	'Wherobots.node.ts',
	'WherobotsTrigger.node.ts',
	'trigger/events/index.ts',
];

/** In the order in which they are run and shown; each takes minutes. */
export const PARTS: Record<string, Part> = {
	service: {
		sources: [
			'service/*.ts',
			'service/jobRuns/*.ts',
			'!service/taskRuns.ts',
			...RULES.map((name) => `!${name}`),
		],
		tests: [
			'unit/service/**/*.test.ts',
			'unit/transport/files/*.test.ts',
			'unit/package/packageInfo.test.ts',
			'property/service/{baseUrl,fileNames}.test.ts',
			'property/service/jobRuns/*.test.ts',
		],
	},
	rules: {
		sources: RULES,
		tests: [
			'unit/service/*.test.ts',
			'unit/service/jobRuns/runtimes.test.ts',
			'property/service/{rules,rules.jobRuns,endpoints}.test.ts',
		],
	},
	time: {
		sources: ['service/time/*.ts'],
		// The properties of windows and calendars go through all zones: a minute for one mistake.
		tests: ['unit/service/time/*.test.ts', 'property/service/time/time.test.ts'],
	},
	input: { sources: ['parameters/input.ts'], tests: ['unit/parameters/*.test.ts'] },
	parameters: {
		sources: ['parameters/*.ts', ...[...FIELDS, 'parameters/input.ts'].map((name) => `!${name}`)],
		tests: ['unit/parameters/*.test.ts'],
	},
	fields: {
		sources: FIELDS,
		tests: [
			'unit/parameters/*.test.ts',
			'engine/actions/{catalog,environmentOverridePreset}.test.ts',
			'engine/actions/jobRun/{costLimit,create.input}.test.ts',
		],
		without: WORDS,
	},
	pace: {
		sources: ['transport/pace/*.ts'],
		// pace.test.ts simulates minutes of several processes.
		tests: [
			'unit/transport/pace/*.test.ts',
			TRANSFERS,
			'property/transport/pace/{rateLimit,refusals,retry}.test.ts',
		],
	},
	failures: {
		sources: ['transport/failures/*.ts'],
		// Its properties read megabytes.
		tests: [
			'unit/transport/{failures,jobRuns}/*.test.ts',
			'property/transport/failures/redact.test.ts',
			'engine/actions/jobRun/cancel.test.ts',
		],
	},
	download: { sources: ['transport/download/*.ts'], tests: ['unit/transport/download/*.test.ts'] },
	credentials: {
		sources: ['../../credentials/*.ts'],
		tests: ['unit/credentials/*.test.ts'],
		without: WORDS,
	},
	auditExport: {
		sources: ['transport/auditExport/*.ts'],
		// The other properties read megabytes.
		tests: ['unit/transport/auditExport/*.test.ts', 'property/transport/auditExport/rows.test.ts'],
	},
	requests: {
		sources: ['transport/*.ts', ...[...PAGES, ...TASK_REQUESTS].map((name) => `!${name}`)],
		// Its properties read megabytes.
		tests: [
			'unit/transport/*.test.ts',
			TRANSFERS,
			'unit/service/texts.test.ts',
			'engine/actions/file/file.test.ts',
		],
	},
	files: {
		sources: ['transport/files/*.ts'],
		tests: ['unit/transport/files/*.test.ts', 'engine/actions/file/upload.test.ts'],
	},
	methods: { sources: ['methods/*.ts'], tests: ['engine/methods/*.test.ts'] },
	pages: {
		sources: PAGES,
		// What the hostile suite notices as well takes seconds for each mistake.
		tests: [
			'unit/transport/*.test.ts',
			'unit/transport/jobRuns/readRun.test.ts',
			'engine/actions/{tasks,emptyLists}.test.ts',
			'engine/methods/pickers.tasks.test.ts',
		],
	},
	jobRuns: {
		sources: ['transport/jobRuns/*.ts'],
		// sameMoment.test.ts starts processes; the operations left out only read a run.
		tests: [
			'unit/transport/jobRuns/*.test.ts',
			'engine/actions/jobRun/create.{exists,lost,retry,sameMoment,stopped,wait}.test.ts',
			'engine/actions/jobRun/{costLimit*,create,getCost,getLogs,waitForCompletion}.test.ts',
			'hostile/transport/{logPages,jobRuns/runLog}.test.ts',
		],
	},
	triggerCore: {
		sources: ['trigger/core/*.ts'],
		tests: [
			'unit/trigger/core/{*,runs/*}.test.ts',
			AUDIT_POLLS,
			'property/trigger/{runs,audit}.test.ts',
		],
	},
	triggerRuns: {
		sources: ['trigger/core/runs/*.ts'],
		tests: ['unit/trigger/core/{*,runs/*}.test.ts', 'property/trigger/{runs,tasks}.test.ts'],
	},
	triggerAudit: {
		sources: ['trigger/core/audit/*.ts'],
		tests: ['unit/trigger/core/*.test.ts', AUDIT_POLLS, 'property/trigger/audit.test.ts'],
	},
	trigger: {
		sources: ['trigger/*.ts', 'trigger/events/*.ts', '!trigger/events/index.ts'],
		// labels.test.ts reads a page of the docs, which are not there; the others left out look at the core.
		tests: [
			'unit/trigger/!(labels).test.ts',
			'engine/trigger/!(misbehaving|refusedCursors).test.ts',
		],
	},
	router: {
		sources: ['actions/index.ts', 'actions/execution/*.ts', 'actions/operations/*.ts'],
		// What holds for all operations takes minutes for a mistake that it does not notice.
		tests: [
			'unit/actions/{execution,operations}/*.test.ts',
			'engine/actions/{index,apiKey,catalog,table,emptyLists}.test.ts',
			'engine/actions/jobRun/getAll.test.ts',
			'engine/actions/auditLog/export.test.ts',
		],
	},
	// The other tests of creating runs look at transport/jobRuns.
	jobRun: operations(
		'jobRun',
		'unit/actions/jobRun/*.test.ts',
		'engine/actions/jobRun/!(create.exists|create.lost|create.once|create.retry|create.sameMoment|create.stopped).test.ts',
	),
	// Its properties make hundreds of exports, and exportPace.test.ts takes five seconds of real time.
	auditLog: operations(
		'auditLog',
		'engine/actions/auditLog/{export,exportFiles,exportRange,getAll}.test.ts',
		'hostile/transport/auditExport/series.test.ts',
		'unit/actions/auditLog/*.test.ts',
	),
	// One file for each resource, with tests of the same name.
	resources: {
		sources: RESOURCES.map((name) => `actions/${name}.ts`),
		tests: [...RESOURCES.map((name) => `engine/actions/${name}.test.ts`), OF_ALL_OPERATIONS, LISTS],
		without: WORDS,
	},
	cloudConnection: operations('cloudConnection', 'engine/actions/cloudConnection/*.test.ts'),
	task: {
		sources: [
			'actions/task.ts',
			'actions/taskRun/*.ts',
			'actions/usage.ts',
			'service/taskRuns.ts',
			...TASK_REQUESTS,
		],
		tests: [
			'unit/service/taskRuns.test.ts',
			'engine/actions/{tasks,taskRun.create,taskRun.wait,usage}.test.ts',
			OF_ALL_OPERATIONS,
		],
		without: WORDS,
	},
	file: operations('file', 'engine/actions/file/*.test.ts', 'unit/actions/file/*.test.ts'),
	// large.test.ts draws and reads for seconds.
	map: { sources: ['map/*.ts'], tests: ['unit/map/!(large).test.ts'] },
	sql: {
		sources: ['service/sql/*.ts', 'transport/sql/*.ts', 'actions/sql/*.ts'],
		tests: [
			'{unit,property}/{actions,service,transport}/sql/*.test.ts',
			'engine/actions/sql/*.test.ts',
		],
		without: WORDS,
	},
};

/**
 * Four suites, one per folder under test/: `npx jest --selectProjects unit`. `npm test` runs them, random
 * and hostile cases in a short form. N8N_NODES_WHEROBOTS_SUITE names something else to run: these cases in
 * full (`deep`), or what starts programs of its own, such as an n8n.
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

// n8n-core writes every error of a workflow to the console, expected ones too.
process.env.N8N_LOG_LEVEL ??= 'silent';
// What test files of one run tell each other goes by this name.
process.env.N8N_NODES_WHEROBOTS_TEST_RUN ??= randomUUID();

/** Packages that ship ES modules only; jest runs CommonJS, so they are compiled too. */
const ES_MODULES_ONLY = [
	'@cto.af/wtf8',
	'@uwdata/flechette',
	'cbor2',
	'd3-array',
	'dt-sql-parser',
	'execa',
	'fast-png',
	'fflate',
	'get-port',
	'get-stream',
	'human-signals',
	'hyparquet',
	'hyparquet-writer',
	'iobuffer',
	'is-stream',
	'mimic-fn',
	'npm-run-path',
	'onetime',
	'path-key',
	'strip-final-newline',
];

/** Suites of which `npm test` runs a short form. */
const SHORT = ['property', 'hostile'];

/** @type {import('@swc/core').Options} */
const swc = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	sourceMaps: 'inline',
};

/** Not by <rootDir>, which Stryker does not know. */
const inRunner = (file) => fileURLToPath(new URL(`test/runner/${file}`, import.meta.url));

/**
 * @param {string} name folder under test/
 * @returns {import('jest').Config}
 */
const project = (name) => ({
	displayName: name,
	testEnvironment: inRunner('environment.cjs'),
	runtime: inRunner('runtime.cjs'),
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The built package carries the same module names as its sources.
	modulePathIgnorePatterns: ['<rootDir>/dist'],
	// swc rather than ts-jest: types are checked once by `npm run lint`, not once per worker.
	transform: { '^.+\\.m?[jt]s$': ['@swc/jest', swc] },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES_ONLY.join('|')})/)`],
	restoreMocks: true,
	setupFiles: SHORT.includes(name) ? ['<rootDir>/test/runner/fixedExamples.ts'] : [],
	setupFilesAfterEnv: [
		'<rootDir>/test/support/shortLengths.ts',
		// Whatever the nodes send is what the service describes.
		...(name === 'engine' ? ['<rootDir>/test/support/watchRequests.ts'] : []),
		// No execution leaves a credential behind.
		...(['engine', 'hostile'].includes(name) ? ['<rootDir>/test/support/watchSecrets.ts'] : []),
		...(name !== 'unit' && process.env.N8N_EXPRESSION_ENGINE
			? ['<rootDir>/test/engine/harness/expressions.ts']
			: []),
	],
});

/** @type {import('jest').Config} */
const usual = {
	projects: ['unit', 'property', 'engine', 'hostile'].map(project),
	testSequencer: inRunner('sequencer.cjs'),
	// One worker less than cores is the default, which on two cores is a single one.
	maxWorkers: 2,
	// What test files leave behind adds up.
	workerIdleMemoryLimit: '500MB',
	// Against hanging only: a busy machine takes ten times as long as an idle one.
	testTimeout: 30_000,
	// On a busy machine a worker with a large heap does not end within the usual half a second.
	workerGracefulExitTimeout: 10_000,
};

/** The random and hostile cases in full, and the files that are too long for a short form. */
function inFull() {
	const projects = SHORT.map((name) => ({
		...project(name),
		setupFiles: [],
		testMatch: ['test', 'deep'].map((kind) => `<rootDir>/test/${name}/**/*.${kind}.ts`),
	}));
	return { ...usual, projects };
}

/**
 * A suite of its own: one file after the other, since what they start would fight for the same cores.
 *
 * @param {string} name its files are called `*.name.ts`
 * @param {string} folder where they are, from the root of the repository
 * @param {import('jest').Config} options
 * @param {string[]} files without their extension
 * @returns {import('jest').Config}
 */
const alone = (name, folder, options = {}, files = ['*']) => ({
	...project('unit'),
	displayName: name,
	roots: [`<rootDir>/${folder}`],
	testMatch: files.map((file) => `<rootDir>/${folder}/${file}.${name}.ts`),
	maxWorkers: 1,
	// Against hanging only, as above.
	testTimeout: 600_000,
	...options,
});

const MIDNIGHT = '<rootDir>/test/e2e/suite/midnight.ts';

const {
	N8N_NODES_WHEROBOTS_E2E_FILES: e2eFiles,
	N8N_NODES_WHEROBOTS_E2E_IMAGE: image,
	N8N_NODES_WHEROBOTS_E2E_N8N: n8n,
	N8N_NODES_WHEROBOTS_E2E_URL: url,
	N8N_NODES_WHEROBOTS_QUEUE_SHORT: isShortQueue,
	N8N_NODES_WHEROBOTS_SUITE: suite,
} = process.env;

/** What an n8n that is not installed here can be asked; the other files start one of their own. */
const ON_ANY_N8N = ['aiTool', 'credential', 'file', 'jobRun', 'pickers', 'triggerPoll'];

/** What depends on the methods, the errors and the interfaces of n8n itself. */
const ALSO_ON_N8N_1 = [...ON_ANY_N8N, 'binaryModes'];

/** What runs for every change: runs, files and tasks, all kinds of events, archives, errors and the editor. */
const MAIN = [
	...['auditLogArchive', 'builder', 'credential', 'editor', 'file', 'jobRun', 'n8n3'],
	...['recipesSql', 'triggerExamples', 'triggerPoll'],
];

function filesOfE2e() {
	if (url || image) return ON_ANY_N8N;
	if (n8n === 'n8n-1') return ALSO_ON_N8N_1;
	return e2eFiles === 'main' ? MAIN : ['*'];
}

const e2e = {
	globalSetup: '<rootDir>/test/e2e/suite/globalSetup.ts',
	globalTeardown: '<rootDir>/test/e2e/suite/globalTeardown.ts',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/suite/watchStored.ts', MIDNIGHT],
};
const queue = { setupFilesAfterEnv: [MIDNIGHT] };
/** What takes a few minutes; the others wait for several polls, or measure. */
const SHORT_QUEUE = ['pace', 'killedWorker', 'rollingUpdate', 'durableWait', 'stop'];
const spark = { globalSetup: '<rootDir>/test/spark/globalSetup.ts' };

/** The npm scripts choose one; what a suite needs and does not find, it installs into the cache folder. */
const others = {
	deep: inFull(),
	e2e: alone('e2e', 'test/e2e', e2e, filesOfE2e()),
	queue: alone('queue', 'test/e2e/queue', queue, isShortQueue ? SHORT_QUEUE : ['*']),
	soak: alone('soak', 'test/e2e/soak'),
	// Skipped with a message where Java, Python, Maven or the service's description are missing.
	spark: alone('spark', 'test/spark', spark),
	contract: alone('contract', 'test/contract'),
	vendor: alone('vendor', 'test/vendor'),
};

if (suite && !(suite in others)) throw new Error(`There is no suite ${suite}`);

export default suite ? others[suite] : usual;

import type { RunPayload } from '../../../sandbox/model/runTypes';
import { by } from '../../../support/files';
import { type NodeOptions, suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const failed = (payload: Partial<RunPayload> = {}, more: object = {}) =>
	suite.store.createRun({ name: 'nightly-etl', status: 'FAILED', payload, ...more });
const again = async (id: string, more: object = {}, options?: NodeOptions) =>
	await suite.run(ofRun('rerun')(id, more), options);
const submitted = () =>
	suite.requests.of('createRun').map(({ body, query }) => ({ ...(body as object), query }));
/** The members of a run and of its payload, of any form. */
type AnyRun = { payload: Record<string, unknown> } & Record<string, unknown>;
/** Changes what the service says of the run. */
const edit = (change: (run: AnyRun) => unknown) =>
	suite.fails('getRun', { kind: 'edit', edit: (run: AnyRun) => (change(run), run) });

const everything: Partial<RunPayload> = {
	runPython: { uri: 's3://bucket/jobs/etl.py', args: ['--day', '', '2026'] },
	version: 'preview',
	timeoutSeconds: 7200,
	environment: {
		sparkDriverDiskGB: 200,
		sparkConfigs: { 'spark.sql.shuffle.partitions': '200' },
		dependencies: [
			{ sourceType: 'PYPI', libraryName: 'h3', libraryVersion: null },
			{ sourceType: 'FILE', filePath: 's3://bucket/libs/a.whl' },
		],
	},
};

it('submits all that a failed run was submitted with, under the next name', async () => {
	const { id } = failed(everything, { region: 'aws-us-west-2', runtime: 'small' });
	const { json, error, hints } = await again(id);
	expect(error).toBeUndefined();
	expect(submitted()).toEqual([
		{
			...everything,
			name: 'nightly-etl-2',
			runtime: 'small',
			environment: {
				...everything.environment,
				dependencies: [
					{ sourceType: 'PYPI', libraryName: 'h3' },
					{ sourceType: 'FILE', filePath: 's3://bucket/libs/a.whl' },
				],
			},
			query: { region: 'aws-us-west-2' },
		},
	]);
	expect(json).toMatchObject([{ name: 'nightly-etl-2', rerunOf: id, reused: false }]);
	expect(hints).toEqual([]);
});

it('runs a JAR again with its main class', async () => {
	const runJar = { uri: 's3://bucket/etl.jar', args: ['a'], mainClass: 'com.example.Etl' };
	await again(failed({ runJar }).id);
	expect(submitted()).toMatchObject([{ runJar }]);
	expect(submitted()[0]).not.toHaveProperty('runPython');
});

it('changes what the form says, and nothing else', async () => {
	const { id } = failed(everything);
	const { error } = await again(id, {
		changes: {
			name: 'nightly-etl-large',
			runtime: by('name', 'large'),
			region: by('name', 'aws-us-west-2'),
			version: 'latest',
			timeoutMinutes: 240,
			arguments: ['--day=2026-01-31'],
		},
	});
	expect(error).toBeUndefined();
	expect(submitted()).toMatchObject([
		{
			name: 'nightly-etl-large',
			runtime: 'large',
			query: { region: 'aws-us-west-2' },
			version: 'latest',
			timeoutSeconds: 14_400,
			runPython: { uri: 's3://bucket/jobs/etl.py', args: ['--day=2026-01-31'] },
			environment: { sparkDriverDiskGB: 200 },
		},
	]);
});

it.each([
	['chosen', 'organizationDefault'],
	['left when n8n emptied the list', ''],
])(
	"can leave out the arguments, and use the organization's default runtime, %s",
	async (_, value) => {
		const changes = { runtime: by('list', value), arguments: [] };
		expect((await again(failed(everything).id, { changes })).error).toBeUndefined();
		expect(submitted()[0]).toMatchObject({ runPython: { args: [] } });
		expect(submitted()[0]).not.toHaveProperty('runtime');
	},
);

describe('a run that did not fail', () => {
	it.each([
		['COMPLETED', 'has completed'],
		['PENDING', 'is still PENDING'],
		['RUNNING', 'is still RUNNING'],
	])('is refused unless that is wanted: %s', async (status, state) => {
		const { id } = failed({}, { status });
		const { error } = await again(id);
		expect(error?.message).toBe(`Job run "nightly-etl" ${state}, so it was not run again`);
		expect(error?.description).toContain(`Run ID: ${id}`);
		expect(error?.description).toContain("Turn on 'Run Again in Any Status'");
		expect(submitted()).toEqual([]);
		expect((await again(id, { anyStatus: true })).error).toBeUndefined();
		expect(submitted()).toHaveLength(1);
	});

	it.each(['FAILED', 'CANCELLED', 'TIMED_OUT'])('is another matter: %s', async (status) => {
		expect((await again(failed({}, { status }).id)).error).toBeUndefined();
	});
});

describe('a record', () => {
	const { id } = { id: 'run-odd' };
	beforeEach(() => void failed(everything, { id }));

	it('without its payload is not run again', async () => {
		edit((run) => Object.assign(run, { payload: undefined }));
		expect((await again(id)).error?.message).toMatch(/does not say which program it ran$/);
	});

	it.each<[string, object]>([
		['does not say which program it ran', { runPython: null }],
		['does not say which program it ran', { runPython: { args: [] } }],
		['does not say which program it ran', { runJar: { uri: 's3://b/a.jar' } }],
		['has arguments in an unknown form', { runPython: { uri: 's3://b/a.py', args: '--day' } }],
		['has an environment in an unknown form', { environment: 'default' }],
		['has an environment in an unknown form', { environment: { sparkConfigs: { a: null } } }],
		[
			'has an environment in an unknown form',
			{ environment: { dependencies: [{ sourceType: 'CONDA' }] } },
		],
	])('that %s is not run again: %j', async (problem, changed) => {
		edit(({ payload }) => Object.assign(payload, changed));
		const { error } = await again(id);
		expect(error?.message).toBe(`Job run "nightly-etl" cannot be run again: its record ${problem}`);
		expect(error?.context?.data).toMatchObject({ runId: id });
		expect(submitted()).toEqual([]);
	});

	it('that lacks region and runtime leaves them to the organization, and says so', async () => {
		suite.variants.kubeApp = 'absent';
		edit(({ payload }) => (payload.runtime = null));
		const { hints, error } = await again(id);
		expect(error).toBeUndefined();
		const hint = (name: string) =>
			`The record of job run "nightly-etl" does not name its ${name}, so the organization's default is used.`;
		expect(hints).toEqual([hint('region'), hint('runtime')]);
	});

	it('with members that this package does not know runs without them, and says so', async () => {
		edit(({ payload }) => {
			Object.assign(payload, { notifyUrl: 'https://example.com', region: 'aws-us-west-2' });
			Object.assign(payload.environment as object, { envVars: { A: '1' } });
		});
		const { hints, error } = await again(id);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'The record of job run "nightly-etl" also has notifyUrl, envVars, which were not submitted again.',
		]);
	});

	it.each([
		[
			'kurz',
			`must be set under 'Changes': the next name, "kurz-2", must be 8 to 255 characters long and contain only letters, digits, underscores, hyphens and periods, but has a length of 6`,
		],
		[
			'nächtlich',
			/^'Name' must be set under 'Changes': the next name, "nächtlich-2", must be [^]*, but has "ä"$/,
		],
		[null, /^'Name' must be set under 'Changes': the next name, "-2", /],
	])('with a name that cannot be used again needs another: %s', async (name, problem) => {
		edit((run) => Object.assign(run, { name }));
		expect((await again(id)).error?.message).toMatch(problem);
		expect((await again(id, { changes: { name: 'short-etl-2' } })).error).toBeUndefined();
	});
});

describe('as for Create', () => {
	it.each([{}, { uri: null, args: [] }])(
		'that also has the other kind of program with nothing in it (%j) is no riddle',
		async (runPython) => {
			const runJar = { uri: 's3://bucket/a.jar', args: [] };
			const { id } = failed({ runPython: undefined, runJar });
			edit(({ payload }) => (payload.runPython = runPython));
			expect((await again(id)).error).toBeUndefined();
			expect(submitted()).toMatchObject([{ runJar }]);
		},
	);

	it.each([400, 403])('an error (%i) says which run was to be run again', async (status) => {
		suite.fails('createRun', status);
		const { id } = failed();
		const { json } = await again(id, {}, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([{ error: { httpCode: status, rerunOf: id } }]);
	});
});

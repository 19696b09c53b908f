import { isRunOf, type RunRequest } from '../../../../nodes/Wherobots/service/runs/runRequests';
import { JobRun, jobRuns, toNextName } from '../../../../nodes/Wherobots/service/records/jobRun';

const python = { uri: 's3://bucket/job.py', args: ['--date', '2026-11-21'] };
const environment = { dependencies: [{ sourceType: 'FILE', filePath: 's3://bucket/a.whl' }] };
const request: RunRequest = {
	region: 'aws-us-west-2',
	payload: {
		name: 'nightly-etl',
		runtime: 'tiny',
		timeoutSeconds: 7200,
		runPython: python,
		environment,
	},
};

/** A run as the service returns it for the request: with defaults and additional fields. */
const run = (payload: object = {}, more: object = {}): JobRun =>
	new JobRun({
		id: 'r1',
		name: 'nightly-etl',
		status: 'PENDING',
		createTime: '2026-11-21T12:00:00Z',
		kubeApp: { regionName: 'aws-us-west-2' },
		payload: {
			...request.payload,
			version: 'latest',
			runJar: null,
			environment: {
				sparkConfigs: {},
				dependencies: [
					{ sourceType: 'FILE', filePath: 's3://bucket/a.whl', fileType: 'PYTHON_WHEEL' },
				],
			},
			...payload,
		},
		...more,
	});

it.each([
	['with defaults and additional fields', run()],
	['without a region in it', run({}, { kubeApp: null })],
])('recognizes the run of a request %s', (_, candidate) => {
	expect(isRunOf(candidate, request)).toBe(true);
});

it.each([
	['another name', run({}, { name: 'nightly-etl-b' })],
	['another region', run({}, { kubeApp: { regionName: 'aws-eu-west-1' } })],
	['a longer timeout', run({ timeoutSeconds: 7201 })],
	['no timeout', run({ timeoutSeconds: undefined })],
	['another runtime', run({ runtime: 'small' })],
	['another file', run({ runPython: { uri: 's3://bucket/other.py', args: [] } })],
	['one more argument', run({ runPython: { ...python, args: [...python.args, '-v'] } })],
	['no dependencies', run({ environment: { dependencies: [] } })],
	['no payload', run({}, { payload: undefined })],
	['a version other than the default', run({ version: 'preview' })],
	['a JAR as well', run({ runJar: { uri: 's3://bucket/a.jar' } })],
	[
		"Spark's settings, not sent",
		run({ environment: { ...environment, sparkConfigs: { a: 'b' } } }),
	],
	['a disk size, not sent', run({ environment: { ...environment, sparkDriverDiskGB: 100 } })],
])('refuses a run with %s', (_, candidate) => {
	expect(isRunOf(candidate, request)).toBe(false);
});

it.each([
	['a timeout longer than the default', { timeoutSeconds: 3601 }, false],
	['an environment with an unknown field', { environment: { image: 'v1' } }, false],
	['a Python file as well', { runPython: { uri: 's3://bucket/a.py' } }, false],
	['an empty main class', { runJar: { uri: 's3://bucket/a.jar', mainClass: '' } }, true],
	['arguments', { runJar: { uri: 's3://bucket/a.jar', args: ['-v'] } }, false],
	['a main class', { runJar: { uri: 's3://bucket/a.jar', mainClass: 'Etl' } }, false],
])('compares what was not sent with the default: %s', (_, payload, expected) => {
	const sent = { name: 'nightly-etl', runJar: { uri: 's3://bucket/a.jar' } };
	const echoed = {
		...sent,
		runJar: { uri: 's3://bucket/a.jar', args: [], mainClass: null },
		runPython: null,
		version: 'latest',
		runtime: 'tiny',
		timeoutSeconds: 3600,
		environment: {},
		...payload,
	};
	const candidate = run({}, { payload: echoed });
	expect(isRunOf(candidate, { region: undefined, payload: sent })).toBe(expected);
});

it.each([
	[[], true],
	[['-v'], false],
])(
	'compares a Python file that was sent without arguments with one that has %j',
	(args, expected) => {
		const payload = { name: 'nightly-etl', runPython: { uri: 's3://bucket/a.py' } };
		const echoed = { ...payload, runPython: { ...payload.runPython, args } };
		const candidate = run({}, { payload: echoed });
		expect(isRunOf(candidate, { region: undefined, payload })).toBe(expected);
	},
);

it.each([
	['nightly-etl', 'nightly-etl-2'],
	['nightly-etl-2', 'nightly-etl-3'],
	['nightly-etl-9', 'nightly-etl-10'],
	['nightly-etl-1', 'nightly-etl-1-2'],
	['nightly-etl-02', 'nightly-etl-02-2'],
	['nightly-etl-2026', 'nightly-etl-2026-2'],
	['nightly-2026-11', 'nightly-2026-11-2'],
	['nightly-2026-11-25', 'nightly-2026-11-25-2'],
	['nightly-2026-11-25-2', 'nightly-2026-11-25-3'],
	['nightly-2026-11-2', 'nightly-2026-11-3'],
	['nightly-2026-11-25-11', 'nightly-2026-11-25-12'],
	['tiles-4096-12', 'tiles-4096-13'],
	['nightly-2026-13', 'nightly-2026-14'],
	['nightly-2026-11-32', 'nightly-2026-11-33'],
	['a'.repeat(255), `${'a'.repeat(253)}-2`],
	[`${'a'.repeat(253)}-9`, `${'a'.repeat(252)}-10`],
])('calls the run after %s %s', (name, next) => {
	expect(toNextName(name)).toBe(next);
});

it.each([
	['etl', ['etl', 'etl-2', 'etl-2026', 'etl_2026-11', 'etl-2026-11-28', 'etl-2026-11-28-2']],
	['etl', ['etl', 'etl-202611']],
	['etl', ['etl-20261128', 'etl.20261128T030059Z', 'etl-2026-11-28-03-00', 'etl-1764300000']],
	['etl-1', ['etl-1', 'etl-1-2']],
	['tiles-4096', ['tiles-4096', 'tiles-4096-3', 'tiles-4096-12']],
	['tiles-2048', ['tiles-2048', 'tiles-2048-3']],
	['epsg-2056', ['epsg-2056', 'epsg-2056-2026-11-28']],
	['job-20991234', ['job-20991234']],
	['job-20991200', ['job-20991200']],
	['job-20261128T2560', ['job-20261128T2560']],
	['scene-4294967295', ['scene-4294967295']],
	['2026-11-28', ['2026-11-28']],
])('knows the runs of %s by their names', (stem, names) => {
	const works = names.map((name) => jobRuns.toWork(new JobRun({ name })));
	expect([...new Set(works)]).toEqual([stem]);
});

import { ManualClock, startSandbox, type Sandbox } from '../sandbox';
import { credentialsFor, liveInSandboxTime, runNode, startNode, type TestTime } from './harness';

const python = {
	resource: 'jobRun',
	operation: 'create',
	name: 'nightly-etl-2026',
	runType: 'python',
	pythonUri: 's3://bucket/jobs/nightly_etl.py',
	runtime: { __rl: true, mode: 'list', value: 'tiny' },
	region: { __rl: true, mode: 'list', value: 'aws-us-west-2' },
};

let sandbox: Sandbox;
let time: TestTime;

beforeEach(async () => {
	sandbox = await startSandbox({ clock: new ManualClock('2026-11-21T12:00:00Z') });
	time = liveInSandboxTime(sandbox);
});

afterEach(async () => {
	time.restore();
	await sandbox.stop();
});

describe('submitting', () => {
	it('submits a Python file and returns the pending run, simplified', async () => {
		const { json, error } = await runNode(sandbox, python);

		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				id: expect.any(String),
				name: 'nightly-etl-2026',
				status: 'PENDING',
				runtime: 'tiny',
				region: 'aws-us-west-2',
				createTime: expect.stringMatching(/^2026-11-21T12:00/),
				startTime: null,
				completeTime: null,
				durationSeconds: null,
				message: expect.any(String),
				reused: false,
			},
		]);
		const [request] = sandbox.requests.of('createRun');
		expect(request.query).toEqual({ region: 'aws-us-west-2' });
		expect(request.body).toEqual({
			name: 'nightly-etl-2026',
			runtime: 'tiny',
			runPython: { uri: 's3://bucket/jobs/nightly_etl.py', args: [] },
		});
		expect(request.headers['user-agent']).toMatch(/^n8n-nodes-wherobots\/\d+\.\d+\.\d+/);
	});

	it('submits every field of the payload and its environment', async () => {
		const { error } = await runNode(
			sandbox,
			{
				...python,
				runType: 'jar',
				jarUri: 's3://bucket/jobs/etl.jar',
				mainClass: 'com.example.Etl',
				arguments: ['--date', '={{ $json.date }}', '={{ $json.more }}', ''],
				environment: {
					sparkDriverDiskGB: 200,
					sparkExecutorDiskGB: 300,
					sparkConfigs: { config: [{ key: 'spark.sql.shuffle.partitions', value: '64' }] },
					pypiDependencies: { package: [{ libraryName: 'rasterio', libraryVersion: '>=1.4,<2' }] },
					fileDependencies: ['s3://bucket/libs/helpers.whl', '/opt/conf.json'],
				},
				options: { version: 'preview', timeoutSeconds: 7200 },
			},
			{ input: [{ date: '2026-11-21', more: ['--fast', 3] }] },
		);

		expect(error).toBeUndefined();
		expect(sandbox.requests.of('createRun')[0].body).toEqual({
			name: 'nightly-etl-2026',
			runtime: 'tiny',
			version: 'preview',
			timeoutSeconds: 7200,
			runJar: {
				uri: 's3://bucket/jobs/etl.jar',
				mainClass: 'com.example.Etl',
				args: ['--date', '2026-11-21', '--fast', '3', ''],
			},
			environment: {
				sparkDriverDiskGB: 200,
				sparkExecutorDiskGB: 300,
				sparkConfigs: { 'spark.sql.shuffle.partitions': '64' },
				dependencies: [
					{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '>=1.4,<2' },
					{ sourceType: 'FILE', filePath: 's3://bucket/libs/helpers.whl' },
					{ sourceType: 'FILE', filePath: '/opt/conf.json' },
				],
			},
		});
	});

	it('takes the environment as JSON, text or object', async () => {
		const environment = {
			sparkConfigs: { 'spark.executor.cores': '4' },
			dependencies: [{ sourceType: 'PYPI', libraryName: 'pyproj' }],
		};
		for (const environmentJson of [JSON.stringify(environment), '={{ $json.environment }}']) {
			const { error } = await runNode(
				sandbox,
				{ ...python, specifyEnvironment: 'json', environmentJson },
				{ input: [{ environment }] },
			);
			expect(error).toBeUndefined();
			const body = sandbox.requests.of('createRun').at(-1)?.body as { environment: unknown };
			expect(body.environment).toEqual(environment);
		}
	});

	it('leaves runtime and region to the organization when asked to', async () => {
		sandbox.variants.requireRegion = false;
		sandbox.variants.requireRuntime = false;
		const byDefault = { __rl: true, mode: 'list', value: 'organizationDefault' };
		const { error } = await runNode(sandbox, { ...python, runtime: byDefault, region: byDefault });

		expect(error).toBeUndefined();
		const [request] = sandbox.requests.of('createRun');
		expect(request.query).toEqual({});
		expect(request.body).not.toHaveProperty('runtime');
	});

	it.each([200, 201])('accepts status %i', async (status) => {
		sandbox.variants.successStatus = { createRun: status };
		expect((await runNode(sandbox, python)).json[0].status).toBe('PENDING');
	});

	it('does not take an answer without a run for a success', async () => {
		sandbox.variants.successStatus = { createRun: 204 };
		const { error } = await runNode(sandbox, python);
		expect(error?.description).toContain('look for a job run named "nightly-etl-2026"');
	});

	it('works with a bearer token', async () => {
		const credentials = credentialsFor(sandbox, 'admin', 'bearerToken');
		expect((await runNode(sandbox, python, { credentials })).error).toBeUndefined();
		const { headers } = sandbox.requests.of('createRun')[0];
		expect(headers.authorization).toBe(`Bearer ${credentials.bearerToken as string}`);
		expect(headers['x-api-key']).toBeUndefined();
	});
});

describe('checking before sending', () => {
	it.each([
		['a short name', { name: 'short' }, "'Name' must be 8 to 255 characters long, not 5"],
		['a name with spaces', { name: 'nightly etl run' }, "'Name' may contain only letters"],
		['no file', { pythonUri: '={{ "" }}' }, "'Python File' must not be empty"],
		[
			'a file that is not in S3',
			{ pythonUri: 'https://x/y.py' },
			"'Python File' must be an S3 path",
		],
		['a JAR as Python file', { pythonUri: 's3://b/y.jar' }, "'Python File' must end with .py"],
		['no timeout', { options: { timeoutSeconds: 0 } }, "'Timeout (Seconds)' must be at least 1"],
		[
			'a dependency of a wrong kind',
			{ environment: { fileDependencies: ['s3://b/readme.txt'] } },
			'\'File Dependencies\' has the entry "s3://b/readme.txt", which must end with .jar',
		],
		[
			'JSON that is none',
			{ specifyEnvironment: 'json', environmentJson: '{"sparkConfigs":' },
			"'Environment (JSON)' must be a JSON object",
		],
		[
			'an argument without a value',
			{ arguments: ['={{ $json.none }}'] },
			"'Arguments' has no value",
		],
	])('refuses %s', async (_, change, message) => {
		const { error } = await runNode(sandbox, { ...python, ...change });
		expect(error?.message).toContain(message);
		expect(sandbox.requests.count).toBe(0);
	});
});

describe('never twice', () => {
	it.each([
		['a reset before handling', { kind: 'reset', when: 'before' }],
		['a reset after handling', { kind: 'reset', when: 'after' }],
		['status 503', { kind: 'status', status: 503 }],
		['status 500 in HTML', { kind: 'status', status: 500, body: 'html', when: 'after' }],
		['a truncated answer', { kind: 'truncate' }],
		['a web page with status 200', { kind: 'html' }],
	] as const)('sends once on %s and says what to look for', async (_, fault) => {
		sandbox.faults.add({ endpoint: 'createRun', fault });
		const { error } = await runNode(sandbox, python);
		expect(sandbox.requests.of('createRun')).toHaveLength(1);
		expect(error?.message).toContain('it is not certain whether the request was carried out');
		expect(error?.description).toContain('look for a job run named "nightly-etl-2026"');
	});

	it.each([undefined, 1, 0.5, 'Sat, 21 Nov 2026 12:00:03 GMT'])(
		'repeats a submission that was rate limited (Retry-After: %s)',
		async (retryAfter) => {
			const fault = { kind: 'status', status: 429, retryAfter } as const;
			sandbox.faults.add({ endpoint: 'createRun', times: 2, fault });
			const { error } = await runNode(sandbox, python);
			expect(error).toBeUndefined();
			expect(sandbox.requests.of('createRun')).toHaveLength(3);
			expect(sandbox.store.runs.all()).toHaveLength(1);
			if (typeof retryAfter === 'number') {
				expect(Math.min(...time.pauses)).toBeGreaterThanOrEqual(retryAfter * 1000);
			}
		},
	);

	it('reuses an active run of exactly this name, when asked to', async () => {
		const options = { reuseActive: true };
		const first = await runNode(sandbox, { ...python, options });
		await runNode(sandbox, { ...python, name: 'nightly-etl-2026-b' });
		const again = await runNode(sandbox, { ...python, options });
		expect(again.json[0]).toMatchObject({ id: first.json[0].id, reused: true });

		sandbox.clock.advance(3_600_000);
		const later = await runNode(sandbox, { ...python, options });
		expect(later.json[0].id).not.toBe(first.json[0].id);
		expect(later.json[0].reused).toBe(false);
	});
});

describe('waiting', () => {
	const waiting = { ...python, waitForCompletion: true };

	it('returns the completed run, polling at growing intervals', async () => {
		const { json, error } = await runNode(sandbox, waiting);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ status: 'COMPLETED', durationSeconds: 20 });
		expect(time.pauses[0]).toBe(2000);
		expect(Math.max(...time.pauses)).toBeLessThanOrEqual(15_000);
		expect(sandbox.requests.of('getRun').length).toBeLessThanOrEqual(7);
	});

	it('fails with the message of the service and the last log lines', async () => {
		sandbox.plans.set('nightly-etl-2026', {
			outcome: 'FAILED',
			message: 'Traceback: column not found',
			logs: ['reading', 'joining', 'boom'],
		});
		const { error } = await runNode(sandbox, { ...waiting, waitOptions: { logLines: 2 } });
		expect(error?.message).toBe('Job run "nightly-etl-2026" failed: Traceback: column not found');
		expect(error?.description).toContain('joining\nboom');
		expect(error?.description).not.toContain('reading');
		expect(error?.description).toMatch(/Run ID: \S+/);
	});

	it('keeps the lines and the angle brackets of a log in the error panel, which shows HTML', async () => {
		const logs = ['Traceback', '  File "x.py", in <module>', 'a & b'];
		sandbox.plans.set('nightly-etl-2026', { outcome: 'FAILED', logs });
		const { error } = await runNode(sandbox, waiting);
		expect(error?.panelDescription).toContain(
			'Traceback<br>&nbsp;&nbsp;File "x.py", in &lt;module&gt;<br>a &amp; b',
		);
	});

	it.each(['TIMED_OUT', 'FAILED_TIMEOUT'] as const)('tells a timeout (%s)', async (outcome) => {
		sandbox.plans.set('nightly-etl-2026', { outcome });
		const { error } = await runNode(sandbox, waiting);
		expect(error?.message).toContain('Job run "nightly-etl-2026" timed out');
	});

	it('returns a failed run as data when asked to', async () => {
		sandbox.plans.set('nightly-etl-2026', { outcome: 'FAILED', message: 'no such bucket' });
		const { json } = await runNode(sandbox, { ...waiting, waitOptions: { onFailure: 'return' } });
		expect(json[0]).toMatchObject({ status: 'FAILED', message: 'no such bucket' });
	});

	it('gives up at its deadline, names the run and leaves it alone', async () => {
		sandbox.plans.set('nightly-etl-2026', { runningMs: 3_000_000 });
		const { error } = await runNode(sandbox, { ...waiting, waitOptions: { maxWaitMinutes: 2 } });
		expect(error?.message).toBe('The job run did not end within 2 minutes');
		expect(error?.description).toContain(sandbox.store.runs.all()[0].id);
		expect(sandbox.requests.of('cancelRun')).toHaveLength(0);
	});

	it('waits through an outage of the service', async () => {
		sandbox.plans.set('nightly-etl-2026', { runningMs: 600_000 });
		sandbox.faults.add({
			endpoint: 'getRun',
			skip: 2,
			times: 12,
			fault: { kind: 'status', status: 503 },
		});
		expect((await runNode(sandbox, waiting)).json[0].status).toBe('COMPLETED');
	});

	it('waits for the runs of all items side by side', async () => {
		const input = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const { items } = await runNode(
			sandbox,
			{ ...waiting, name: '=nightly-etl-{{ $json.n }}' },
			{ input },
		);
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['nightly-etl-1', { item: 0 }],
			['nightly-etl-2', { item: 1 }],
			['nightly-etl-3', { item: 2 }],
		]);
	});
});

describe('stopping the execution', () => {
	const slow = { ...python, pythonUri: 's3://bucket/jobs/slow.py', waitForCompletion: true };

	async function stopWhileWaiting(parameters: object) {
		time.restore();
		const running = startNode(sandbox, { ...slow, ...parameters });
		while (sandbox.requests.of('getRun').length === 0) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		const stoppedAt = Date.now();
		running.cancel();
		await running.result;
		return Date.now() - stoppedAt;
	}

	it('ends the wait at once and cancels the run that it created', async () => {
		expect(await stopWhileWaiting({})).toBeLessThan(1_000);
		while (sandbox.requests.of('cancelRun').length === 0) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		sandbox.clock.advance(120_000);
		const [run] = sandbox.store.runs.all();
		expect(sandbox.requests.of('cancelRun')[0].path).toContain(run.id);
	});

	it('leaves the run alone when asked to', async () => {
		await stopWhileWaiting({ waitOptions: { cancelOnStop: false } });
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(sandbox.requests.of('cancelRun')).toHaveLength(0);
	});
});

describe('continuing on failure', () => {
	it('puts an error item in the place of each item that failed', async () => {
		const { items } = await runNode(
			sandbox,
			{ ...python, name: '={{ $json.name }}' },
			{
				input: [{ name: 'good-run-one' }, { name: 'bad' }, { name: 'good-run-two' }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => json.name ?? json.error)).toEqual([
			'good-run-one',
			"'Name' must be 8 to 255 characters long, not 3",
			'good-run-two',
		]);
		expect(items[1].pairedItem).toEqual({ item: 1 });
	});

	it('submits nothing after an item that failed, otherwise', async () => {
		const input = [{ name: 'good-run-one' }, { name: 'bad' }, { name: 'good-run-two' }];
		const { error } = await runNode(sandbox, { ...python, name: '={{ $json.name }}' }, { input });
		expect(error?.message).toContain("'Name' must be");
		expect(sandbox.requests.of('createRun')).toHaveLength(1);
	});
});

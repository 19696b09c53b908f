/** wherobots-python-sdk: job runs and their logs. */
import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';

const LINES = 350;

describeWith('clients')('wherobots-python-sdk', () => {
	let judge: Judge;
	let jobs: Outcomes;
	let log: Outcomes;
	let logByTime: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('clients');
		// This client does not wait for lines that arrive after the end.
		judge.sandbox.plans.set(/logs\.py$/, { logs: LINES, logDelayMs: 0 });
		jobs = await judge.work('jobs.py');
		log = await judge.work('log.py');
		judge.sandbox.variants.logCursor = 'time';
		logByTime = await judge.work('log.py');
	});

	afterAll(async () => await judge?.stop());

	it('submits without region and runtime, and the defaults of the organization hold', () => {
		expect(jobs.by_default).toEqual({
			attributed: true,
			environment: {
				dependencies: [],
				spark_configs: {},
				spark_driver_disk_gb: null,
				spark_executor_disk_gb: null,
			},
			id: expect.any(Number),
			python: { args: [], uri: 's3://acme-jobs/jobs/nightly_etl.py' },
			runtime: 'tiny',
			seconds: 3600,
			status: 'COMPLETED',
			version: 'latest',
		});
	});

	it('submits with everything that a job can be given, also disks of 0 GB', () => {
		expect(jobs.in_full).toEqual({
			environment: {
				dependencies: [
					{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '1.4.3' },
					{
						sourceType: 'FILE',
						filePath: 's3://acme-jobs/lib/common.whl',
						fileType: 'PYTHON_WHEEL',
					},
				],
				spark_configs: { 'spark.sql.shuffle.partitions': '400' },
				spark_driver_disk_gb: 100,
				spark_executor_disk_gb: 0,
			},
			python: { args: ['--date', '2026-11-25'], uri: 's3://acme-jobs/jobs/nightly_etl.py' },
			region: 'aws-eu-west-1',
			runtime: 'small',
			version: 'preview',
		});
	});

	it('submits Spark settings without dependencies', () => {
		expect(jobs.spark_settings_alone).toEqual({ 'spark.ui.enabled': 'false' });
	});

	it('submits with any text as the version', () => {
		expect(jobs.of_any_version).toBe('1.2.3');
	});

	it('submits a JAR with its main class', () => {
		const uri = 's3://acme-jobs/lib/job.jar';
		expect(jobs.a_jar).toEqual({ uri, main_class: 'com.acme.Job', args: ['a'] });
	});

	it('waits for the end of a run', () => {
		expect(jobs.completed.status).toBe('COMPLETED');
	});

	it('attaches to a run by its ID', () => {
		const expected = { name: 'vendor-complete', runtime: 'tiny', status: 'COMPLETED' };
		expect(jobs.attached_to).toEqual(expected);
	});

	it('is told why a run failed', () => {
		expect(jobs.failed).toEqual({
			message: expect.stringContaining('column "geometry" not found'),
			status: 'FAILED',
		});
	});

	it('waits for ever in 0.5.1 on a run that timed out, whose status it does not know', () => {
		expect(jobs.timed_out).toEqual({ still_waits_for: 'TIMED_OUT' });
	});

	it('cancels a run and waits until it is cancelled', () => {
		expect(jobs.cancelled).toEqual({ asked: true, status: 'CANCELLED' });
	});

	it('is refused the cancellation of a run that has ended', () => {
		expect(jobs.cancelled_too_late).toEqual({
			error: 'WherobotsAPIError',
			message: expect.stringContaining('(status 409)'),
		});
	});

	it('reads CPU and memory from the series, cost and Spatial Units from the instant values', () => {
		const { cost, cpu, memory, units } = jobs.measured;
		expect(cost).toBeGreaterThan(0);
		expect(units).toBeGreaterThan(0);
		for (const usage of [cpu, memory]) {
			expect(usage.latest).toBeLessThanOrEqual(usage.max);
			expect(usage.avg).toBeLessThanOrEqual(usage.max);
			expect(usage.series.length).toBeGreaterThan(0);
		}
	});

	it('lists runs by pages, name, region, status and time', () => {
		const total = judge.sandbox.store.runs.size;
		expect(jobs.listed).toEqual({
			after: [],
			pages: [8, expect.any(Number)],
			pattern: [
				...['vendor-complete', 'vendor-default', 'vendor-fail', 'vendor-full', 'vendor-jar'],
				...['vendor-slow', 'vendor-spark', 'vendor-timeout', 'vendor-version'],
			],
			region: ['vendor-full'],
			statuses: ['vendor-fail', 'vendor-slow'],
			whole: ['vendor-jar'],
		});
		// The two runs of the logs came later.
		expect(jobs.listed.pages[1]).toBe(total - 2);
	});

	it('reads the request ID of an error from its header', () => {
		expect(jobs.unknown_run).toEqual({ request: 36, status: 404 });
	});

	it('is refused with a wrong key', () => {
		const { error, message } = jobs.wrong_key;
		expect([error, message]).toEqual([
			'WherobotsAPIError',
			expect.stringContaining('(status 401)'),
		]);
	});

	describe('with a log', () => {
		const expected = Array.from(
			{ length: LINES },
			(_, index) => `INFO TaskSetManager: Finished task ${index + 1} of ${LINES}`,
		);

		it('follows it to the end of the run: each line once', () => {
			expect(log.followed).toEqual({ lines: expected, status: 'COMPLETED' });
		});

		it.each(['by_pages', 'in_one_page', 'at_once'])('reads it afterwards %s', (way) => {
			expect(log[way]).toEqual(expected);
		});

		it('prints lines again in 0.5.1 if a cursor is the time of the last line, as it removes none', () => {
			expect(new Set(logByTime.followed.lines)).toEqual(new Set(expected));
			expect(logByTime.followed.lines.length).toBeGreaterThan(LINES);
		});
	});
});

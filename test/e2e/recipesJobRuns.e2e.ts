import { until } from '../support/until';
import { startChatModel } from './servers/chatModel';
import { startMail } from './servers/mail';
import { startS3 } from './servers/s3';
import { rowsOf, tableNamed } from './suite/dataTables';
import { chat } from './suite/requests';
import { IN_N8N, useStage } from './suite/stage';
import { DAY_MS, EXECUTION_LINK, READABLE_TIME, yesterday } from './suite/calendar';

const stage = useStage();

describe('a nightly run', () => {
	test('is submitted once, however often its workflow starts, and again when it failed', async () => {
		const { sandbox, importWorkflow } = stage();
		const workflow = await importWorkflow('examples/nightly-run.json', {
			'Read log': { options: { lateSeconds: 1, fileName: '={{ $json.name }}.log' } },
		});
		const name = `nightly-etl-${yesterday()}`;

		sandbox.plans.set(name, { outcome: 'FAILED', message: 'Job failed: out of disk space' });
		expect(String(await stage().n8n.run(workflow))).toMatch(/: error.*out of disk space/);
		sandbox.plans.clear();
		const first = await stage().execute(workflow);
		const again = await stage().execute(workflow);

		expect(stage().submitted()).toMatchObject([
			{ name, runPython: { args: [`--date=${yesterday()}`] } },
			{ name },
		]);
		expect(first.json('Submit and wait')).toMatchObject([{ status: 'COMPLETED', reused: false }]);
		expect(again.json('Submit and wait')).toMatchObject([{ status: 'COMPLETED', reused: true }]);
		expect(first.items('Read log')[0].binary?.data.fileName).toBe(`${name}.log`);
	});
});

describe('a failed run', () => {
	/** The mail that is sent, and the workflow. */
	async function start() {
		const mail = await stage().use(startMail());
		const file = 'examples/failed-run-second-try.json';
		return { mail, workflow: await stage().importWorkflow(file, {}, [mail.credential]) };
	}

	/** Runs that have ended badly before the workflow looks. */
	const fail = (name: string) => {
		const { store, clock } = stage().sandbox;
		return store.createRun({
			name,
			createTime: clock.now() - 60_000,
			plan: {
				pendingMs: 1_000,
				runningMs: 2_000,
				outcome: 'FAILED',
				message: 'Job failed: OutOfMemoryError: Java heap space',
			},
			payload: { runPython: { uri: 's3://my-bucket/jobs/etl.py', args: ['--date=2026-01-31'] } },
		});
	};

	test('is reported with its cause and log, and tried again on a larger runtime, once', async () => {
		const { n8n } = stage();
		const { id } = fail('nightly-etl');
		fail('weekly-etl');
		const { mail, workflow } = await start();

		await stage().execute(workflow);
		// n8n that reports it again, after a crash.
		await n8n.run(workflow);

		const [first, ...others] = mail.received;
		expect(first.subject).toBe('Job run nightly-etl failed');
		expect(first.text).toMatch(
			new RegExp(
				`^OutOfMemoryError: Java heap space\nAt \\S+:31\n\nRun nightly-etl \\(ID ${id}\\) in \\S+ ended on ${READABLE_TIME}\\. It has been submitted again as nightly-etl-${id}-again \\(ID \\S+\\) on the runtime small\\.\n\nSpark UI: https://\\S+\n${EXECUTION_LINK}\n\nTraceback[^]*OutOfMemoryError`,
			),
		);
		expect(others.map(({ subject }) => subject)).toEqual([first.subject]);
		expect(stage().submitted()).toMatchObject([
			{
				name: `nightly-etl-${id}-again`,
				runtime: 'small',
				runPython: { uri: 's3://my-bucket/jobs/etl.py', args: ['--date=2026-01-31'] },
			},
		]);
	});

	test('is not tried a third time', async () => {
		fail('nightly-etl-1-again');

		const { mail, workflow } = await start();
		const execution = await stage().execute(workflow);

		expect(mail.received.map(({ subject }) => subject)).toEqual([
			'Job run nightly-etl-1-again failed',
		]);
		expect(mail.received[0].text).toContain('It was the second try.');
		expect(execution.nodes).not.toContain('Submit again');
	});
});

describe('an agent', () => {
	test('runs a job for the date that it is asked for, and explains its log', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		sandbox.plans.set(/^agent-/, { outcome: 'FAILED', message: 'Job failed: no such column' });
		const model = await stage().use(
			startChatModel([
				{ tool: 'Run_job', parameters: () => ({ date: '2026-01-31' }) },
				{
					tool: 'Read_log',
					parameters: ([run]) => ({ run_id: /\\"id\\": ?\\"([^"\\]+)/.exec(run)?.[1] }),
				},
			]),
		);
		const workflow = await importWorkflow('examples/agent-runs-and-explains.json', {}, [
			model.credential,
		]);

		const execution = await chat(n8n, workflow, 'Process 31 January 2026 and tell me how it went.');

		const ended = await n8n.ended(execution);
		expect(String(ended)).toMatch(/: success$/);
		const [run, ...others] = sandbox.store.runs.all();
		expect(others).toEqual([]);
		expect(run.payload.runPython?.args).toEqual(['--date=2026-01-31']);
		expect(model.heard[0]).toContain('FAILED');
		expect(JSON.stringify(ended.json('Agent'))).toContain('result = transform(frame)');
	});

	test('is woken by the end of a run, and explains it from its log', async () => {
		const { sandbox, importWorkflow } = stage();
		const createTime = sandbox.clock.now() - 60_000;
		const plan = { pendingMs: 1_000, runningMs: 2_000 };
		const payload = { runPython: { uri: 's3://my-bucket/jobs/fail.py', args: [] } };
		sandbox.store.createRun({ name: 'nightly-etl', createTime, plan, payload });
		const { id } = sandbox.store.createRun({ name: 'agent-long-1', createTime, plan, payload });
		const model = await stage().use(
			startChatModel([{ tool: 'Read_log', parameters: () => ({ run_id: id }) }]),
		);
		const mail = await stage().use(startMail());
		const workflow = await importWorkflow('examples/agent-explains-long-run.json', {}, [
			...[model.credential, mail.credential],
		]);

		await stage().execute(workflow);

		expect(model.told).toMatch(/^Job run agent-long-1 \(ID .+\) has ended as FAILED\./);
		expect(model.told).toContain('column "geometry" not found');
		expect(model.heard).toHaveLength(1);
		expect(mail.received[0].subject).toBe('Job run agent-long-1 failed');
		expect(mail.received[0].text).toContain('result = transform(frame)');
	});
});

describe('new files in S3', () => {
	test('are each submitted once, and again when they are replaced', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const s3 = await stage().use(startS3('my-bucket'));
		const submitted = () =>
			stage()
				.submitted()
				.map(({ runPython }) => runPython.args[0]);
		await s3.put('incoming/a.csv', Buffer.from('1'));
		await s3.put('incoming/day 2/größe.csv', Buffer.from('2'));
		await s3.put('elsewhere/b.csv', Buffer.from('3'));
		const workflow = await importWorkflow('examples/new-s3-file-to-run.json', {}, [s3.credential]);

		await stage().execute(workflow);
		await stage().execute(workflow);
		expect(submitted().sort()).toEqual([
			's3://my-bucket/incoming/a.csv',
			's3://my-bucket/incoming/day 2/größe.csv',
		]);

		await s3.put('incoming/a.csv', Buffer.from('another'));
		await s3.put('incoming/c.csv', Buffer.from('4'));
		// Only its folder tells it apart.
		await s3.put('incoming/day 3/c.csv', Buffer.from('4'));
		await stage().execute(workflow);
		expect(submitted().slice(2).sort()).toEqual([
			's3://my-bucket/incoming/a.csv',
			's3://my-bucket/incoming/c.csv',
			's3://my-bucket/incoming/day 3/c.csv',
		]);
		const rows = await rowsOf(n8n, await tableNamed(n8n, 'wherobots_files'));
		const runs = sandbox.store.runs.all();
		expect(rows.map((row) => row.run_id).sort()).toEqual(runs.map(({ id }) => id).sort());
	});
});

test('a chain submits job B for each run of job A that completed, once', async () => {
	const { n8n, sandbox, importWorkflow, execute } = stage();
	const { store, clock } = sandbox;
	const createTime = clock.now() - 60_000;
	const plan = { pendingMs: 1_000, runningMs: 2_000 };
	store.createRun({ id: 'run-of-a', name: 'ingest-roads', createTime, plan });
	store.createRun({ name: 'another-job', createTime, plan });
	store.createRun({ name: 'ingest-rails', createTime, plan: { ...plan, outcome: 'FAILED' } });

	await execute(await importWorkflow('examples/chain-runs.json'));
	// n8n that reports it again, after a crash.
	await n8n.run(await importWorkflow('examples/chain-runs.json'));

	expect(stage().submitted()).toMatchObject([
		{ name: 'build-tiles-run-of-a', runPython: { args: ['--after=ingest-roads'] } },
	]);
});

test('the next job runs only when the first one says that it has found rows', async () => {
	const { n8n, sandbox, importWorkflow, execute, submitted } = stage();
	const names = () => submitted().map(({ name }) => name);
	const recipe = 'examples/skip-without-new-rows.json';
	const first = (name: string) => ({ 'Submit first job and wait': { name } });
	sandbox.plans.set(/^ingest-nothing$/, { logs: ['N8N_OUTPUT {"rows": 0}'] });
	sandbox.plans.set(/^ingest-silent$/, { logs: ['0 rows'] });

	await execute(await importWorkflow(recipe, first('ingest-nothing')));
	const { error } = await n8n.run(await importWorkflow(recipe, first('ingest-silent')));
	expect(error?.message).toMatch(
		/^Job run ingest-silent completed, but did not say how many rows /,
	);
	expect(names()).toEqual(['ingest-nothing', 'ingest-silent']);
	await execute(await importWorkflow(recipe));
	expect(names()[3]).toMatch(/^build-tiles-/);

	// Once its program is mended, the first job runs again.
	const again = await importWorkflow(recipe, first('ingest-again'));
	sandbox.plans.set(/^ingest-again$/, { runningMs: 500, outcome: 'FAILED' });
	expect((await n8n.run(again)).status).toBe('error');
	sandbox.plans.clear();
	await execute(again);
	expect(names().slice(4, 6)).toEqual(['ingest-again', 'ingest-again']);
});

test('a cost report adds up the costs of a week, and finds the limit exceeded', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	for (const hours of [5, 10, 20]) {
		sandbox.store.createRun({
			name: `run-of-${hours}-hours`,
			createTime: Date.now() - DAY_MS,
			plan: { pendingMs: 0, runningMs: hours * 3_600_000 },
			payload: { timeoutSeconds: 86_400 },
		});
	}
	sandbox.store.createRun({ name: 'just-created', status: 'PENDING' });

	const mail = await stage().use(startMail());
	const file = 'examples/weekly-cost-report.json';
	const workflow = await importWorkflow(file, {}, [mail.credential]);
	const execution = await execute(workflow);

	expect(execution.json('Report')).toMatchObject([
		{
			total: 155.56,
			runs: 4,
			notFinal: 1,
			withoutCost: 0,
			costliest: expect.arrayContaining(['run-of-20-hours (completed): 88.89 USD']),
		},
	]);
	expect(mail.received.map(({ subject }) => subject)).toEqual([
		expect.stringMatching(/^Job runs from .+ to .+: 155\.56 USD, above the limit of 100 USD$/),
	]);
	expect(mail.received[0].text).toMatch(
		/^From .+ to .+, 4 runs cost 155\.56 USD; the limit is 100 USD\. 1 of these costs may still change\.\n\nrun-of-20-hours \(completed\): 88\.89 USD\n/,
	);

	// The service's metrics have the others.
	sandbox.faults.add({ endpoint: 'getCosts', fault: { kind: 'status', status: 403 } });
	await execute(workflow);
	expect(mail.received[1].text).toMatch(
		/ 3 of these costs may still change\. Not included: 1 without a known cost \(This account is not permitted to do this\)\.\n/,
	);
});

describe('a long run in one workflow', () => {
	const FILE = 'examples/long-run-one-workflow.json';
	const seconds = (amount: number) => ({ amount, unit: 'seconds' });

	test('is looked at until it has ended, by an execution that sleeps in the database', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		sandbox.plans.set(/^long-run-/, { pendingMs: 500, runningMs: 6_000 });
		// The shortest time for which n8n gives up the slot of an execution.
		const sleeper = await n8n.start(await importWorkflow(FILE, { Wait: seconds(65) }));
		await until(async () => (await n8n.execution(sleeper)).status === 'waiting', IN_N8N);
		const awake = await importWorkflow(FILE, { Wait: seconds(2) });

		const ended = await stage().execute(awake);
		expect(ended.json('Completed')).toMatchObject([{ status: 'COMPLETED' }]);
		expect(sandbox.requests.of('getRun').length).toBeGreaterThanOrEqual(3);

		sandbox.plans.set(/^long-run-/, { runningMs: 1_000, outcome: 'FAILED' });
		const failed = await n8n.run(awake);
		expect(failed.error?.message).toMatch(
			/^Job run long-run-\d+: FAILED\nRuntimeError: job execution failed\n[^]*Traceback/,
		);

		expect(String(await n8n.ended(sleeper))).toMatch(/: success$/);
		expect(sandbox.requests.of('createRun')).toHaveLength(3);
	});
});

import { setTimeout as sleep } from 'node:timers/promises';

import fastify from 'fastify';

import { until } from '../support/until';
import { n8nCredential } from './n8n/workflows';
import { startMail } from './servers/mail';
import { EXECUTION_LINK, READABLE_TIME } from './suite/calendar';
import { addRow, rowsOf, tableNamed } from './suite/dataTables';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/stage';

/** A trigger polls once a minute. */
const PATIENT = { timeoutMs: 120_000, everyMs: 250 };

const stage = useStage();

describe('an alert', () => {
	/** Executes a recipe, and returns what it sends by subject. */
	async function sent(recipe: string) {
		const mail = await stage().use(startMail());
		await stage().execute(await stage().importWorkflow(recipe, {}, [mail.credential]));
		const bySubject = new Map(
			mail.received.map(({ subject, text }) => [String(subject), text?.trimEnd()]),
		);
		expect(mail.received).toHaveLength(bySubject.size);
		return Object.fromEntries(bySubject);
	}

	test('on a failed run carries its cause and traceback', async () => {
		const { store, clock } = stage().sandbox;
		const createTime = clock.now() - 60_000;
		const done = { pendingMs: 1_000, runningMs: 2_000 };
		const payload = { runPython: { uri: 's3://my-bucket/jobs/fail.py', args: [] } };
		store.createRun({ name: 'nightly-good', createTime, plan: done });
		store.createRun({ name: 'nightly-bad', createTime, plan: done, payload });
		const plan = { ...done, outcome: 'FAILED_TIMEOUT' as const };
		store.createRun({ name: 'nightly-slow', createTime, plan });
		expect(await sent('examples/alert-on-failed-run.json')).toEqual({
			'Job run nightly-bad failed': expect.stringMatching(
				new RegExp(
					`^ValueError: column "geometry" not found.*\nAt fail.py:31\n\nRun nightly-bad \\(ID \\S+\\) in \\S+ ended on ${READABLE_TIME}\\.\n\nSpark UI: https://\\S+\n${EXECUTION_LINK}\n\n[^]*Traceback[^]*\nValueError: [^\n]*$`,
				),
			),
			'Job run nightly-slow timed out': expect.stringMatching(`ended on ${READABLE_TIME}\\.`),
		});
	});

	test('on chosen actions comes for these alone', async () => {
		const { store } = stage().sandbox;
		const user_name = 'maria@example.com';
		store.recordEvent({ action_name: 'DELETE_TABLE', resource_name: 'db.roads', user_name });
		store.recordEvent({ action_name: 'READ_FILE', resource_name: 'a.csv', user_name });
		store.recordEvent({ action_name: 'CREATE_API_KEY', user_name });
		expect(await sent('examples/alert-on-audit-actions.json')).toEqual({
			'DELETE_TABLE by maria@example.com': expect.stringMatching(
				`^DELETE_TABLE of db.roads by maria@example.com on ${READABLE_TIME}(\n\n|$)`,
			),
			'CREATE_API_KEY by maria@example.com': expect.stringMatching(
				`^CREATE_API_KEY by maria@example.com on ${READABLE_TIME}(\n\n|$)`,
			),
		});
	});

	test('on a run that takes too long says that it is being cancelled', async () => {
		const { store, clock } = stage().sandbox;
		const hoursAgo = (hours: number) => clock.now() - hours * 3_600_000;
		store.createRun({ name: 'nightly-stuck', status: 'RUNNING', createTime: hoursAgo(3) });
		store.createRun({ name: 'nightly-fine', status: 'RUNNING', createTime: hoursAgo(1) });
		expect(await sent('examples/run-exceeds-duration.json')).toEqual({
			'Job run nightly-stuck is being cancelled': expect.stringMatching(
				new RegExp(
					`^Run nightly-stuck \\(ID \\S+\\) in \\S+ has been running for (2 hours, 59 minutes|3 hours(, \\d minutes?)?); the limit is 2 hours\\. It is being cancelled\\.\n\nSpark UI: https://\\S+\n${EXECUTION_LINK}$`,
				),
			),
		});
		const cancelled = store.runs.all().filter((run) => run.cancelRequestedAt);
		expect(cancelled.map(({ payload }) => payload.name)).toEqual(['nightly-stuck']);
	});

	test('on a run that takes too long comes also when it cannot be cancelled', async () => {
		const { sandbox } = stage();
		const createTime = sandbox.clock.now() - 3 * 3_600_000;
		sandbox.store.createRun({ name: 'nightly-stuck', status: 'RUNNING', createTime });
		sandbox.faults.add({ endpoint: 'cancelRun', fault: { kind: 'status', status: 403 } });
		expect(await sent('examples/run-exceeds-duration.json')).toEqual({
			'Job run nightly-stuck could not be cancelled': expect.stringMatching(
				/the limit is 2 hours\. It could not be cancelled: \S/,
			),
		});
	});

	test('on a scheduled task comes when its run failed or was missed, and for no other one', async () => {
		const { store, clock } = stage().sandbox;
		const nightly = { taskName: 'nightly_tiles', runSource: 'schedule' } as const;
		store.tasks.createRun({ ...nightly, state: 'SUCCEEDED' });
		store.tasks.createRun({ ...nightly, state: 'FAILED' });
		store.tasks.createRun({ taskName: 'by_hand', state: 'FAILED' });
		store.tasks.missRun(clock.now(), nightly);
		expect(await sent('examples/scheduled-task-failed.json')).toEqual({
			'Scheduled run of nightly_tiles failed': expect.stringMatching(
				`^The model could not be loaded\\.\n\nTask run \\S+ was submitted on ${READABLE_TIME}\\.\n\n${EXECUTION_LINK}$`,
			),
			'Scheduled run of nightly_tiles was missed': expect.stringMatching(
				`\nTask run \\S+ was recorded on ${READABLE_TIME}\\.\n\n${EXECUTION_LINK}$`,
			),
		});
	});
});

describe('Trigger examples', () => {
	test('one trigger hands each run to the workflow of its team', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		const mail = await stage().use(startMail());
		const team = async (name: string) => {
			const subject = `=${name}: {{ $json.name }} {{ $json.status }}`;
			const changes = { 'Send report': { subject } };
			const file = 'examples/handle-ended-run.json';
			const value = await importWorkflow(file, changes, [mail.credential]);
			await n8n.activate(value);
			return { workflowId: { __rl: true, mode: 'id', value } };
		};
		const dispatcher = await importWorkflow('examples/one-trigger-for-many.json', {
			'Tell Ingest': await team('Ingest'),
			'Tell Tiles': await team('Tiles'),
		});
		const createTime = sandbox.clock.now() - 60_000;
		for (const name of ['ingest-roads', 'ingest-rivers', 'tiles-roads', 'another-one']) {
			sandbox.store.createRun({ name, createTime, status: 'COMPLETED' });
		}

		await execute(dispatcher);

		await until(() => mail.received.length >= 3, PATIENT);
		expect(mail.received.map(({ subject }) => subject).sort()).toEqual([
			'Ingest: ingest-rivers COMPLETED',
			'Ingest: ingest-roads COMPLETED',
			'Tiles: tiles-roads COMPLETED',
		]);
	});

	test('audit events are kept in a data table, each once', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		const ids = [1, 2, 3].map((number) => {
			return sandbox.store.recordEvent({ resource_name: `notebook ${number}` }).event_id;
		});
		const id = await importWorkflow('examples/audit-events-to-data-table.json');

		// The second execution repeats the first, as n8n does after a crash.
		for (let times = 0; times < 2; times += 1) await execute(id);

		const rows = await rowsOf(n8n, await tableNamed(n8n, 'wherobots_audit_events'));
		expect(rows.map((row) => row.event_key).sort()).toEqual(
			ids.map((key) => `audit/${key}`).sort(),
		);
		expect(rows.map((row) => row.resource_name).sort()).toEqual(
			[1, 2, 3].map((n) => `notebook ${n}`),
		);
	});

	test('a sleeper that was stopped holds up nobody, and a refused resume is tried again', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		const refusing = await stage().use(startRefusing(1));
		const sleeper = await importWorkflow('examples/durable-wait-submit.json');
		const asleep = async () => {
			const id = await n8n.start(sleeper);
			await until(async () => (await n8n.execution(id)).status === 'waiting', PATIENT);
			return id;
		};
		const stopped = await asleep();
		await n8n.stop(stopped);
		const table = await tableNamed(n8n, 'wherobots_waiting');
		const [{ id: run_id }] = sandbox.store.runs.all();
		await addRow(n8n, table, { run_id, resume_url: refusing.url });
		const waiting = await asleep();
		// Both runs end.
		await sleep(4_000);

		const waker = await importWorkflow('examples/durable-wait-resume.json');
		await execute(waker);

		expect(String(await n8n.ended(waiting))).toMatch(/: success$/);
		expect((await n8n.execution(stopped)).nodes).not.toContain('Get outcome');
		expect((await rowsOf(n8n, table)).map((row) => row.resume_url)).toEqual([refusing.url]);
		await execute(waker);
		expect(await rowsOf(n8n, table)).toEqual([]);
		expect(refusing.calls()).toBe(2);
	});

	test('sleepers whose runs cannot be read, or that cannot be reached, are heard of at once', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		sandbox.plans.set(/^nightly-etl-/, { pendingMs: 0, runningMs: 0 });
		const sleeper = await n8n.start(await importWorkflow('examples/durable-wait-submit.json'));
		await until(async () => (await n8n.execution(sleeper)).status === 'waiting', PATIENT);
		const table = await tableNamed(n8n, 'wherobots_waiting');
		const [{ id }] = sandbox.store.runs.all();
		// This one keeps nobody else asleep.
		const path = new RegExp(id);
		const fault = { kind: 'status', status: 403 } as const;
		const refusal = sandbox.faults.add({ endpoint: 'getRun', path, fault });
		const other = sandbox.store.createRun({ status: 'COMPLETED' });
		const awake = await stage().use(startRefusing(0));
		await addRow(n8n, table, { run_id: other.id, resume_url: awake.url });
		const waker = await importWorkflow('examples/durable-wait-resume.json');

		const { error } = await n8n.run(waker);

		expect(error?.message).toMatch(/^Check status cannot read 1 of the job runs .*permitted/);
		expect(awake.calls()).toBe(1);
		expect((await rowsOf(n8n, table)).map(({ run_id }) => run_id)).toEqual([id]);
		refusal.remove();
		await execute(waker);
		expect(String(await n8n.ended(sleeper))).toMatch(/: success$/);

		await addRow(n8n, table, { run_id: other.id, resume_url: 'http://127.0.0.1:1/' });
		const unreachable = await n8n.run(waker);
		expect(unreachable.error?.message).toMatch(/^n8n cannot reach 1 of the workflows that wait/);
		expect(await rowsOf(n8n, table)).toHaveLength(1);
	});

	test('runs of executions that failed are cancelled, and no others', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		sandbox.faults.add({ endpoint: 'listRuns', times: 1, fault: { kind: 'status', status: 403 } });
		const lists = await importWorkflow('test/e2e/workflows/list-runs.json');
		const failed = await n8n.run(lists);
		const good = await n8n.run(lists);
		expect([failed.status, good.status]).toEqual(['error', 'success']);
		const plan = { pendingMs: 0, runningMs: 600_000 };
		const submit = (name: string) => sandbox.store.createRun({ name, plan }).id;
		const orphan = submit(`nightly-etl-${failed.id}`);
		for (const suffix of [good.id, '999999', 'by-hand']) submit(`nightly-etl-${suffix}`);
		submit(`another-job-${failed.id}`);
		// The end of a date is the number of an execution, too.
		submit(`nightly-etl-2026-01-${failed.id}`);
		// So may be any other number, of an execution that ended long before.
		const createTime = sandbox.clock.now() + 3_600_000;
		const name = `nightly-etl-tiles-${failed.id}`;
		sandbox.store.createRun({ name, createTime, status: 'RUNNING' });
		const url = `=${sharedUrl()}/api/v1/executions/{{ $json.name.match(/\\d+$/)[0] }}`;
		const importWith = async (apiKey?: string) =>
			await importWorkflow('examples/cancel-orphaned-runs.json', { 'Get execution': { url } }, [
				n8nCredential(sharedUrl(), apiKey),
			]);

		const refused = await n8n.run(await importWith('expired'));
		expect(refused.error?.message).toMatch(/^n8n did not say .* \(HTTP status 401\)/);
		const execution = await execute(await importWith(n8n.session.apiKey));

		expect(
			execution
				.json('Get execution')
				.map(({ statusCode }) => statusCode)
				.sort(),
		).toEqual([200, 200, 200, 404]);
		const cancelled = sandbox.requests.of('cancelRun').map(({ path }) => path);
		expect(cancelled).toEqual([`/runs/${orphan}/cancel`]);
	});
});

/** A web server that refuses so many requests before it accepts one. */
async function startRefusing(refusals: number) {
	let calls = 0;
	const server = fastify();
	server.post('/resume', async (_request, reply) => {
		calls += 1;
		return await reply.code(calls <= refusals ? 503 : 200).send({});
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${url}/resume`, calls: () => calls, stop: async () => await server.close() };
}

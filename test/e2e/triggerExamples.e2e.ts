import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/until';
import { type N8nApi } from './n8n/api';
import { describeWorkflows, useStage } from './suite/workflowCases';

/** A trigger polls once a minute. */
const PATIENT = { timeoutMs: 60_000, everyMs: 100 };

describeWorkflows('Trigger examples', [
	{
		title: 'an alert on a failed run carries its cause and the last log lines',
		workflow: 'examples/alert-on-failed-run.json',
		prepare: ({ store, clock }) => {
			const createTime = clock.now() - 60_000;
			const done = { pendingMs: 1_000, runningMs: 2_000 };
			store.createRun({ name: 'nightly-good', createTime, plan: done });
			store.createRun({
				name: 'nightly-bad',
				createTime,
				plan: done,
				payload: { runPython: { uri: 's3://my-bucket/jobs/fail.py', args: [] } },
			});
			const plan = { ...done, outcome: 'FAILED_TIMEOUT' as const };
			store.createRun({ name: 'nightly-slow', createTime, plan });
		},
		check: (execution) => {
			expect(String(execution)).toMatch(/: success$/);
			const alerts = execution.json('Send it');
			expect(alerts.map(({ subject }) => subject).sort()).toEqual([
				'Job run nightly-bad: FAILED',
				'Job run nightly-slow: TIMED_OUT',
			]);
			const bad = alerts.find(({ subject }) => String(subject).includes('bad'));
			expect(bad?.text).toContain('Job failed: ValueError: column "geometry" not found');
			expect(bad?.text).toMatch(/Traceback[^]*ERROR Driver: exited with code 1$/);
		},
	},
	{
		title: 'an alert on chosen actions comes for these alone',
		workflow: 'examples/alert-on-audit-actions.json',
		prepare: ({ store }) => {
			const user_name = 'maria@example.com';
			store.recordEvent({ action_name: 'DELETE_TABLE', resource_name: 'db.roads', user_name });
			store.recordEvent({ action_name: 'READ_FILE', resource_name: 'a.csv', user_name });
			store.recordEvent({ action_name: 'CREATE_API_KEY', user_name: null });
		},
		check: (execution) => {
			expect(String(execution)).toMatch(/: success$/);
			const alerts = execution.json('Send it');
			expect(alerts.map(({ subject }) => String(subject).replace(/ by .*/, '')).sort()).toEqual([
				'CREATE_API_KEY',
				'DELETE_TABLE',
			]);
			const table = alerts.find(({ subject }) => String(subject).startsWith('DELETE_TABLE'));
			expect(table?.subject).toBe('DELETE_TABLE by maria@example.com');
			expect(table?.text).toContain('DELETE_TABLE on db.roads');
		},
	},
]);

describe('Trigger examples', () => {
	const stage = useStage();

	test('audit events are kept in a data table, each once', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const table = await createTable(n8n, 'wherobots_audit_events', [
			...['event_key', 'event_time', 'action_name', 'user_name'],
			...['source_ip', 'resource_name', 'resource_id'],
		]);
		const ids = [1, 2, 3].map((number) => {
			return sandbox.store.recordEvent({ resource_name: `notebook ${number}` }).event_id;
		});
		const id = await importWorkflow('examples/audit-events-to-data-table.json');

		// The second execution repeats the first, as n8n does after a crash.
		for (let times = 0; times < 2; times += 1) {
			expect(String(await n8n.run(id))).toMatch(/: success$/);
		}

		const rows = await rowsOf(n8n, table);
		expect(rows.map((row) => row.event_key).sort()).toEqual(
			ids.map((key) => `audit/${key}`).sort(),
		);
		expect(rows.map((row) => row.resource_name).sort()).toEqual(
			[1, 2, 3].map((n) => `notebook ${n}`),
		);
	});

	test('a workflow sleeps until its run has ended and is woken up by another one', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const table = await createTable(n8n, 'wherobots_waiting', ['run_id', 'resume_url']);
		const waker = await importWorkflow('examples/durable-wait-resume.json');
		await n8n.activate(waker);
		try {
			await until(() => sandbox.requests.of('listRuns').length >= 2, PATIENT);
			await sleep(1_000);

			const sleeper = await importWorkflow('examples/durable-wait-submit.json');
			const execution = await n8n.start(sleeper);
			await until(async () => (await n8n.execution(execution)).status === 'waiting', PATIENT);
			const [run] = sandbox.store.runs.all();

			const ended = await n8n.ended(execution, 150_000);
			expect(String(ended)).toMatch(/: success$/);
			expect(ended.json('Go on')).toMatchObject([
				{ body: { eventId: `run/${run.id}/COMPLETED`, status: 'COMPLETED', run: { id: run.id } } },
			]);
			await until(async () => (await rowsOf(n8n, table)).length === 0, PATIENT);
		} finally {
			await n8n.deactivate(waker);
		}
	}, 240_000);
});

async function createTable(n8n: N8nApi, name: string, columns: string[]): Promise<string> {
	const { id } = await n8n.request<{ id: string }>('POST', '/api/v1/data-tables', {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	return id;
}

async function rowsOf(n8n: N8nApi, table: string): Promise<Array<Record<string, unknown>>> {
	const url = `/api/v1/data-tables/${table}/rows`;
	return (await n8n.request<{ data: Array<Record<string, unknown>> }>('GET', url)).data;
}

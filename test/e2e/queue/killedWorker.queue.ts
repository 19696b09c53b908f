import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { Cluster } from './cluster';
import { report, type Row, SHORT } from './report';

const WORKFLOW = 'test/e2e/workflows/queue/submit-and-wait.json';
const EXECUTIONS = SHORT ? 40 : 200;

/** n8n notices a worker that is gone within seconds instead of its minute and a half. */
const ATTENTIVE = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};

const rows: Row[] = [];
afterAll(async () => {
	const what = [
		'executions',
		'success',
		'failed or crashed',
		'submissions',
		'runs whose execution failed',
	];
	await report('killedWorker', ['n8n', 'If a Run With This Name Exists', ...what], rows);
});

/** The last n8n 1 hands the jobs of a worker that is gone to another one; n8n 2 gives them up. */
const CASES = (
	[
		{ n8n: 'n8n-1', ifNameExists: 'submit' },
		{ n8n: 'n8n-1', ifNameExists: 'useAny' },
		{ n8n: 'n8n-2', ifNameExists: 'useAny' },
	] as const
).filter(({ n8n, ifNameExists }) => !SHORT || (n8n === 'n8n-1' && ifNameExists === 'useAny'));

test.each(CASES)(
	`${EXECUTIONS} executions that submit and wait, while a worker is killed: $n8n, $ifNameExists`,
	async ({ n8n, ifNameExists }) => {
		const sandbox = await startSandbox({
			rateLimit: { requests: 100, windowMs: 5_000 },
			timings: { pendingMs: 1_000, runningMs: 5_000, logDelayMs: 300 },
		});
		const cluster = await Cluster.start({
			name: `killed-${n8n}-${ifNameExists}`,
			n8n,
			workers: 2,
			env: ATTENTIVE,
		});
		try {
			const workflow = await cluster.importWorkflow(WORKFLOW, sandbox, {
				Submit: { ifNameExists },
			});
			for (let made = 0; made < EXECUTIONS; made += 1) await cluster.call('submit-and-wait');
			await until(() => submissions(sandbox).length >= EXECUTIONS / 2, { timeoutMs: 300_000 });
			await cluster.killWorker(1);
			await cluster.addWorker();
			const ended = await cluster.allEnded(workflow, EXECUTIONS);
			const names = submissions(sandbox);
			const succeeded = new Set(
				ended.filter(({ status }) => status === 'success').map(({ id }) => `nightly-etl-${id}`),
			);
			const good = succeeded.size;
			const orphans = names.filter((name) => !succeeded.has(name));
			rows.push([
				...[n8n, ifNameExists, ended.length, good, ended.length - good],
				...[names.length, orphans.length],
			]);

			// One run for one execution, whatever n8n ran again.
			if (ifNameExists !== 'submit') expect(names.length).toBe(new Set(names).size);
			if (n8n === 'n8n-1') expect(good).toBe(EXECUTIONS);
		} finally {
			await cluster.dispose();
			await sandbox.stop();
		}
	},
);

/** The names of the runs that were submitted. */
function submissions(sandbox: Sandbox): string[] {
	return sandbox.requests
		.of('createRun')
		.filter(({ status }) => status !== undefined && status < 300)
		.map(({ body }) => String((body as { name: string }).name));
}

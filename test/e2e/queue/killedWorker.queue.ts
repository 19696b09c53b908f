import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { Cluster } from './cluster';
import { report, type Row, SHORT } from './report';

const EXECUTIONS = 40;

/** n8n notices a worker that is gone within seconds instead of its minute and a half. */
const ATTENTIVE = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};

interface Work {
	/** What the table calls it. */
	title: string;
	workflow: string;
	parameters: Record<string, Record<string, unknown>>;
	/** What the service was asked to do, each with the ID of the execution in it. */
	sent(sandbox: Sandbox): string[];
}

const submit = (title: string, ifNameExists: string): Work => ({
	title,
	workflow: 'submit-and-wait',
	parameters: { Submit: { ifNameExists } },
	sent: ({ requests }) =>
		requests
			.of('createRun')
			.filter(({ status }) => status !== undefined && status < 300)
			.map(({ body }) => String((body as { name: string }).name)),
});

const ANOTHER = submit('Job Run: Create, Submit Another', 'submit');
const USE_IT = submit('Job Run: Create, Use It Regardless of Outcome', 'useAny');
const STATEMENT: Work = {
	title: 'SQL: Execute Query',
	workflow: 'change-data',
	parameters: {},
	sent: ({ sql }) => sql.taken(/^INSERT/).map(({ text }) => text),
};

interface Case {
	n8n: 'n8n-1' | 'n8n-2';
	/** `QUEUE_WORKER_MAX_STALLED_COUNT`; n8n 1 has 1 by itself, n8n 2 does not look at it. */
	redeliveries: string;
	work: Work;
	/** Whether something may be done twice. */
	twice: boolean;
}

const CASES: Case[] = (
	[
		{ n8n: 'n8n-1', redeliveries: '1', work: ANOTHER, twice: true },
		{ n8n: 'n8n-1', redeliveries: '1', work: USE_IT, twice: false },
		{ n8n: 'n8n-1', redeliveries: '1', work: STATEMENT, twice: true },
		{ n8n: 'n8n-1', redeliveries: '0', work: ANOTHER, twice: false },
		{ n8n: 'n8n-1', redeliveries: '0', work: STATEMENT, twice: false },
		{ n8n: 'n8n-2', redeliveries: '1', work: ANOTHER, twice: false },
	] as const
).filter(({ redeliveries, work }) => !SHORT || (redeliveries === '1' && work === USE_IT));

const rows: Row[] = [];

afterAll(async () => {
	const counts = ['executions', 'succeeded', 'failed or crashed', 'sent', 'sent twice'];
	const head = ['n8n', 'QUEUE_WORKER_MAX_STALLED_COUNT', 'node', ...counts];
	await report('killedWorker', head, rows);
});

test.each(CASES)(
	`${EXECUTIONS} executions while a worker is killed: $n8n, $redeliveries, $work.title`,
	async ({ n8n, redeliveries, work, twice }) => {
		const sandbox = await startSandbox({
			rateLimit: { requests: 100, windowMs: 5_000 },
			timings: { pendingMs: 1_000, runningMs: 5_000, logDelayMs: 300 },
		});
		sandbox.sql.answer(/^INSERT/, { seconds: 6 });
		const cluster = await Cluster.start({
			name: `killed-${n8n}-${redeliveries}-${work.workflow}`,
			n8n,
			// SQL needs a WebSocket, which the Node.js that n8n 1 is tested on does not have.
			node: n8n === 'n8n-1' ? '22.23.3' : undefined,
			workers: 2,
			env: { ...ATTENTIVE, QUEUE_WORKER_MAX_STALLED_COUNT: redeliveries },
		});
		try {
			const file = `test/e2e/workflows/queue/${work.workflow}.json`;
			const workflow = await cluster.importWorkflow(file, sandbox, work.parameters);
			for (let made = 0; made < EXECUTIONS; made += 1) await cluster.call(work.workflow);
			await until(() => work.sent(sandbox).length >= EXECUTIONS / 2, { timeoutMs: 300_000 });
			await cluster.killWorker(1);
			await cluster.addWorker();
			const ended = await cluster.allEnded(workflow, EXECUTIONS);
			const good = ended.filter(({ status }) => status === 'success');
			const bad = ended.length - good.length;
			const sent = work.sent(sandbox);
			const again = sent.length - new Set(sent).size;
			const limit = n8n === 'n8n-1' ? redeliveries : '-';
			rows.push([n8n, limit, work.title, ended.length, good.length, bad, sent.length, again]);

			expect(again > 0).toBe(twice);
			// An execution is run again or given up, and never forgotten.
			expect(bad > 0).toBe(n8n === 'n8n-2' || redeliveries === '0');
			if (n8n === 'n8n-2') await expectRetryDoesNothing(cluster, work, sandbox, ended);
		} finally {
			await cluster.dispose();
			await sandbox.stop();
		}
	},
);

/** What n8n 2 gave up has no data from which Retry could start. */
async function expectRetryDoesNothing(
	cluster: Cluster,
	work: Work,
	sandbox: Sandbox,
	ended: Array<{ id: string; status: string }>,
): Promise<void> {
	const before = work.sent(sandbox).length;
	const given = ended.find(({ status }) => status !== 'success');
	const again = await cluster.api.retry(String(given?.id)).then(
		async (id) => await cluster.api.ended(id),
		(error: Error) => error,
	);
	process.stderr.write(`Retry: ${String(again)}\n`);
	expect(work.sent(sandbox)).toHaveLength(before);
}

import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster, NOTICED } from './cluster';
import { report, type Row, SHORT } from './report';

const EXECUTIONS = 40;

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
const USE_IT = submit('Job Run: Create, Use It If Recent', 'useAny');
const STABLE: Work = {
	...submit('Job Run: Create, Use It If Recent, named after its work', 'useAny'),
	parameters: { Submit: { ifNameExists: 'useAny', name: '=nightly-etl-{{ $json.body.day }}' } },
};
const STATEMENT: Work = {
	title: 'SQL: Execute Query',
	workflow: 'change-data',
	parameters: {},
	sent: ({ sql }) => sql.taken(/^INSERT/).map(({ text }) => text),
};

/** n8n's database remembers the key for all workers. */
const KEYED: Work = {
	...STATEMENT,
	title: 'SQL: Execute Query, Deduplication Key',
	parameters: { Change: { options: { deduplicationKey: '={{ $json.body.day }}' } } },
};

interface Case {
	n8n: 'n8n-1' | 'n8n-2';
	/** `QUEUE_WORKER_MAX_STALLED_COUNT`; n8n 1 has 1 by itself, n8n 2 does not look at it. */
	redeliveries: string;
	work: Work;
	/** Whether something may be done twice. */
	twice: boolean;
	/** It comes back with its data folder, before n8n notices; or another one takes its place, after that. */
	worker: 'returns' | 'is replaced';
	/** How often Retry of an execution that n8n 2 gave up does the work once more. */
	byRetry?: number;
}

const [replaced, returns] = ['is replaced', 'returns'] as const;
const ON_N8N_1 = { n8n: 'n8n-1', worker: replaced } as const;
const ON_N8N_2 = { n8n: 'n8n-2', redeliveries: '1', twice: false } as const;

const CASES: Case[] = (
	[
		{ ...ON_N8N_1, redeliveries: '1', work: ANOTHER, twice: true },
		{ ...ON_N8N_1, redeliveries: '1', work: USE_IT, twice: false },
		{ ...ON_N8N_1, redeliveries: '1', work: STATEMENT, twice: true },
		{ ...ON_N8N_1, redeliveries: '1', work: KEYED, twice: false },
		{ ...ON_N8N_1, redeliveries: '0', work: ANOTHER, twice: false },
		{ ...ON_N8N_1, redeliveries: '0', work: STATEMENT, twice: false },
		{ ...ON_N8N_2, work: ANOTHER, worker: replaced, byRetry: 0 },
		{ ...ON_N8N_2, work: ANOTHER, worker: returns, byRetry: 1 },
		{ ...ON_N8N_2, work: STABLE, worker: returns, byRetry: 0 },
		{ ...ON_N8N_2, work: STATEMENT, worker: returns, byRetry: 1 },
	] as Case[]
).filter((each) => !SHORT || each.work === (each.n8n === 'n8n-1' ? USE_IT : STABLE));

const use = useServers();
const rows: Row[] = [];

afterAll(async () => {
	const counts = ['executions', 'succeeded', 'failed or crashed', 'sent', 'sent twice'];
	const settings = ['n8n', 'QUEUE_WORKER_MAX_STALLED_COUNT', 'the worker', 'node'];
	const head = [...settings, ...counts, 'sent by Retry'];
	await report('killedWorker', head, rows);
});

test.each(CASES)(
	`${EXECUTIONS} executions while a worker is killed: $n8n, $redeliveries, $work.title, $worker`,
	async ({ n8n, redeliveries, work, twice, worker, byRetry }) => {
		const sandbox = await use(
			startSandbox({
				rateLimit: { requests: 100, windowMs: 5_000 },
				timings: { pendingMs: 1_000, runningMs: 5_000, logDelayMs: 300 },
			}),
		);
		sandbox.sql.answer(/^INSERT/, { seconds: 6 });
		const cluster = await use(
			Cluster.start({
				name: `killed-${n8n}-${redeliveries}-${work.workflow}-${worker.replace(/\W/g, '-')}`,
				n8n,
				workers: 2,
				env: {
					...(worker === 'returns' ? NOTICED.inMinutes : NOTICED.inSeconds),
					QUEUE_WORKER_MAX_STALLED_COUNT: redeliveries,
				},
			}),
		);
		const file = `test/e2e/workflows/queue/${work.workflow}.json`;
		const workflow = await cluster.importWorkflow(file, sandbox, work.parameters);
		for (let day = 0; day < EXECUTIONS; day += 1) await cluster.call(work.workflow, { day });
		await until(() => work.sent(sandbox).length >= EXECUTIONS / 2, { timeoutMs: 300_000 });
		await cluster.workers[1].kill();
		if (worker === 'returns') await cluster.workers[1].start();
		else await cluster.addWorker();
		const ended = await cluster.allEnded(workflow, EXECUTIONS);
		const good = ended.filter(({ status }) => status === 'success');
		const bad = ended.length - good.length;
		const sent = work.sent(sandbox);
		const again = sent.length - new Set(sent).size;
		const limit = n8n === 'n8n-1' ? redeliveries : '-';
		const retried = byRetry === undefined ? '-' : await sentByRetry(cluster, work, sandbox, ended);
		rows.push([
			...[n8n, limit, worker, work.title],
			...[ended.length, good.length, bad, sent.length, again, retried],
		]);

		expect(again > 0).toBe(twice);
		// An execution is run again or given up, and never forgotten.
		expect(bad > 0).toBe(n8n === 'n8n-2' || redeliveries === '0' || work === KEYED);
		const crashed = ended.filter(({ status }) => status === 'crashed').length;
		if (worker === 'returns') expect(crashed).toBe(bad);
		if (byRetry !== undefined) expect(retried).toBe(byRetry);
	},
);

/**
 * How much is sent when somebody retries an execution that n8n 2 has given up: nothing where it has no
 * data from which Retry could start.
 */
async function sentByRetry(
	cluster: Cluster,
	work: Work,
	sandbox: Sandbox,
	ended: Array<{ id: string; status: string }>,
): Promise<number> {
	const before = work.sent(sandbox).length;
	const given = ended.find(({ status }) => status !== 'success');
	const again = await cluster.api.retry(String(given?.id)).then(
		async (id) => await cluster.api.ended(id),
		(error: Error) => error,
	);
	process.stderr.write(`Retry of an execution that ${given?.status}: ${String(again)}\n`);
	return work.sent(sandbox).length - before;
}

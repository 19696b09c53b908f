import { startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster, NOTICED } from './cluster';
import { report, type Row } from './report';

const BATCHES = [0, 1, 2, 3];
const ROWS_OF_BATCH = 500;
/** The batch in whose statement the worker is killed. */
const KILLED_IN = 2;

interface Case {
	n8n: 'n8n-1' | 'n8n-2';
	/** It comes back with its data folder, before n8n notices; or another one takes its place. */
	worker: 'returns' | 'is replaced';
	/** What n8n says of the execution. */
	status: string;
	/** How often each batch is in the table once nothing goes on. */
	inTable: number[];
	/** The same after Retry, where it executes anything. */
	afterRetry?: number[];
}

const CASES: Case[] = [
	{
		n8n: 'n8n-2',
		worker: 'returns',
		status: 'crashed',
		inTable: [1, 1, 1, 0],
		afterRetry: [2, 2, 2, 1],
	},
	{ n8n: 'n8n-2', worker: 'is replaced', status: 'error', inTable: [1, 1, 1, 0] },
	{ n8n: 'n8n-1', worker: 'is replaced', status: 'success', inTable: [2, 2, 2, 1] },
];

const use = useServers();
const rows: Row[] = [];

afterAll(async () => {
	const head = ['n8n', 'the worker', 'execution', 'each batch is in the table', 'after Retry'];
	await report('insertRows', head, rows);
});

test.each(CASES)(
	'batches that an execution inserted before its worker was killed stay in the table: $n8n, $worker',
	async ({ n8n, worker, status, inTable, afterRetry }) => {
		const sandbox = await use(startSandbox({ timings: { sqlStartMs: 0 } }));
		const { catalogs } = sandbox.store;
		const catalog = catalogs.create({ id: 'cat-org', name: 'org_catalog' });
		catalogs.addTable(catalog, 'surveys', { name: 'places' });
		const inserted: number[] = [];
		sandbox.sql.answer(/^INSERT/, (statement) => ({
			seconds: 2,
			changes: () => {
				for (const [, id] of statement.matchAll(/\('(\d+)'/g)) inserted.push(Number(id));
			},
		}));
		const statements = () => sandbox.sql.taken(/^INSERT/);
		const timesInTable = () =>
			BATCHES.map(
				(batch) =>
					inserted.filter((id) => Math.floor(id / ROWS_OF_BATCH) === batch).length / ROWS_OF_BATCH,
			);
		const cluster = await use(
			Cluster.start({
				name: `insert-rows-${n8n}-${worker.replace(/\W/g, '-')}`,
				n8n,
				// SQL needs a WebSocket, which the Node.js that n8n 1 is tested on does not have.
				node: n8n === 'n8n-1' ? '22.23.3' : undefined,
				workers: 1,
				env: worker === 'returns' ? NOTICED.inMinutes : NOTICED.inSeconds,
			}),
		);
		const file = 'test/e2e/workflows/queue/insert-rows.json';
		const workflow = await cluster.importWorkflow(file, sandbox);
		const ids = Array.from({ length: BATCHES.length * ROWS_OF_BATCH }, (_, id) => id);
		await cluster.call('insert-rows', { ids });
		await until(() => statements().length > KILLED_IN, { timeoutMs: 120_000 });
		expect(timesInTable()).toEqual([1, 1, 0, 0]);
		await cluster.workers[0].kill();
		if (worker === 'returns') await cluster.workers[0].start();
		else await cluster.addWorker();
		const [{ id, ...ended }] = await cluster.allEnded(workflow, 1);
		// The service does not notice: the statement goes on.
		await until(() => statements().every(({ state }) => state === 'succeeded'));
		const before = timesInTable();

		const retried =
			ended.status === 'success' ? undefined : await cluster.api.ended(await cluster.api.retry(id));
		const after = timesInTable();
		const shown = (times: number[]) => `${times.join(', ')} times`;
		const again = retried ? `${shown(after)} (${retried.status})` : '-';
		rows.push([n8n, worker, ended.status, shown(before), again]);

		expect(ended.status).toBe(status);
		expect(before).toEqual(inTable);
		expect(after).toEqual(afterRetry ?? inTable);
		expect(sandbox.sql.violations).toEqual([]);
	},
);

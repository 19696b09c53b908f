import { startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster, NOTICED } from './cluster';
import { report, type Row } from './report';

const ROWS = 2_000;

interface Case {
	operation: 'insertRows' | 'upsertRows';
	n8n: 'n8n-1' | 'n8n-2';
	/** It comes back with its data folder, before n8n notices; or another one takes its place. */
	worker: 'returns' | 'is replaced';
	/** What n8n says of the execution. */
	status: string;
	/** How often the rows are in the table once nothing goes on. */
	inTable: number;
	/** The same after Retry, where it executes anything. */
	afterRetry?: number;
}

const CASES: Case[] = (['insertRows', 'upsertRows'] as const).flatMap((operation) => {
	const twice = operation === 'insertRows' ? 2 : 1;
	return [
		{
			...({ operation, n8n: 'n8n-2', worker: 'returns', status: 'crashed' } as const),
			...{ inTable: 1, afterRetry: twice },
		},
		{ operation, n8n: 'n8n-2', worker: 'is replaced', status: 'error', inTable: 1 },
		{ operation, n8n: 'n8n-1', worker: 'is replaced', status: 'success', inTable: twice },
	];
});

const use = useServers();
const rows: Row[] = [];

afterAll(async () => {
	const head = [
		'operation',
		'n8n',
		'the worker',
		'execution',
		'the rows are in the table',
		'after Retry',
	];
	await report('insertRows', head, rows);
});

test.each(CASES)(
	'rows of an execution whose worker is killed are all in the table: $operation, $n8n, $worker',
	async ({ operation, n8n, worker, status, inTable, afterRetry }) => {
		const sandbox = await use(startSandbox({ timings: { sqlStartMs: 0 } }));
		const { catalogs } = sandbox.store;
		const catalog = catalogs.create({ id: 'cat-org', name: 'org_catalog' });
		catalogs.addTable(catalog, 'surveys', { name: 'places' });
		const inTheTable = new Map<string, number>();
		sandbox.sql.answer(/^(INSERT|MERGE)/, (statement) => ({
			seconds: 2,
			changes: () => {
				for (const [, id] of statement.matchAll(/\('(\d+)'/g)) {
					const before = operation === 'insertRows' ? (inTheTable.get(id) ?? 0) : 0;
					inTheTable.set(id, before + 1);
				}
			},
		}));
		const statements = () => sandbox.sql.taken(/^(INSERT|MERGE)/);
		/** How often each row is there, all of them alike. */
		const timesInTable = () => {
			const times = new Set(inTheTable.values());
			expect([times.size, inTheTable.size]).toEqual([1, ROWS]);
			return [...times][0];
		};
		const path = operation === 'insertRows' ? 'insert-rows' : 'upsert-rows';
		const cluster = await use(
			Cluster.start({
				name: `${path}-${n8n}-${worker.replace(/\W/g, '-')}`,
				n8n,
				// SQL needs a WebSocket, which the Node.js that n8n 1 is tested on does not have.
				node: n8n === 'n8n-1' ? '22.23.3' : undefined,
				workers: 1,
				env: worker === 'returns' ? NOTICED.inMinutes : NOTICED.inSeconds,
			}),
		);
		const file = `test/e2e/workflows/queue/${path}.json`;
		const workflow = await cluster.importWorkflow(file, sandbox);
		const ids = Array.from({ length: ROWS }, (_, id) => id);
		await cluster.call(path, { ids });
		await until(() => statements().length > 0, { timeoutMs: 120_000 });
		expect(inTheTable.size).toBe(0);
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
		const shown = (times: number) => `${times} ×`;
		const again = retried ? `${shown(after)} (${retried.status})` : '-';
		rows.push([operation, n8n, worker, ended.status, shown(before), again]);

		expect(ended.status).toBe(status);
		expect(before).toBe(inTable);
		expect(after).toBe(afterRetry ?? inTable);
		expect(sandbox.sql.violations).toEqual([]);
	},
);

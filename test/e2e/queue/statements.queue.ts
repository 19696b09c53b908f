import { type Sandbox, startSandbox } from '../../sandbox';
import { by } from '../../support/files';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster, type ClusterOptions, NOTICED } from './cluster';
import { report, type Row } from './report';

const ROWS = 2_000;
const IDS = Array.from({ length: ROWS }, (_, id) => id);
/** Long enough for something to happen meanwhile. */
const SECONDS = 5;
const CHANGE = /^(INSERT|MERGE)/;

interface Operation {
	name: string;
	parameters: Record<string, unknown>;
	/** The IDs of the items that it gets. */
	ids: number[];
	/** Makes statements that end change something, and returns how often what they write is there. */
	takeChanges(sandbox: Sandbox): () => number;
}

const TABLE = {
	resource: 'table',
	catalogId: by('id', 'cat-org'),
	namespace: by('name', 'surveys'),
	table: by('name', 'places'),
};

/** Items with their IDs: added each time, or once for each ID. */
const takeRows = (isAdded: boolean) => (sandbox: Sandbox) => {
	const inTable = new Map<string, number>();
	sandbox.sql.answer(CHANGE, (statement) => ({
		seconds: SECONDS,
		changes: () => {
			for (const [, id] of statement.matchAll(/\('(\d+)'/g)) {
				inTable.set(id, isAdded ? (inTable.get(id) ?? 0) + 1 : 1);
			}
		},
	}));
	return () => {
		const times = new Set(IDS.map((id) => inTable.get(String(id)) ?? 0));
		expect([times.size, IDS.length >= inTable.size]).toEqual([1, true]);
		return [...times][0];
	};
};

const INSERT_ROWS: Operation = {
	name: 'Insert Rows',
	parameters: {
		...{ ...TABLE, operation: 'insertRows' },
		row: { mappingMode: 'autoMapInputData', value: null },
	},
	ids: IDS,
	takeChanges: takeRows(true),
};

const OPERATIONS: Operation[] = [
	INSERT_ROWS,
	{
		...INSERT_ROWS,
		name: 'Insert Rows, Deduplication Key',
		parameters: { ...INSERT_ROWS.parameters, options: { deduplicationKey: 'monday' } },
	},
	{
		name: 'Insert or Update Rows',
		parameters: {
			...{ ...TABLE, operation: 'upsertRows' },
			// With a value to update: with keys alone, it would only insert, which is not sent again.
			row: {
				...{ mappingMode: 'defineBelow', matchingColumns: ['id'] },
				value: { id: '={{ $json.id }}', name: 'a' },
			},
		},
		ids: IDS,
		takeChanges: takeRows(false),
	},
	{
		name: 'Load File',
		parameters: {
			...{ ...TABLE, operation: 'loadFile', storageId: by('id', 'stor-acme') },
			files: by('path', 'in/places.csv'),
		},
		ids: [1],
		takeChanges(sandbox) {
			let loads = 0;
			const rows = [{ col_name: 'id', data_type: 'string' }];
			sandbox.sql.answer(/^(CREATE OR REPLACE TEMPORARY|DROP) VIEW/, {});
			sandbox.sql.answer(/^DESCRIBE /, { rows });
			sandbox.sql.answer(CHANGE, { seconds: SECONDS, changes: () => (loads += 1) });
			return () => loads;
		},
	},
	{
		name: 'Files in Storage',
		parameters: {
			...{ resource: 'sql', operation: 'executeQuery', query: 'SELECT 1 AS id' },
			...{ output: 'storage', storedFormat: 'parquet', storageId: by('id', 'stor-acme') },
			targetFolder: by('path', 'exports/a'),
		},
		ids: [1],
		takeChanges({ sql, store }) {
			let files = 0;
			const changes = () => {
				store.storages.put('stor-acme', `exports/a/part-${(files += 1)}.parquet`, 'PAR1');
			};
			sql.answer('SELECT 1 AS id', { rows: [{ id: 1 }] });
			sql.answer(CHANGE, { seconds: SECONDS, changes });
			return () => files;
		},
	},
];

const [INSERT, KEYED, UPSERT, LOAD, STORE] = OPERATIONS.map(({ name }) => name);

interface Happening {
	what: string;
	n8n: 'n8n-1' | 'n8n-2';
	/** What makes it happen before the statement, and while it is executed. */
	before?(sandbox: Sandbox): void;
	during?(cluster: Cluster, executionId: string): Promise<void>;
	env?: ClusterOptions['env'];
	/** What n8n says of the execution; by operation where that differs. */
	status: string | Record<string, string>;
	/** How often what the operation writes is there once nothing goes on. */
	times: number | Record<string, number>;
	/** The same after Retry, where it executes anything. */
	afterRetry?: number | Record<string, number>;
}

/** n8n's own, in minutes: what it recovers counts as crashed, whoever takes the worker's place. */
const LATE_RECOVERY = { ...NOTICED.inSeconds, N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '180' };

const killAndReplace = async (cluster: Cluster) => {
	await cluster.workers.at(-1)?.kill();
	await cluster.addWorker();
};

const HAPPENINGS: Happening[] = [
	{
		what: 'its worker is killed, and returns',
		n8n: 'n8n-2',
		env: NOTICED.inMinutes,
		async during({ workers }) {
			await workers[0].kill();
			await workers[0].start();
		},
		status: 'crashed',
		times: 1,
		// Files are not written to a folder that has some.
		afterRetry: { [INSERT]: 2, [KEYED]: 1, [UPSERT]: 1, [LOAD]: 2, [STORE]: 1 },
	},
	{
		what: 'its worker is killed, and another one takes its place',
		n8n: 'n8n-2',
		env: LATE_RECOVERY,
		during: killAndReplace,
		status: 'error',
		times: 1,
	},
	{
		what: 'its worker is killed, and another one takes its place',
		n8n: 'n8n-1',
		env: LATE_RECOVERY,
		during: killAndReplace,
		// Executed again, it finds a folder with files.
		status: {
			...{ [INSERT]: 'success', [KEYED]: 'error' },
			...{ [UPSERT]: 'success', [LOAD]: 'success', [STORE]: 'error' },
		},
		times: { [INSERT]: 2, [KEYED]: 1, [UPSERT]: 1, [LOAD]: 2, [STORE]: 1 },
	},
	{
		what: 'its connection breaks off',
		n8n: 'n8n-2',
		env: NOTICED.inMinutes,
		before({ sql }) {
			const fault = { kind: 'cut', taken: true } as const;
			sql.addFault({ at: 'statement', statement: CHANGE, times: 1, fault });
		},
		status: 'success',
		times: 1,
	},
	{
		what: 'its session ends',
		n8n: 'n8n-2',
		env: NOTICED.inMinutes,
		before({ sql }) {
			sql.addFault({ at: 'statement', statement: CHANGE, times: 1, fault: { kind: 'die' } });
		},
		status: {
			...{ [INSERT]: 'error', [KEYED]: 'error' },
			...{ [UPSERT]: 'success', [LOAD]: 'error', [STORE]: 'error' },
		},
		times: { [INSERT]: 0, [KEYED]: 0, [UPSERT]: 1, [LOAD]: 0, [STORE]: 0 },
		// With a key, what is not certain is not sent again.
		afterRetry: { [INSERT]: 1, [KEYED]: 0, [UPSERT]: 1, [LOAD]: 1, [STORE]: 1 },
	},
	{
		what: 'it is stopped',
		n8n: 'n8n-2',
		env: NOTICED.inMinutes,
		async during({ api }, executionId) {
			await api.stop(executionId);
		},
		status: 'canceled',
		times: 0,
		afterRetry: { [INSERT]: 1, [KEYED]: 0, [UPSERT]: 1, [LOAD]: 1, [STORE]: 1 },
	},
];

const of = <T>(expected: T | Record<string, T>, { name }: Operation): T =>
	expected !== null && typeof expected === 'object'
		? (expected as Record<string, T>)[name]
		: (expected as T);

const rows: Row[] = [];
let hooks = 0;

afterAll(async () => {
	const head = ['while it is executed', 'n8n', 'operation', 'execution', 'written', 'after Retry'];
	await report('statements', head, rows);
});

describe.each([
	['n8n-2', NOTICED.inMinutes],
	['n8n-2', LATE_RECOVERY],
	['n8n-1', LATE_RECOVERY],
] as const)('a statement that changes something, in %s', (n8n, env) => {
	const [use, useForAll] = [useServers(), useServers(afterAll)];
	let cluster: Cluster;

	beforeAll(async () => {
		cluster = await useForAll(
			Cluster.start({
				name: `statements-${n8n}-${env === NOTICED.inMinutes ? 'returns' : 'replaced'}`,
				n8n,
				workers: 1,
				env,
			}),
		);
	});

	const cases = HAPPENINGS.filter((each) => each.n8n === n8n && each.env === env).flatMap(
		(happening) =>
			OPERATIONS.map((operation) => ({
				...{ happening, operation, what: happening.what, name: operation.name },
			})),
	);

	test.each(cases)('is done as the documentation says when $what: $name', async (given) => {
		const { happening, operation } = given;
		const sandbox = await use(startSandbox({ seed: 'demo', timings: { sqlStartMs: 0 } }));
		const { catalogs } = sandbox.store;
		const fields = ['id', 'name'].map((name) => ({
			name,
			type: name === 'id' ? 'long' : 'string',
		}));
		catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'places', fields });
		const timesWritten = operation.takeChanges(sandbox);
		happening.before?.(sandbox);
		const statements = () => sandbox.sql.taken(CHANGE);
		const hook = `statement-${(hooks += 1)}`;
		const workflow = await cluster.importWorkflow(
			'test/e2e/workflows/queue/statement.json',
			sandbox,
			{ Change: operation.parameters },
			{},
			hook,
		);
		await cluster.call(hook, { ids: operation.ids });
		await until(() => statements().length > 0, { timeoutMs: 120_000 });
		expect(timesWritten()).toBe(0);
		const [{ id }] = await cluster.executions(workflow);
		await happening.during?.(cluster, id);
		const [{ status }] = await cluster.allEnded(workflow, 1);
		// The service does not notice a dead worker: the statement goes on.
		const haveEnded = () => statements().every(({ state }) => !/pending|running/.test(state));
		await until(haveEnded, { timeoutMs: 30_000 });
		const times = timesWritten();

		const retried =
			status === 'success' ? undefined : await cluster.api.ended(await cluster.api.retry(id));
		const after = timesWritten();
		const shown = (count: number) => `${count} ×`;
		const again = retried ? `${shown(after)} (${retried.status})` : '-';
		rows.push([happening.what, n8n, operation.name, status, shown(times), again]);

		expect(status).toBe(of(happening.status, operation));
		expect(times).toBe(of(happening.times, operation));
		expect(after).toBe(of(happening.afterRetry ?? times, operation));
		expect(sandbox.sql.violations).toEqual([]);
	});
});

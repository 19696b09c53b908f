import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { addRow, rowsOf, tableNamed } from '../suite/dataTables';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';

const TABLE = 'wherobots_waiting';
const PATIENT = { timeoutMs: 120_000, everyMs: 500 };

const use = useServers(afterAll);
let sandbox: Sandbox;
let cluster: Cluster;

beforeAll(async () => {
	sandbox = await use(startSandbox({ timings: { pendingMs: 0, runningMs: 0 } }));
	cluster = await use(Cluster.start({ name: 'durable-wait', workers: 2 }));
});

/** Starts part 1 so many times at once. @returns the executions, once none of them is running */
async function fallAsleep(times: number) {
	const hook = `sleep-${times}`;
	const workflow = await cluster.importWorkflow(
		'examples/durable-wait-submit.json',
		sandbox,
		{ Submit: { name: '=long-run-{{ $execution.id }}' } },
		{},
		hook,
	);
	await Promise.all(Array.from({ length: times }, async () => await cluster.call(hook)));
	const executions = async () => await cluster.executions(workflow);
	await until(async () => {
		const all = await executions();
		return all.length === times && all.every(({ status }) => !/new|running/.test(status));
	}, PATIENT);
	return await executions();
}

const theTable = async () => await tableNamed(cluster.api, TABLE);

test('the first uses of the durable wait succeed, also ten at once', async () => {
	const executions = await fallAsleep(10);

	expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'waiting'));
	expect(await rowsOf(cluster.api, await theTable())).toHaveLength(10);
});

test('rows of sleepers that cannot be woken up go after two days, and hold up nobody', async () => {
	const [sleeper, crashedLongAgo, crashed, forgotten] = await fallAsleep(4);
	const table = await theTable();
	const runOf = ({ id }: { id: string }) =>
		sandbox.store.runs.all().find(({ payload }) => payload.name === `long-run-${id}`)?.id ?? '';
	const { query } = cluster.postgres;
	// As n8n leaves the executions of a worker that died.
	await query(
		`UPDATE execution_entity SET status = 'crashed' WHERE id IN (${crashedLongAgo.id}, ${crashed.id})`,
	);
	await query(`DELETE FROM execution_entity WHERE id = ${forgotten.id}`);
	// Not n8n's own 404.
	const resume_url = `${cluster.url}/nothing/here`;
	await addRow(cluster.api, table, { run_id: runOf(sleeper), resume_url });
	await addRow(cluster.api, table, { run_id: 'gone', resume_url });
	await query(
		`UPDATE "data_table_user_${table}" SET "createdAt" = now() - interval '49 hours'
		 WHERE run_id IN ('gone', '${runOf(crashedLongAgo)}')`,
	);
	const waker = await cluster.importWorkflow('examples/durable-wait-resume.json', sandbox);

	const execution = await cluster.api.run(waker);

	expect(execution.error?.message).toMatch(/^Check status cannot read 1 of the job runs /);
	const answers = execution.json('Wake up workflow').map(({ statusCode }) => statusCode);
	expect([...new Set(answers)].sort()).toEqual([200, 404, 500]);
	expect(String(await cluster.api.ended(sleeper.id))).toMatch(/: success$/);
	const left = (await rowsOf(cluster.api, table)).map((row) => row.run_id);
	expect(left.sort()).toEqual([runOf(crashed), runOf(sleeper)].sort());
});

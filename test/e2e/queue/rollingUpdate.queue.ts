import { startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report, type Row, SHORT } from './report';

const FILE = 'test/e2e/workflows/queue/submit-and-wait.json';
const HOOK = 'submit-and-wait';
const WORKERS = SHORT ? 1 : 3;
/** As many as the workers take at once. */
const WAITS = 10 * WORKERS;
const RUN_MS = SHORT ? 20_000 : 60_000;

/** In seconds: less and more than what a wait still takes when its worker is told to end. */
const GRACE = SHORT ? { little: 3, enough: 90 } : { little: 30, enough: 120 };
const setting = (seconds: number) => ({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(seconds) });

const use = useServers();

test('waits survive a rolling update if workers get enough time to end; without it, no run is lost', async () => {
	const timings = { pendingMs: 1_000, runningMs: RUN_MS };
	const sandbox = await use(startSandbox({ timings }));
	const env = setting(GRACE.little);
	const cluster = await use(Cluster.start({ name: 'rolling-update', workers: WORKERS, env }));
	const rows: Row[] = [];

	/** What becomes of waits while workers with another setting take the place of the present ones. */
	async function update(seconds: number) {
		const before = sandbox.requests.of('createRun').length;
		const workflow = await cluster.importWorkflow(FILE, sandbox);
		await Promise.all(Array.from({ length: WAITS }, async () => await cluster.call(HOOK)));
		const submitted = () => sandbox.requests.of('createRun').length - before;
		await until(() => submitted() === WAITS, { timeoutMs: 120_000 });
		await cluster.replaceWorkers(setting(GRACE.enough));
		// Nothing goes on any more; n8n notices within minutes, for which the short form does not wait.
		const ended = SHORT
			? await cluster.executions(workflow)
			: await cluster.allEnded(workflow, WAITS);
		await cluster.api.deactivate(workflow);
		const dead = ended.filter(({ status }) => status !== 'success');
		const names = dead.map(({ id }) => `nightly-etl-${id}`);
		const found = sandbox.store.runs.all().filter(({ payload }) => names.includes(payload.name));
		const survived = WAITS - dead.length;
		rows.push([seconds, WAITS, survived, dead.length, found.length]);
		return { survived, lost: dead.length - found.length, submitted: submitted() };
	}

	const { survived, ...rest } = await update(GRACE.little);
	expect(survived).toBeLessThan(WAITS);
	const noneLost = { lost: 0, submitted: WAITS };
	expect(rest).toEqual(noneLost);
	expect(await update(GRACE.enough)).toEqual({ survived: WAITS, ...noneLost });
	expect(sandbox.requests.of('cancelRun')).toEqual([]);
	await report(
		'rollingUpdate',
		[
			'N8N_GRACEFUL_SHUTDOWN_TIMEOUT',
			'waits',
			'survived',
			'failed or crashed',
			'their runs, by name',
		],
		rows,
	);
}, 900_000);

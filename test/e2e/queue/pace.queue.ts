import { type Sandbox, startSandbox } from '../../sandbox';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report, type Row, SHORT } from './report';

const READS = 'test/e2e/workflows/queue/read-runs.json';
const RATE_LIMIT = { requests: 100, windowMs: 5_000 };

interface Load {
	workers: number;
	executions: number;
	reads: number;
}

const LOADS: Load[] = SHORT
	? [{ workers: 2, executions: 4, reads: 75 }]
	: [
			{ workers: 1, executions: 4, reads: 300 },
			{ workers: 2, executions: 4, reads: 300 },
			{ workers: 3, executions: 6, reads: 300 },
			{ workers: 4, executions: 8, reads: 300 },
		];

const [use, useForAll] = [useServers(), useServers(afterAll)];
let cluster: Cluster;
const rows: Row[] = [];

beforeAll(async () => {
	// One execution a worker at a time would hide what they do to each other.
	cluster = await useForAll(Cluster.start({ name: 'pace', workers: LOADS[0].workers }));
});

afterAll(async () => {
	await report(
		'pace',
		['workers', 'executions × reads', 'failed executions', '429s', 'seconds', 'least seconds'],
		rows,
	);
});

test.each(LOADS)(
	'$workers workers: $executions executions read $reads runs each, and none fails',
	async ({ workers, executions, reads }) => {
		while (cluster.workers.length < workers) await cluster.addWorker();
		const sandbox = await use(startSandbox({ rateLimit: RATE_LIMIT }));
		const workflow = await cluster.importWorkflow(READS, sandbox);
		const ids = Array.from({ length: reads }, (_, index) => {
			return sandbox.store.createRun({ name: `read-${index}`, status: 'COMPLETED' }).id;
		});
		for (let made = 0; made < executions; made += 1) await cluster.call('read-runs', { ids });
		const ended = await cluster.allEnded(workflow, executions);
		const failed = ended.filter(({ status }) => status !== 'success');
		const { refused, seconds } = measured(sandbox);
		const { requests, windowMs } = RATE_LIMIT;
		const least = (Math.ceil((executions * reads) / requests) - 1) * (windowMs / 1_000);
		const load = `${executions} × ${reads}`;
		rows.push([workers, load, failed.length, refused, seconds.toFixed(1), least]);
		await cluster.api.deactivate(workflow);

		expect(failed).toEqual([]);
		// The short form runs on busy machines, too.
		if (!SHORT) expect(seconds / least).toBeLessThan(1.3);
	},
);

/** From the first request to the last response. */
function measured(sandbox: Sandbox): { refused: number; seconds: number } {
	const requests = sandbox.requests.of('getRun');
	const times = requests.map(({ receivedAt }) => receivedAt);
	return {
		refused: requests.filter(({ status }) => status === 429).length,
		seconds: (Math.max(...times) - Math.min(...times)) / 1_000,
	};
}

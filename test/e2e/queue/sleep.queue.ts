import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report, type Row } from './report';

const SLEEPERS = 6;
const HOOK = 'sleep';
const PATIENT = { timeoutMs: 400_000, everyMs: 1_000 };
/** n8n's main process looks for sleepers to wake once a minute, and the trigger polls as often. */
const AWAY_MS = 140_000;

interface Recipe {
	title: string;
	file: string;
	parameters: Record<string, Record<string, unknown>>;
	/** A workflow that has to be there first. */
	waker?: string;
	survives: boolean;
}

const RECIPES: Recipe[] = [
	{
		title: 'durable-wait-submit, durable-wait-resume',
		file: 'examples/durable-wait-submit.json',
		parameters: { Submit: { name: '=long-run-{{ $execution.id }}' } },
		waker: 'examples/durable-wait-resume.json',
		survives: true,
	},
	{
		title: 'long-run-one-workflow',
		file: 'examples/long-run-one-workflow.json',
		parameters: { Wait: { amount: 65, unit: 'seconds' } },
		survives: false,
	},
];

const use = useServers();
const rows: Row[] = [];

afterAll(async () => {
	await report('sleep', ['recipe', 'executions', 'succeeded', 'failed or crashed'], rows);
});

test.each(RECIPES)(
	'all workers are away when the run ends: $title',
	async ({ title, file, parameters, waker, survives }) => {
		const sandbox = await use(startSandbox());
		sandbox.plans.set(/^long-run-/, { pendingMs: 500, runningMs: 60_000 });
		const cluster = await use(Cluster.start({ name: `sleep-${survives}`, workers: 2 }));
		if (waker) await publishWaker(cluster, sandbox, waker);
		const workflow = await cluster.importWorkflow(file, sandbox, parameters, {}, HOOK);
		for (let made = 0; made < SLEEPERS; made += 1) await cluster.call(HOOK);
		const asleep = async () =>
			(await cluster.executions(workflow)).filter(({ status }) => status === 'waiting').length;
		await until(async () => (await asleep()) === SLEEPERS, PATIENT);
		for (const worker of cluster.workers) await worker.kill();
		await sleep(AWAY_MS);
		for (const worker of cluster.workers) await worker.start();

		const ended = await cluster.allEnded(workflow, SLEEPERS, PATIENT.timeoutMs);
		const good = ended.filter(({ status }) => status === 'success').length;
		rows.push([title, SLEEPERS, good, SLEEPERS - good]);
		expect(sandbox.requests.of('createRun')).toHaveLength(SLEEPERS);
		expect(good === SLEEPERS).toBe(survives);
	},
	900_000,
);

async function publishWaker(cluster: Cluster, sandbox: Sandbox, file: string): Promise<void> {
	await cluster.api.activate(await cluster.importWorkflow(file, sandbox));
	await until(() => sandbox.requests.of('listRuns').length >= 2, PATIENT);
}

import { setTimeout as sleep } from 'node:timers/promises';

import { startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { DURABLE } from '../n8n/environment';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report, type Row } from './report';

const PATIENT = { timeoutMs: 200_000, everyMs: 100 };
/** Longer than from one poll to the next. */
const ANOTHER_POLL_MS = 70_000;
const EVENTS = 20;
const TRIGGER = 'Run changed';

const use = useServers();
const rows: Row[] = [];

afterAll(async () => {
	const outcome = ['the execution', 'others with these events', 'events after Retry'];
	await report('lost', ['engine', 'events', ...outcome], rows);
});

test.each([
	['classic', {}],
	['durable', DURABLE],
])(
	'n8n does not run an execution that was not in the queue when main was killed: %s',
	async (engine, env) => {
		const sandbox = await use(startSandbox());
		const cluster = await use(Cluster.start({ name: `lost-${engine}`, workers: 1, env }));
		const { api, mainToRedis } = cluster;
		const workflow = await cluster.importWorkflow('test/e2e/workflows/trigger-runs.json', sandbox);
		const executions = async () => await cluster.executions(workflow);
		await api.activate(workflow);
		await until(() => sandbox.requests.of('listRuns').length >= 2, PATIENT);
		await sleep(2_000);

		mainToRedis.holdBack('"executionId"');
		for (let count = 0; count < EVENTS; count += 1) sandbox.store.createRun({ status: 'PENDING' });
		await until(async () => (await executions()).length > 0, PATIENT);
		await sleep(1_000);
		const [stored] = await executions();
		expect(['new', 'running']).toContain(stored.status);
		await cluster.kill();
		mainToRedis.restart();
		await cluster.resume();
		await sleep(ANOTHER_POLL_MS);

		const [lost, ...more] = await executions();
		const again = await api.ended(await api.retry(lost.id));
		const events = new Set(again.json(TRIGGER).map(({ eventId }) => eventId)).size;
		rows.push([engine, EVENTS, lost.status, more.length, events]);
		expect([lost.status, more.length]).toEqual(['crashed', 0]);
		expect([again.status, events]).toEqual(['success', EVENTS]);
	},
);

import { setTimeout as sleep } from 'node:timers/promises';

import { startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { DURABLE } from '../n8n/environment';
import { Cluster } from './cluster';
import { report, type Row } from './report';

const PATIENT = { timeoutMs: 130_000, everyMs: 100 };
/** Longer than from one poll to the next. */
const ANOTHER_POLL_MS = 70_000;
const EVENTS = 20;
const TRIGGER = 'Run changed';

/** What becomes of an execution that n8n has stored, and not yet put into the queue, when main is killed. */
async function loseOne(engine: string, env: Record<string, string>) {
	const sandbox = await startSandbox();
	const cluster = await Cluster.start({ name: `lost-${engine}`, workers: 1, env });
	try {
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
		await cluster.kill();
		mainToRedis.restart();
		await cluster.resume();
		await sleep(ANOTHER_POLL_MS);

		const [lost, ...more] = await executions();
		const again = await api.ended(await api.retry(lost.id));
		return {
			stored: stored.status,
			lost: lost.status,
			more: more.length,
			again: again.status,
			events: new Set(again.json(TRIGGER).map(({ eventId }) => eventId)).size,
		};
	} finally {
		await cluster.dispose();
		await sandbox.stop();
	}
}

test('n8n does not run an execution that was not in the queue when main was killed', async () => {
	const rows: Row[] = [];
	for (const [engine, env] of [
		['classic', {}],
		['durable', DURABLE],
	] as const) {
		const outcome = await loseOne(engine, env);
		rows.push([engine, EVENTS, outcome.lost, outcome.more, outcome.events]);
		expect(['new', 'running']).toContain(outcome.stored);
		expect(outcome).toMatchObject({ lost: 'crashed', more: 0, again: 'success', events: EVENTS });
	}
	await report(
		'lost',
		['engine', 'events', 'the execution', 'others with these events', 'events after Retry'],
		rows,
	);
}, 900_000);

import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report, type Row, SHORT } from './report';

const SLOW = {
	Submit: { pythonUri: { __rl: true, mode: 'path', value: 's3://my-bucket/jobs/slow.py' } },
};
const QUEUE = 'test/e2e/workflows/queue';
const MANUAL = 'test/e2e/workflows/submit-and-wait.json';

/** What n8n ends, and whether it lets the node know. */
const cases = [
	{ start: 'manual', end: 'stop', ended: 'it', reached: true },
	{ start: 'manual', end: 'time-out', ended: 'it', reached: true },
	{ start: 'webhook', end: 'stop', ended: 'it', reached: true },
	{ start: 'webhook', end: 'time-out', ended: 'it', reached: true },
	{ start: 'sub-workflow', end: 'stop', ended: 'it', reached: true },
	// Looked at between two nodes only.
	{ start: 'sub-workflow', end: 'time-out', ended: 'it', reached: false },
	// The caller alone; what it called goes on.
	{ start: 'sub-workflow', end: 'stop', ended: 'its caller', reached: false },
	{ start: 'sub-workflow', end: 'time-out', ended: 'its caller', reached: false },
] as const;

/** Long enough to submit, and short enough to wait for. */
const TIMEOUT_S = 8;
/** How long the cancellation may take to arrive; where none comes, so long is waited for it. */
const [PATIENCE_MS, NEVER_MS] = [120_000, 20_000];

const [use, useForAll] = [useServers(), useServers(afterAll)];
let cluster: Cluster;
let sandbox: Sandbox;
const rows: Row[] = [];

beforeAll(async () => {
	cluster = await useForAll(Cluster.start({ name: 'stop', workers: 2 }));
});

beforeEach(async () => {
	sandbox = await use(startSandbox({ timings: { pendingMs: 500, cancelMs: 1_000 } }));
});

afterAll(async () => {
	await report('stop', ['started by', 'what ends', 'execution', 'run cancelled', 'seconds'], rows);
});

/** Where nothing comes one has to wait for it; the short form has no time for that. */
const chosen = SHORT
	? cases.filter(({ start, end, reached }) => reached && (start !== 'webhook') === (end === 'stop'))
	: cases;

test.each(chosen)('$start: $end of $ended', async ({ start, ended, reached, end }) => {
	const settings = end === 'time-out' ? { executionTimeout: TIMEOUT_S } : {};
	const workflow = await begin(start, ended === 'it', settings);
	await until(() => sandbox.requests.of('getRun').length > 0, { timeoutMs: 60_000 });
	const [{ id }] = await cluster.executions(workflow);
	const begun = Date.now();
	if (end === 'stop') await cluster.api.stop(id);

	const cancelled = async () => sandbox.requests.of('cancelRun').length > 0;
	await until(cancelled, { timeoutMs: reached ? PATIENCE_MS : NEVER_MS }).catch(() => undefined);
	const took = ((Date.now() - begun) / 1_000).toFixed(1);
	const seen = await cancelled();
	await sleep(1_000);
	const [{ status }] = await cluster.executions(workflow);
	await cluster.api.deactivate(workflow).catch(() => undefined);
	rows.push([start, `${end} of ${ended}`, status, seen ? 'yes' : 'no', seen ? took : '-']);

	expect(seen).toBe(reached);
	if (reached) expect(['canceled', 'error', 'crashed']).toContain(status);
});

/** @returns the workflow whose execution is ended */
async function begin(
	start: (typeof cases)[number]['start'],
	itself: boolean,
	settings: Record<string, unknown>,
): Promise<string> {
	if (start === 'webhook') {
		const file = `${QUEUE}/submit-and-wait.json`;
		const workflow = await cluster.importWorkflow(file, sandbox, SLOW, settings);
		await cluster.call('submit-and-wait');
		return workflow;
	}
	if (start === 'manual') {
		const workflow = await cluster.importWorkflow(MANUAL, sandbox, SLOW, settings);
		await cluster.api.start(workflow);
		return workflow;
	}
	const child = await cluster.importWorkflow(
		`${QUEUE}/child.json`,
		sandbox,
		SLOW,
		itself ? settings : {},
	);
	await cluster.api.activate(child).catch(() => undefined);
	const called = { workflowId: { __rl: true, mode: 'id', value: child } };
	const parent = await cluster.importWorkflow(
		`${QUEUE}/parent.json`,
		sandbox,
		{ Call: called },
		itself ? {} : settings,
	);
	await cluster.api.start(parent);
	return itself ? child : parent;
}

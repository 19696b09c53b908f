import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../../support/until';
import { type N8nApi } from '../n8n/api';
import { credentialData, readWorkflow, withCredential } from '../n8n/workflows';
import { Deliveries } from './deliveries';

const RUNS = 'test/e2e/workflows/trigger-runs.json';
const AUDIT = 'test/e2e/workflows/trigger-audit.json';

/** n8n polls once a minute; after a kill it may first wait for what its predecessor held. */
const PATIENT = { timeoutMs: 240_000, everyMs: 250 };

/** What a rehearsal does to an n8n: one process, or several of the queue mode. */
export interface RehearsedN8n {
	api: N8nApi;
	kill(): Promise<void>;
	resume(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Activates a workflow with the trigger for runs and one for audit events, and has 200 changes and 200
 * events happen over four polls, during which n8n is killed twice.
 *
 * @param startN8n an n8n of its own, which is stopped at the end
 * @returns how many events had to start an execution, and which did not, or not once
 * @throws Error that says what is missing, and what n8n has asked the service last, when it does not come
 */
export async function rehearse(startN8n: () => Promise<RehearsedN8n>) {
	// Pages shift while they are read.
	const variants = { pageCursors: 'offset', auditOrder: 'shuffled' } as const;
	const sandbox = await startSandbox({ variants });
	const n8n = await startN8n();
	try {
		const workflows = await activate(n8n.api, sandbox);
		const deliveries = new Deliveries(n8n.api, workflows);
		const runs: string[] = [];
		const create = (count: number) => {
			for (let made = 0; made < count; made += 1) {
				const { id } = sandbox.store.createRun({ status: 'PENDING' });
				runs.push(id);
				deliveries.expected.add(`run/${id}/PENDING`);
			}
		};
		const move = (count: number, to: string) => {
			for (const id of runs.slice(0, count)) {
				sandbox.store.moveRun(id, to);
				deliveries.expected.add(`run/${id}/${to}`);
			}
		};
		/** In bursts of equal times, and some of them late. */
		const record = (count: number) => {
			const now = sandbox.clock.now();
			for (let made = 0; made < count; made += 1) {
				const event_time = now - (made % 3 === 0 ? 90_000 : Math.floor(made / 10));
				deliveries.expected.add(`audit/${sandbox.store.recordEvent({ event_time }).event_id}`);
			}
		};

		create(80);
		record(80);
		await caughtUp(deliveries, sandbox);

		move(60, 'RUNNING');
		record(60);
		await killDuringPoll(n8n, sandbox);
		await caughtUp(deliveries, sandbox);

		move(60, 'COMPLETED');
		record(60);
		await n8n.kill();
		await n8n.resume();
		await caughtUp(deliveries, sandbox);

		await deliveries.anotherPoll();
		const { expected, missing, wrong } = deliveries;
		const stateIsInWorkflows = await Promise.all(
			workflows.map(async ({ id }) => await holdsState(n8n.api, id)),
		);
		return { expected: expected.size, missing, wrong, stateIsInWorkflows };
	} finally {
		await n8n.stop();
		await sandbox.stop();
	}
}

/** Both workflows, once each has had its first poll. */
async function activate(api: N8nApi, { credentials, baseUrl, requests }: Sandbox) {
	const credential = await api.createCredential(credentialData(credentials.admin.apiKey, baseUrl));
	const workflows: Array<{ id: string; trigger: string }> = [];
	for (const file of [RUNS, AUDIT]) {
		const workflow = withCredential(await readWorkflow(file), credential);
		const id = await api.createWorkflow(workflow);
		await api.activate(id);
		workflows.push({ id, trigger: workflow.nodes[0].name });
	}
	await until(() => requests.of('listRuns').length >= 2, PATIENT);
	await until(() => requests.of('queryAuditLog').length >= 1, PATIENT);
	await sleep(1_000);
	return workflows;
}

/** Kills n8n while a request of its next poll is on the way, and starts it again. */
async function killDuringPoll(n8n: RehearsedN8n, { requests, faults }: Sandbox): Promise<void> {
	const polls = () => requests.of('listRuns').length;
	const before = polls();
	// Long enough for the process to be gone before there is a response.
	const delay = faults.add({ endpoint: 'listRuns', fault: { kind: 'delay', ms: 2_000 } });
	await until(() => polls() > before, PATIENT);
	await n8n.kill();
	delay.remove();
	await n8n.resume();
}

async function caughtUp(deliveries: Deliveries, { requests }: Sandbox): Promise<void> {
	await deliveries.caughtUp(PATIENT);
	const { missing, failed, expected } = deliveries;
	if (missing.length === 0) return;
	const last = requests
		.all()
		.slice(-12)
		.map(({ endpoint, query, status, at }) => ({ endpoint, query, status, at }));
	const state = { missing: missing.length, of: expected.size, first: missing.slice(0, 3) };
	throw new Error(JSON.stringify({ ...state, failed, last }));
}

/** Whether a workflow holds its trigger's state; the durable scheduler keeps it elsewhere. */
async function holdsState(api: N8nApi, workflow: string): Promise<boolean> {
	const url = `/api/v1/workflows/${workflow}`;
	const { staticData } = await api.request<{ staticData: unknown }>('GET', url);
	return JSON.stringify(staticData ?? null).includes('watermark');
}

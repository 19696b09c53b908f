import { setTimeout as sleep } from 'node:timers/promises';

import { type EndpointId, type Sandbox, startSandbox } from '../../sandbox';
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
	dispose(): Promise<void>;
}

/** Two active workflows with the trigger in an n8n of their own, and the service that they watch. */
export class TriggerRehearsal {
	readonly deliveries: Deliveries;

	private readonly runs: string[] = [];

	private constructor(
		private readonly n8n: RehearsedN8n,
		private readonly sandbox: Sandbox,
		private readonly workflows: Array<{ id: string; trigger: string }>,
	) {
		this.deliveries = new Deliveries(n8n.api, workflows);
	}

	/** @param startN8n an n8n of its own, which `end` disposes of */
	static async start(startN8n: () => Promise<RehearsedN8n>): Promise<TriggerRehearsal> {
		const sandbox = await startSandbox({
			// Pages shift while they are read.
			variants: { pageCursors: 'offset', auditOrder: 'shuffled' },
		});
		const n8n = await startN8n();
		const rehearsal = new TriggerRehearsal(n8n, sandbox, []);
		try {
			await rehearsal.activate();
		} catch (error) {
			await rehearsal.end();
			throw error;
		}
		return rehearsal;
	}

	/** Both workflows, until each has had its first poll. */
	private async activate(): Promise<void> {
		const { api } = this.n8n;
		const { credentials, baseUrl, requests } = this.sandbox;
		const credential = await api.createCredential(
			credentialData(credentials.admin.apiKey, baseUrl),
		);
		for (const file of [RUNS, AUDIT]) {
			const workflow = withCredential(await readWorkflow(file), credential);
			const id = await api.createWorkflow(workflow);
			await api.activate(id);
			this.workflows.push({ id, trigger: workflow.nodes[0].name });
		}
		await until(() => requests.of('listRuns').length >= 2, PATIENT);
		await until(() => requests.of('queryAuditLog').length >= 1, PATIENT);
		await sleep(1_000);
	}

	/** Creates runs and moves those that are there on, each at most once since the last poll. */
	change(create: number, move?: { from: string; to: string; count: number }): void {
		for (let made = 0; made < create; made += 1) {
			const { id } = this.sandbox.store.createRun({ status: 'PENDING' });
			this.runs.push(id);
			this.deliveries.expected.add(`run/${id}/PENDING`);
		}
		if (!move) return;
		for (const id of this.runs.slice(0, move.count)) {
			this.sandbox.store.moveRun(id, move.to);
			this.deliveries.expected.add(`run/${id}/${move.to}`);
		}
	}

	/** Records audit events, in bursts of equal times and some of them late. */
	record(count: number): void {
		const now = this.sandbox.clock.now();
		for (let made = 0; made < count; made += 1) {
			const time = now - (made % 3 === 0 ? 90_000 : Math.floor(made / 10));
			const { event_id } = this.sandbox.store.recordEvent({ event_time: time });
			this.deliveries.expected.add(`audit/${event_id}`);
		}
	}

	/** Kills n8n while a request of its next poll is on the way, and starts it again. */
	async killDuring(endpoint: EndpointId): Promise<void> {
		const before = this.sandbox.requests.of(endpoint).length;
		// Long enough for the process to be gone before there is a response.
		const delay = this.sandbox.faults.add({ endpoint, fault: { kind: 'delay', ms: 2_000 } });
		await until(() => this.sandbox.requests.of(endpoint).length > before, PATIENT);
		await this.n8n.kill();
		delay.remove();
		await this.n8n.resume();
	}

	async kill(): Promise<void> {
		await this.n8n.kill();
		await this.n8n.resume();
	}

	/**
	 * Waits until everything that was expected so far has started an execution.
	 *
	 * @throws Error that says what has not, and what n8n has asked the service last
	 */
	async caughtUp(): Promise<void> {
		await this.deliveries.caughtUp(PATIENT);
		const { missing, failed, expected } = this.deliveries;
		if (missing.length === 0) return;
		const requests = this.sandbox.requests
			.all()
			.slice(-12)
			.map(({ endpoint, query, status, at }) => ({ endpoint, query, status, at }));
		const state = { missing: missing.length, of: expected.size, first: missing.slice(0, 3) };
		throw new Error(JSON.stringify({ ...state, failed, requests }));
	}

	/** Whether the workflows hold the triggers' state; the durable scheduler keeps it elsewhere. */
	async stateIsInWorkflows(): Promise<boolean[]> {
		return await Promise.all(
			this.workflows.map(async ({ id }) => {
				const url = `/api/v1/workflows/${id}`;
				const { staticData } = await this.n8n.api.request<{ staticData: unknown }>('GET', url);
				return JSON.stringify(staticData ?? null).includes('watermark');
			}),
		);
	}

	async end(): Promise<void> {
		await this.n8n.dispose();
		await this.sandbox.stop();
	}
}

import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox } from '../../sandbox';
import { until } from '../../support/until';
import { type N8nApi } from '../n8n/api';

const NEXT: Record<string, string> = { PENDING: 'RUNNING', RUNNING: 'COMPLETED' };

/** Longer than from one poll to the next. */
const ANOTHER_POLL_MS = 70_000;

/** More than poll between two looks. */
const LOOK_BACK = 50;

/** What happens in the service, and what the triggers have told of it. */
export class World {
	readonly expected = new Set<string>();

	/** How often each event has started an execution. */
	readonly delivered = new Map<string, number>();

	/** Polls that n8n shows as failed, by the message. */
	readonly failedPolls: string[] = [];

	private readonly seen = new Set<string>();

	/** Runs that have not ended, with the status that is to be told next. */
	private readonly going = new Map<string, string>();

	private made = 0;

	constructor(
		private readonly api: N8nApi,
		private readonly sandbox: Sandbox,
		private readonly workflows: { runs: string; audit: string },
	) {}

	/** A new run, some events, and the next status of the runs whose present one has been told. */
	change(): void {
		const { store, clock } = this.sandbox;
		this.made += 1;
		for (const [id, status] of [...this.going]) {
			const next = NEXT[status];
			if (!this.delivered.has(`run/${id}/${status}`)) continue;
			this.going.delete(id);
			if (!next) continue;
			store.moveRun(id, next);
			this.going.set(id, next);
			this.expected.add(`run/${id}/${next}`);
		}
		const { id } = store.createRun({ name: `followed-${this.made}`, status: 'PENDING' });
		this.going.set(id, 'PENDING');
		this.expected.add(`run/${id}/PENDING`);
		for (let index = 0; index < 3; index++) {
			// In bursts of equal times, and some of them late.
			const time = clock.now() - (this.made % 5 === 0 ? 60_000 : 0);
			this.expected.add(`audit/${store.recordEvent({ event_time: time }).event_id}`);
		}
	}

	/** Enters the executions that are new since the last look. */
	async look(): Promise<void> {
		for (const [workflow, node] of [
			[this.workflows.runs, 'Run changed'],
			[this.workflows.audit, 'Event recorded'],
		]) {
			const url = `/api/v1/executions?workflowId=${workflow}&limit=${LOOK_BACK}`;
			const { data } = await this.api.request<{ data: Array<{ id: string; status: string }> }>(
				'GET',
				url,
			);
			for (const { id, status } of data) {
				if (this.seen.has(id) || ['new', 'running'].includes(status)) continue;
				this.seen.add(id);
				const execution = await this.api.execution(id);
				if (!execution.nodes.includes(node) || execution.status !== 'success') {
					this.failedPolls.push(String(execution));
					continue;
				}
				for (const { eventId } of execution.json(node)) {
					const key = String(eventId);
					this.delivered.set(key, (this.delivered.get(key) ?? 0) + 1);
				}
			}
		}
	}

	/** Waits until everything that happened has been told, and for one poll more. */
	async caughtUp(): Promise<void> {
		const waiting = { timeoutMs: 180_000, everyMs: 2_000 };
		await until(async () => {
			await this.look();
			return this.missing.length === 0;
		}, waiting).catch(() => undefined);
		// What repeats would show in the next poll.
		await sleep(ANOTHER_POLL_MS);
		await this.look();
	}

	get missing(): string[] {
		return [...this.expected].filter((id) => !this.delivered.has(id));
	}

	/** Events that came more than once, or that never happened. */
	get wrong(): string[] {
		return [...this.delivered]
			.filter(([id, times]) => times > 1 || !this.expected.has(id))
			.map(([id, times]) => `${id}: ${times} times`);
	}
}

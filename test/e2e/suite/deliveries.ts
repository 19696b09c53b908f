import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../support/until';
import { type N8nApi } from '../n8n/api';

/** More than poll between two looks. */
const LOOK_BACK = 50;

/** Longer than from one poll to the next. */
const ANOTHER_POLL_MS = 70_000;

/** Which events active workflows have to be started with, and which they were. */
export class Deliveries {
	readonly expected = new Set<string>();

	/** How often each event has started an execution, by its `eventId`. */
	readonly counts = new Map<string, number>();

	/** Executions that did not go well. */
	readonly failed: string[] = [];

	private readonly seen = new Set<string>();

	/** @param workflows with the names of their triggers */
	constructor(
		private readonly api: N8nApi,
		private readonly workflows: Array<{ id: string; trigger: string }>,
	) {}

	/** Enters the executions that are new since the last look. */
	async look(): Promise<void> {
		for (const workflow of this.workflows) {
			const url = `/api/v1/executions?workflowId=${workflow.id}&limit=${LOOK_BACK}`;
			const { data } = await this.api.request<{ data: Array<{ id: string; status: string }> }>(
				'GET',
				url,
			);
			for (const { id, status } of data) {
				if (this.seen.has(id) || ['new', 'running'].includes(status)) continue;
				this.seen.add(id);
				await this.enter(id, workflow.trigger);
			}
		}
	}

	private async enter(id: string, trigger: string): Promise<void> {
		const execution = await this.api.execution(id);
		if (execution.status !== 'success') this.failed.push(String(execution));
		if (!execution.nodes.includes(trigger)) return;
		for (const { eventId } of execution.json(trigger)) {
			const key = String(eventId);
			this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
		}
	}

	/** Waits until everything that was expected so far has started an execution, if it does in time. */
	async caughtUp(patience: { timeoutMs: number; everyMs: number }): Promise<void> {
		const isCaughtUp = async () => {
			await this.look();
			return this.missing.length === 0;
		};
		await until(isCaughtUp, patience).catch(() => undefined);
	}

	/** Waits for another poll, in which events that are repeated would show. */
	async anotherPoll(): Promise<void> {
		await sleep(ANOTHER_POLL_MS);
		await this.look();
	}

	get missing(): string[] {
		return [...this.expected].filter((id) => !this.counts.has(id));
	}

	/** Events that came more than once, or that never happened. */
	get wrong(): string[] {
		return [...this.counts]
			.filter(([id, times]) => times > 1 || !this.expected.has(id))
			.map(([id, times]) => `${id}: ${times} times`);
	}
}

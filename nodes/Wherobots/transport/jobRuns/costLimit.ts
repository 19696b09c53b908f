import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { isAbove, type Cost } from '../../service/jobRuns/costs';
import { isTerminal } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { amend } from '../failures/errors';
import { toResult } from '../toResult';
import { readRun } from './readRun';
import { readRunCosts } from './runCosts';

/** Time between two looks at the cost, in milliseconds: the service bills by the minute. */
const INTERVAL_MS = 60_000;

/** What a run may cost, and what it cost when it was cancelled for that. */
export class CostLimit {
	/** The cost for which the run was cancelled, as the service stated it then. */
	passed?: Cost;

	/** Why the last look gave no cost. */
	private problem?: string;
	private lookedAt = -Infinity;

	/** @param amount a decimal text without an exponent, in whatever currency the service bills */
	constructor(readonly amount: string) {}

	/**
	 * Looks at the cost of a run that is going, once a minute, and cancels the run when it is above the
	 * limit. A cost that cannot be read is left for the next look.
	 *
	 * @param run as it was read just now
	 * @returns the run, read again where it ended while it was being cancelled
	 * @throws NodeApiError when the run cannot be cancelled
	 * @throws CancelledError when the execution is cancelled
	 */
	async watch(client: Client, run: Run): Promise<Run> {
		const isDue = clock.monotonic() - this.lookedAt >= INTERVAL_MS;
		if (isTerminal(run.status) || !isDue) return run;
		const [result] = await readRunCosts(client, [{ run, waitMs: 0 }], 0);
		// Nothing is asked before the run has compute resources, so nothing has to wait.
		if (run.kubeApp?.id) this.lookedAt = clock.monotonic();
		this.problem = 'failure' in result ? result.failure.message : undefined;
		if ('failure' in result || !isAbove(result.cost.cost, this.amount)) return run;
		const { cost } = result;
		const cancelled = await toResult(client.call('cancelRun', { path: { run_id: run.id } }));
		if (!cancelled.ok) {
			// What has ended cannot be cancelled.
			const last = await readRun(client, run.id);
			if (isTerminal(last.status)) return last;
			if (cancelled.error instanceof NodeApiError) {
				const before = `${this.explain(cost)} It could not be cancelled.`;
				amend(cancelled.error, { before, facts: { costLimit: this.amount, ...cost } });
			}
			throw cancelled.error;
		}
		this.passed = cost;
		return run;
	}

	/** What outputs and errors say of it: nothing unless the limit was passed, or could not be watched. */
	facts(): IDataObject {
		return {
			...(this.passed ? { costLimit: this.amount, ...this.passed } : {}),
			...(this.problem ? { costLimitProblem: this.problem } : {}),
		};
	}

	/** In words, what the run cost when it was cancelled. */
	explain({ cost, currency, costStatus }: Cost): string {
		return `It had cost ${cost} ${currency} (${costStatus}), and the limit is ${this.amount}. The figure lags behind, so the run may have cost more by then.`;
	}
}

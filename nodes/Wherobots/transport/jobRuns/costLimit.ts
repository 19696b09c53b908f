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

/** Interval between checks of the cost, in milliseconds: the service bills by the minute. */
const INTERVAL_MS = 60_000;

/** A limit for the cost of a run, and the cost at which the run was cancelled. */
export class CostLimit {
	/** The cost at which the run was cancelled. */
	passed?: Cost;

	/** Why the last check found no cost. */
	private problem?: string;
	private lookedAt = -Infinity;

	/** @param amount a decimal string without an exponent, in the service's currency */
	constructor(readonly amount: string) {}

	/**
	 * Checks the cost of an active run once a minute, and cancels the run when it is above the limit. A
	 * cost that cannot be read is left for the next check.
	 *
	 * @param run as just read
	 * @returns the run, read again if it ended before the cancellation
	 * @throws NodeApiError when the run cannot be cancelled
	 * @throws CancelledError when the execution is cancelled
	 */
	async watch(client: Client, run: Run): Promise<Run> {
		const isDue = clock.monotonic() - this.lookedAt >= INTERVAL_MS;
		if (isTerminal(run.status) || !isDue) return run;
		const [result] = await readRunCosts(client, [run]);
		// Without compute resources, no request was sent, so the next check need not wait.
		if (run.kubeApp?.id) this.lookedAt = clock.monotonic();
		this.problem = 'failure' in result ? result.failure.message : undefined;
		if ('failure' in result || !isAbove(result.cost.cost, this.amount)) return run;
		const { cost } = result;
		const cancelled = await toResult(client.call('cancelRun', { path: { run_id: run.id } }));
		if (!cancelled.ok) {
			// A run that has ended cannot be cancelled.
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

	/** The facts for outputs and errors; none unless the limit was exceeded or could not be checked. */
	facts(): IDataObject {
		return {
			...(this.passed ? { costLimit: this.amount, ...this.passed } : {}),
			...(this.problem ? { costLimitProblem: this.problem } : {}),
		};
	}

	/** Explains the cost at which the run was cancelled. */
	explain({ cost, currency, costStatus }: Cost): string {
		return `It had cost ${cost} ${currency} (${costStatus}), and the limit is ${this.amount}. The figure lags behind, so the run may have cost more by then.`;
	}
}

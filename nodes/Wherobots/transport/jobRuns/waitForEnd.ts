import type { IDataObject } from 'n8n-workflow';

import { certaintyOf, incomparable, isAbove, type Cost } from '../../service/jobRuns/costs';
import { ACTIVE_STATUSES, isActive, isTerminal, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { explained, hasStatus } from '../failure';
import { pollUntil } from '../polling';
import { readRun } from '../records';
import { appIdOf, readRunCosts } from './runCosts';
import * as runs from './waitForRun';
import { Batches } from './watch';

const JOB_RUN: runs.RunKind<Run> = {
	noun: 'job run',
	idLabel: 'Run ID',
	later: 'Job Run: Wait for Completion or the Wherobots Trigger',
	cancelEndpoint: 'cancelRun',
	pathOf: (id) => ({ run_id: id }),
	read: readRun,
	listEndpoint: 'listRuns',
	activeOnly: { status: [...ACTIVE_STATUSES] },
	isActive,
	idOf: ({ id }) => String(id),
	isOver: ({ status }) => isTerminal(status),
	statusName: 'status',
	nameOf: ({ name }) => name,
	factsOf: (runId, run) => ({
		runId,
		...(run ? { runName: run.name, status: run.status, ...sparkUiOf(run) } : {}),
	}),
};

/** Longest wait for a run to stop that was cancelled for its cost: it takes about a minute. */
const MAX_CANCEL_MS = 300_000;

export interface WaitForEndOptions extends runs.WaitOptions<Run> {
	/** Cancel the run when it costs more than this. */
	costLimit?: CostLimit;
}

/**
 * Waits until a job run has ended, as `waitForRun` does. A run that was cancelled for its cost is
 * returned as it is when it has not ended within five minutes.
 */
export async function waitForEnd(
	client: Client,
	runId: string,
	options: WaitForEndOptions,
): Promise<Run> {
	const { costLimit: limit } = options;
	if (!limit) return await runs.waitForRun(client, JOB_RUN, runId, options);
	const limited: runs.RunKind<Run> = {
		...JOB_RUN,
		isOver: (run) => JOB_RUN.isOver(run) || limit.passed !== undefined,
		factsOf: (id, run) => ({ ...JOB_RUN.factsOf(id, run), ...limit.facts() }),
	};
	const run = await runs.waitForRun(client, limited, runId, {
		...options,
		suffices: (listed) => appIdOf(listed) !== undefined,
		onRead: async (read) => await limit.check(client, read),
	});
	if (JOB_RUN.isOver(run)) return run;
	const stopping = pollUntil(client, () => readRun(client, runId), JOB_RUN.isOver, {
		maxWaitMs: MAX_CANCEL_MS,
		maxIntervalMs: options.maxIntervalMs,
	});
	const stopped = await explained(stopping, {
		before: `Job run ${runId} was cancelled.${limit.passed ? ` ${limit.explain(limit.passed)}` : ''}`,
		facts: limited.factsOf(runId, run),
	});
	return stopped.done ? stopped.value : run;
}

/** Interval between checks of the cost, in milliseconds: the service bills by the minute. */
const INTERVAL_MS = 60_000;

/** The costs of all runs with a limit, in one request where they are checked at the same time. */
const costs = new Batches(readRunCosts);

/** A limit for the cost of a run, and the cost at which the run was cancelled. */
export class CostLimit {
	/** The cost at which the run was cancelled. */
	passed?: Cost;

	/** Why the last check found no cost. */
	private problem?: string;
	private minute?: number;

	/** @param amount a decimal string without an exponent, in the service's currency */
	constructor(readonly amount: string) {}

	/**
	 * Checks the cost of an active run once a minute, and cancels the run when it is above the limit. A
	 * cost that cannot be read is left for the next check, unless this account may not see costs at all.
	 *
	 * @param run as just read
	 * @throws Failure when the first check is refused, or the run cannot be cancelled, also because
	 * it has just ended
	 * @throws CancelledError when the execution is cancelled
	 */
	async check(client: Client, run: Run): Promise<void> {
		// Minutes begin for all runs at the same time, so that they are checked together.
		const minute = Math.floor(clock.monotonic() / INTERVAL_MS);
		if (isTerminal(run.status) || minute === this.minute) return;
		const isFirst = this.minute === undefined;
		const result = await costs.ask(client, run);
		// Without compute resources, no request was sent, so the next check need not wait.
		if (appIdOf(run)) this.minute = minute;
		if ('failure' in result) {
			const { failure } = result;
			this.problem = failure.message;
			if (!isFirst || !hasStatus(failure, 403)) return;
			throw failure
				.with({ message: 'The cost of the job run cannot be compared with its limit' })
				.withContext({ before: `${failure.message}.`, after: 'The run was not cancelled.' });
		}
		const { cost } = result;
		this.problem = incomparable(cost);
		if (this.problem || !isAbove(cost.cost, this.amount)) return;
		const cancelling = client.call('cancelRun', { path: { run_id: run.id } });
		await explained(cancelling, { before: `${this.explain(cost)} It could not be cancelled.` });
		this.passed = cost;
	}

	/** The facts for outputs and errors; none unless the limit was exceeded or could not be checked. */
	facts(): IDataObject {
		return {
			...(this.passed ? { costLimit: this.amount, ...this.passed } : {}),
			...(this.problem ? { costLimitProblem: this.problem } : {}),
		};
	}

	/** Explains the cost at which the run was cancelled. */
	explain(passed: Cost): string {
		const { cost, currency } = passed;
		return `It had cost ${cost} ${currency} (${certaintyOf(passed)}), and the limit is ${this.amount}. The figure lags behind, so the run may have cost more by then.`;
	}
}

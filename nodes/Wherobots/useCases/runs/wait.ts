import type { IDataObject } from 'n8n-workflow';

import { isAbove } from '../../service/json';
import { formatCost, type Cost } from '../../service/runs/costs';
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { type PollOptions, pollUntil } from '../../transport/concurrency';
import {
	explainReading,
	Failure,
	hasStatus,
	isTemporary,
	settle,
	addContext,
	toPathFacts,
} from '../../transport/failure';
import { fetchRun } from '../../transport/records';
import { formatMinutes } from '../../transport/text';
import { fetchRunCosts } from './costs';
import { Batches, watchWhile, type WatchedRun } from './watch';

/** How long after its submission a run may not be found yet, in milliseconds. */
const MAX_LAG_MS = 120_000;

export interface WaitOptions<T> extends PollOptions {
	/** What to do when the run takes longer, for the error. */
	advice: string;
	/** Cancel the run in the service when the execution is stopped. */
	cancelOnStop: boolean;
	/** The run as its submission just returned it, so that "not found" means "not yet". */
	submitted?: T;
	/** Called with the run when its status is first known, and after each change. */
	onStatus?: (run: T) => void;
	/** Called with the run each time it was read. */
	onRead?: (run: T) => Promise<void>;
	/** Whether an active run as lists show it will do. */
	suffices?: (run: T) => boolean;
	/** Whether to stop waiting, where that is not simply the end of the run. */
	isOver?: (run: T) => boolean;
	/** What else errors say. */
	facts?: () => IDataObject;
}

/**
 * Waits until a run has ended: checks its status at once, then at growing intervals, together with
 * all waits of this process. An outage of the service does not end the wait; its deadline does.
 *
 * @throws Failure when the run has not ended by the deadline, or cannot be read
 * @throws CancelledError when the execution is cancelled, after cancelling the run if wanted
 */
export async function waitForRun<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	id: string,
	options: WaitOptions<R>,
): Promise<R> {
	const { cancel, idInPath, idLabel, noun, statusName } = kind;
	const path = { [idInPath]: id };
	const { isOver = (run: R) => run.isOver } = options;
	const startedAt = clock.monotonic();
	const isLag = (error: unknown) =>
		options.submitted !== undefined &&
		hasStatus(error, 404) &&
		clock.monotonic() - startedAt < MAX_LAG_MS;
	let seen = options.submitted;
	const watched: WatchedRun<R> = { id, whole: seen };
	let reported: string | undefined;
	const getFacts = () => ({ ...seen?.facts, ...toPathFacts(path), ...options.facts?.() });
	const polled = await watchWhile(
		client,
		kind,
		async (watch) =>
			await pollUntil(
				client,
				async () => {
					seen = await watch.read(client, watched, options.suffices);
					if (seen.status !== reported) options.onStatus?.(seen);
					reported = seen.status;
					await options.onRead?.(seen);
					return seen;
				},
				isOver,
				{
					...options,
					continueAfter: (error) => isTemporary(error) || isLag(error),
					pauseMs: (intervalMs, maxIntervalMs) => watch.pauseMs(intervalMs, maxIntervalMs),
				},
			),
	).catch(async (error: unknown) => {
		if (client.executionSignal?.aborted && options.cancelOnStop) {
			// It may have ended meanwhile.
			await settle(client.evenWhenCancelled().call(cancel, { path }));
		}
		// The run continues, and readers of the error have to find it.
		throw addContext(error, {
			before: `The node was waiting for ${noun} ${id}${seen ? ` (${seen.name})` : ''}.`,
			facts: getFacts(),
		});
	});
	if (polled.done) return polled.value;

	const { last } = polled;
	const known = last instanceof Failure ? last.parts : undefined;
	const state =
		last instanceof Error
			? `The last status check failed: ${last.message}.`
			: `Its ${statusName} is ${last.status}.`;
	throw new Failure({
		message: `The ${noun} did not end within ${formatMinutes(options.maxWaitMs)}`,
		description: `${state} The run was not cancelled. ${idLabel}: ${id}`,
		nextStep: options.advice,
		httpCode: known?.httpCode,
		requestId: known?.requestId,
		temporary: known?.temporary,
		facts: getFacts(),
	});
}

/** Asks the service to stop a run. */
export async function requestCancel<R extends RunRecord>(
	client: Client,
	{ cancel, idInPath }: RunKind<R>,
	id: string,
): Promise<void> {
	await explainReading(client.call(cancel, { path: { [idInPath]: id } }), (failure) =>
		hasStatus(failure, 400, 409)
			? { after: 'A run that has ended cannot be cancelled. Get the run to see how it ended.' }
			: {},
	);
}

/** Longest wait for a run to stop that was cancelled for its cost: it takes about a minute. */
const MAX_CANCEL_MS = 300_000;

export interface WaitForEndOptions extends WaitOptions<JobRun> {
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
): Promise<JobRun> {
	const { costLimit: limit } = options;
	if (!limit) return await waitForRun(client, jobRuns, runId, options);
	const run = await waitForRun(client, jobRuns, runId, {
		...options,
		isOver: ({ isOver }) => isOver || limit.passed !== undefined,
		facts: () => limit.facts(),
		suffices: ({ appId }) => appId !== undefined,
		onRead: async (read) => await limit.check(client, read),
	});
	if (run.isOver) return run;
	const read = async () => await fetchRun(client, jobRuns, runId);
	const stopping = pollUntil(client, read, ({ isOver }) => isOver, {
		maxWaitMs: MAX_CANCEL_MS,
		maxIntervalMs: options.maxIntervalMs,
	});
	const stopped = await explainReading(stopping, {
		before: `Job run ${runId} was cancelled.${limit.passed ? ` ${limit.explain(limit.passed)}` : ''}`,
		facts: { ...run.facts, runId, ...limit.facts() },
	});
	return stopped.done ? stopped.value : run;
}

/** Interval between checks of the cost, in milliseconds: the service bills by the minute. */
const INTERVAL_MS = 60_000;

/** The costs of all runs with a limit, in one request where they are checked at the same time. */
const costs = new Batches(fetchRunCosts);

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
	async check(client: Client, run: JobRun): Promise<void> {
		// Minutes begin for all runs at the same time, so that they are checked together.
		const minute = Math.floor(clock.monotonic() / INTERVAL_MS);
		if (run.isOver || minute === this.minute) return;
		const isFirst = this.minute === undefined;
		const result = await costs.ask(client, run);
		// Without compute resources, no request was sent, so the next check need not wait.
		if (run.appId) this.minute = minute;
		if ('failure' in result) {
			const { failure } = result;
			this.problem = failure.message;
			if (!isFirst || !hasStatus(failure, 403)) return;
			throw failure
				.with({ message: 'The cost of the job run cannot be compared with its limit' })
				.withContext({ before: `${failure.message}.`, after: 'The run was not cancelled.' });
		}
		const { cost } = result;
		this.problem = undefined;
		if (!isAbove(cost.cost, this.amount)) return;
		const cancelling = client.call('cancelRun', { path: { run_id: run.id } });
		await explainReading(cancelling, {
			before: `${this.explain(cost)} It could not be cancelled.`,
		});
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
		return `Its cost had passed the limit of ${this.amount}: it was ${formatCost(passed)}. The figure lags behind, so the run may have cost more by then.`;
	}
}

import type { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import type { RunRecord } from '../../../../nodes/Wherobots/service/records/kind';
import type { TaskRun } from '../../../../nodes/Wherobots/service/records/taskRun';
import type { RunCost } from '../../../../nodes/Wherobots/service/runs/costs';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import type { RunPollResult } from '../../../../nodes/Wherobots/trigger/core/runPoll';
import {
	type Budget,
	type RunState,
	takeShare,
} from '../../../../nodes/Wherobots/trigger/core/cursor';
import { jobRunBilling, taskRunBilling } from '../../../../nodes/Wherobots/trigger/runs/costEvent';
import {
	type Billing,
	type pollCosts,
	SHARE_OF_RUNS,
} from '../../../../nodes/Wherobots/trigger/runs/costPoll';
import {
	type WatchedRuns,
	watchedJobRuns,
	watchedTaskRuns,
} from '../../../../nodes/Wherobots/trigger/runs/runEvents';
import type { Calls } from './calls';
import type { Polled } from './engine';
import {
	JOB_RUNS,
	type ModelKind,
	type ModelRun,
	type Polling,
	type RunHistory,
	RunTrial,
	TASK_RUNS,
} from './runHistory';
import type * as RunPolling from '../../../../nodes/Wherobots/trigger/core/runPoll';
import { SECOND } from './serviceClock';

/** A run costs a dollar a second. Its figures lag by this much, and are final this long after its end. */
const LAG = 600 * SECOND;
const LIMIT = 1000;

/** For how long after its creation the billing system may not know a run. */
const UNBILLED = 1_500 * SECOND;

/** What the metrics of a run are like. */
const kindOf = (key: string) => Number(key.split('-')[1]) % 5;

const SETTINGS = { limit: String(LIMIT), simplify: true };

/** A kind of run, and how its costs are found out. */
interface CostKind<R extends RunRecord, C extends RunCost> {
	words: ModelKind<R>;
	watched: WatchedRuns<R>;
	billing: Billing<R, C>;
	/** Whether a cost is zero until it is final. */
	isLate: boolean;
}

type JobCosts = typeof jobRunBilling extends Billing<JobRun, infer C> ? CostKind<JobRun, C> : never;

export const JOB_COSTS: JobCosts = {
	...{ words: JOB_RUNS, watched: watchedJobRuns, billing: jobRunBilling, isLate: false },
};

export const TASK_COSTS: CostKind<TaskRun, RunCost> = {
	...{ words: TASK_RUNS, watched: watchedTaskRuns, billing: taskRunBilling, isLate: true },
};

/** Runs whose costs rise while they are active, and show it late. */
export class CostTrial<R extends RunRecord, C extends RunCost> extends RunTrial<R> {
	protected override readonly keepsShown = true;

	constructor(
		core: Pick<typeof RunPolling, 'pollRuns'>,
		private readonly costs: { pollCosts: typeof pollCosts },
		history: RunHistory,
		private readonly of: CostKind<R, C>,
	) {
		// Left out, because docs/alerts.md promises nothing for them: a clock that jumps while nothing tells
		// the service's time, and costs for which the runs leave no time.
		const sound = { tellsTime: true, dateSkewSeconds: 0, requestSeconds: 0 };
		super(core, { ...history, habits: { ...history.habits, ...sound } }, of.words);
	}

	protected override timeFor(calls: Calls): Budget {
		return takeShare(calls, SHARE_OF_RUNS);
	}

	protected override async eventsOf(
		result: RunPollResult<R>,
		from: RunState | undefined,
		{ calls, source }: Polling<R>,
	): Promise<Polled<RunState>> {
		const client = this.client(calls);
		const before = from as { costs?: Parameters<typeof pollCosts>[2]['before'] } | undefined;
		const { billing, watched } = this.of;
		const asked = { settings: SETTINGS, billing, source, result, budget: calls };
		const found = await this.costs.pollCosts(client, watched, {
			...asked,
			before: before?.costs,
			isTest: false,
		});
		const events = found.items.map(({ json }) => String(json.eventId));
		return { state: found.state, notes: result.notes, events };
	}

	protected override eventDue(run: ModelRun): string | undefined {
		const { amount, isFinal } = this.figure(run);
		const isDue = amount > LIMIT && (isFinal || !this.of.isLate);
		return isDue ? `${this.of.watched.subject}/${run.key}/cost` : undefined;
	}

	private figure(run: ModelRun, lag = LAG): { amount: number; isFinal: boolean } {
		const end = this.runs.hasEnded(run) ? (run.statuses.at(-1)?.[0] ?? 0) : Infinity;
		const [[began]] = run.statuses;
		const until = Math.min(end, this.runs.now - lag);
		const amount = Math.max(0, Math.floor((until - began) / SECOND));
		return { amount, isFinal: this.runs.now >= end + LAG };
	}

	private client(calls: Calls): Client {
		const entryOf = (appId: string) => {
			const run = this.runs.runs.find(({ key }) => appId === `app-${key}`);
			if (!run || !this.isBilled(run)) return { kind: 'unavailable', reason: 'not_found' };
			const { amount, isFinal } = this.figure(run);
			return { cost: String(amount), status: isFinal ? 'final' : 'live' };
		};
		return {
			serviceNow: () => this.runs.now / 1000,
			call: async (endpoint: string, { body, path }: CallOptions) => {
				await calls.next();
				if (endpoint === 'getRunMetrics') return this.metricsOf(String(path?.run_id));
				if (endpoint === 'getTaskRunCost') return this.costOf(String(path?.taskRunId));
				const ids = body?.kubeAppIds as string[];
				return { costs: Object.fromEntries(ids.map((id) => [id, entryOf(id)])) };
			},
		} as unknown as Client;
	}

	/** The cost of some task runs cannot be read, or is not there, for a while. */
	private costOf(id: string): object {
		const run = this.runs.runs.find(({ key }) => key === id);
		const kind = kindOf(id);
		if (!run || (kind > 2 && !this.isBilled(run))) {
			throw new Failure({ message: 'No', httpCode: kind === 3 ? '404' : '500' });
		}
		const { amount, isFinal } = this.figure(run);
		return { totalCostUsd: String(isFinal ? amount : 0), units: 0, isSettling: !isFinal };
	}

	/** Some runs are unknown to the billing system for a while. */
	private isBilled({ key, time }: ModelRun): boolean {
		return kindOf(key) === 0 || this.runs.now >= time + UNBILLED;
	}

	/** Some runs have metrics, which do not lag; of others, they have no cost, are missing, or refused. */
	private metricsOf(id: string): object {
		const kind = kindOf(id);
		if (kind > 2) throw new Failure({ message: 'No', httpCode: kind === 3 ? '404' : '403' });
		const run = this.runs.runs.find(({ key }) => key === id);
		if (!run || kind < 2) return { series_metrics: {}, instant_metrics: {} };
		const data = { value: this.figure(run, 0).amount, timestamp: this.runs.now };
		const cost = { display_name: 'Cost', metric: { data, format: 'CURRENCY' } };
		return { series_metrics: {}, instant_metrics: { COST_USD: cost } };
	}
}

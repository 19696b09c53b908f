/** Tested by test/engine/trigger/runExceededCost.test.ts and taskRunExceededCost.test.ts. How the costs of runs are found out. */
import { type Cost, isFinal, type RunCost } from '../../service/runs/costs';
import type { JobRun } from '../../service/records/jobRun';
import type { RunRecord } from '../../service/records/kind';
import type { TaskRun } from '../../service/records/taskRun';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import { Failure, hasStatus, settle } from '../../transport/failure';
import { type CostResult, fallBackToMetrics, fetchCosts } from '../../useCases/runs/costs';
import { fetchTaskRunCost } from '../../useCases/runs/taskRuns';
import { HOUR } from '../core/cursor';
import { LEAST_RUNS, type Measure, READ_AT_ONCE } from './usual';

export interface Billing<R extends RunRecord, C extends RunCost = RunCost> {
	/** The ID under which a run is billed; undefined as long as it costs nothing. */
	toBilledId(run: R): string | undefined;
	/** What is known of many runs, by those IDs, with few requests. */
	fetchMany(client: Client, ids: readonly string[]): Promise<Map<string, CostResult<C>>>;
	/** What a request for one run says, where that is not enough. */
	fetchOne(
		client: Client,
		run: Pick<RunRecord, 'id' | 'isOver'>,
		known: CostResult<C>,
	): Promise<CostResult<C>>;
	/** For how many runs a poll makes such a request. */
	readsPerPoll: number;
	/** What completed runs have cost. */
	measure: Measure;
}

/** What a completed run says of what is usual: its cost, once that is final. */
const toValues = (id: string, cost: RunCost) =>
	isFinal(cost) ? [[id, Number(cost.cost)] as const] : [];

export const jobRunBilling: Billing<JobRun, Cost> = {
	toBilledId: ({ appId }) => appId,
	fetchMany: fetchCosts,
	fetchOne: fallBackToMetrics,
	readsPerPoll: 5,
	measure: {
		name: 'final cost',
		async of(client, past) {
			const ids = past.flatMap(({ appId }) => appId ?? []);
			const costs = await fetchCosts(client, ids);
			return past.flatMap(({ id, appId = '' }) => {
				const result = costs.get(appId);
				if (result && 'failure' in result && result.isRequest) throw result.failure;
				return result && 'cost' in result ? toValues(id, result.cost) : [];
			});
		},
	},
};

/** States of a task run that has not begun, or never will. */
const WITHOUT_COST = ['PENDING', 'SUBMITTED', 'MISSED', 'REJECTED', 'SKIPPED'];

/** Of how many completed runs of a task the costs are read. */
const PAST_TASK_RUNS = 20;

const UNREAD = { failure: new Failure({ message: 'The cost has not been read yet' }) };

/** The service tells the cost of one task run at a time, and finally up to 45 minutes after its end. */
export const taskRunBilling: Billing<TaskRun> = {
	toBilledId: ({ id, status }) => (WITHOUT_COST.includes(status) ? undefined : id),
	fetchMany: async (_client, ids) => await Promise.resolve(new Map(ids.map((id) => [id, UNREAD]))),
	async fetchOne(client, { id }) {
		const read = await settle(fetchTaskRunCost(client, id));
		if (read.ok) return { cost: read.value };
		const failure = read.error;
		if (!(failure instanceof Failure)) throw failure;
		if (/^40[13]$/.test(failure.httpCode ?? '')) return { failure, isRequest: true };
		// What one run lacks says nothing of others.
		return { failure: failure.httpCode === '404' ? failure : failure.with({ temporary: true }) };
	},
	readsPerPoll: 50,
	measure: {
		name: 'final cost',
		async of(client, past) {
			const settled = client.serviceNow() * 1_000 - HOUR;
			// What came from the cache of an earlier run cost nothing.
			const compared = past
				.filter(({ isCached, ended }) => !isCached && (ended ?? 0) < settled)
				.slice(0, PAST_TASK_RUNS);
			const read = await runInParallel(compared.length, READ_AT_ONCE, async (index) =>
				settle(fetchTaskRunCost(client, compared[index].id)),
			);
			const values = read.flatMap((each, index) =>
				each.ok ? toValues(compared[index].id, each.value) : [],
			);
			const failed = read.find((each) => !each.ok && !hasStatus(each.error, 404));
			if (failed && !failed.ok && values.length < LEAST_RUNS) throw failed.error;
			return values;
		},
	},
};

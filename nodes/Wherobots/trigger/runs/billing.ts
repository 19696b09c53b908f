/** Tested by test/engine/trigger/runExceededCost.test.ts and taskRunExceededCost.test.ts. How the costs of runs are found out. */
import { isFinal, type RunCost } from '../../service/runs/costs';
import type { JobRun } from '../../service/records/jobRun';
import type { RunRecord } from '../../service/records/kind';
import type { TaskRun } from '../../service/records/taskRun';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import { Failure, hasStatus, settle } from '../../transport/failure';
import { type CostResult, fallBackToMetrics, fetchCosts } from '../../useCases/runs/costs';
import { fetchTaskRunCost } from '../../useCases/runs/taskRuns';
import { type Measure, readHourly } from './usual';

export type RunCostResult = CostResult<RunCost>;

export interface Billing<R extends RunRecord> {
	/** The ID under which a run is billed; undefined as long as it has none. */
	toBilledId(run: R): string | undefined;
	/** What is known of many runs, by those IDs, with few requests. */
	fetchMany(client: Client, ids: readonly string[]): Promise<Map<string, RunCostResult>>;
	/** What a request for one run says, where that is not enough. */
	fetchOne(
		client: Client,
		run: Pick<JobRun, 'id' | 'isOver'>,
		known: RunCostResult,
	): Promise<RunCostResult>;
	/** What completed runs have cost. */
	measure: Measure;
}

export const jobRunBilling: Billing<JobRun> = {
	toBilledId: ({ appId }) => appId,
	fetchMany: fetchCosts,
	fetchOne: async (client, run, known) => await fallBackToMetrics(client, run, known as CostResult),
	measure: {
		name: 'cost',
		async of(client, past) {
			const costs = await fetchCosts(
				client,
				past.flatMap(({ appId }) => appId ?? []),
			);
			return past.flatMap(({ id, appId = '' }) => {
				const result = costs.get(appId);
				if (result && 'failure' in result && result.isRequest) throw result.failure;
				return result && 'cost' in result ? [[id, Number(result.cost.cost)] as const] : [];
			});
		},
	},
};

/** Of how many completed runs of a task the costs are read: twenty, and one that may be what is compared. */
const PAST_TASK_RUNS = 21;

const READ_AT_ONCE = 5;

const NOT_READ = { failure: new Failure({ message: 'The cost has not been read yet' }) };

/** The service tells the cost of one task run at a time. */
export const taskRunBilling: Billing<TaskRun> = {
	toBilledId: ({ id }) => id,
	fetchMany: async (_client, ids) =>
		await Promise.resolve(new Map(ids.map((id) => [id, NOT_READ]))),
	async fetchOne(client, { id }) {
		const read = await settle(fetchTaskRunCost(client, id));
		if (read.ok) return { cost: read.value };
		const failure = read.error;
		if (!(failure instanceof Failure)) throw failure;
		// One that has no cost yet says nothing of others.
		const isOwn = failure.parts.temporary === true || hasStatus(failure, 404);
		return isOwn ? { failure } : { failure, isRequest: true };
	},
	measure: {
		name: 'cost',
		async of(client, past) {
			// What came from the cache of an earlier run cost nothing.
			const counted = past.filter(({ duration }) => duration !== undefined);
			const compared = counted.slice(0, PAST_TASK_RUNS);
			const costs = await runInParallel(compared.length, READ_AT_ONCE, async (index) => {
				const { id } = compared[index];
				// By itself, so that a poll goes on where the time of the one before it had run out.
				const { result } = readHourly([client.account, 'getTaskRunCost', id], async () => {
					const read = await settle(fetchTaskRunCost(client, id));
					if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
					return read.ok && isFinal(read.value) ? Number(read.value.cost) : undefined;
				});
				return [id, await result] as const;
			});
			return costs.flatMap(([id, cost]) => (cost === undefined ? [] : [[id, cost] as const]));
		},
	},
};

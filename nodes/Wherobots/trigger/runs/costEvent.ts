/** Triggers for runs that cost more than a limit: their form, and how costs are found out. Tested with costPoll.ts. */
import { checkAmount, defineAmountField, readAmount, simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
import { isAbove } from '../../service/json';
import { type Cost, isFinal, type RunCost } from '../../service/runs/costs';
import type { JobRun } from '../../service/records/jobRun';
import type { RunRecord } from '../../service/records/kind';
import type { TaskRun } from '../../service/records/taskRun';
import { runInParallel } from '../../transport/concurrency';
import { Failure, hasStatus, settle } from '../../transport/failure';
import { fallBackToMetrics, fetchCosts } from '../../useCases/runs/costs';
import { fetchTaskRunCost } from '../../useCases/runs/taskRuns';
import { HOUR, takeShare } from '../core/cursor';
import type { TriggerEvent } from '../event';
import {
	type Billing,
	type CostSettings,
	type CostState,
	pollCosts,
	SHARE_OF_RUNS,
} from './costPoll';
import {
	createRunSource,
	pollRunsFrom,
	readFilter,
	type WatchedRuns,
	watchedJobRuns,
	watchedTaskRuns,
} from './runEvents';
import { defineComparison, LEAST_RUNS, READ_AT_ONCE } from './usual';

const usually = defineComparison('Multiple of Usual Cost', 'costs this many times as much');

const costLimitField = defineAmountField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	default: '0',
	placeholder: 'e.g. 25.00',
	rule: (text) => (/^0+(\.0+)?$/.test(text) ? undefined : checkAmount(text)),
	description: `How much a run may cost. Set this or '${usually.factorField.displayName}'; 0 means no fixed limit. Costs are reported late, so a run can cost more than this before the workflow starts.`,
});

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

function defineCostEvent<R extends RunRecord, C extends RunCost>(
	name: string,
	watched: WatchedRuns<R>,
	billing: Billing<R, C>,
): TriggerEvent {
	const { kind, filters } = watched;
	return {
		name,
		description: `Starts the workflow once when a ${kind.noun} has cost more than a limit`,
		record: kind.noun,
		fields: [
			...[costLimitField, usually.factorField, simplifyField],
			...[filters, usually.optionsField],
		],
		read(input) {
			const filter = readFilter(input, filters);
			const settings = readSettings(input);
			return {
				scope: filter,
				async poll(client, start, budget) {
					const source = createRunSource(client, kind, filter);
					const result = await pollRunsFrom(start, source, takeShare(budget, SHARE_OF_RUNS), true);
					const asked = {
						...{ settings, billing, source, result, budget },
						before: (start.state as CostState | undefined)?.costs,
						isTest: start.since !== undefined,
					};
					const found = await pollCosts(client, watched, asked);
					const notes = [...result.notes, ...found.notes];
					return { ...found, items: found.items.slice(-start.limit), notes };
				},
			};
		},
	};
}

export const runExceededCost = defineCostEvent(
	'Job Run Exceeds Cost',
	watchedJobRuns,
	jobRunBilling,
);

export const taskRunExceededCost = defineCostEvent(
	'Task Run Exceeds Cost',
	watchedTaskRuns,
	taskRunBilling,
);

function readSettings(input: Input): CostSettings {
	const comparison = usually.read(input);
	const amount = readAmount(input, costLimitField);
	const limit = isAbove(amount, '0') ? amount : undefined;
	if (limit === undefined && !comparison) {
		throw input.problem(
			costLimitField,
			`must be an amount above 0, such as 25.00, unless '${usually.factorField.displayName}' is set`,
		);
	}
	return { limit, comparison, simplify: input.flag(simplifyField) };
}

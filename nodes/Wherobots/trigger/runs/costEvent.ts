/** Tested by test/engine/trigger/runExceededCost.test.ts. */
import type { INodeExecutionData } from 'n8n-workflow';

import { defineAmountField, readAmount, simplifyField } from '../../form/fields';
import { toItem } from '../../form/output';
import { isAbove } from '../../service/json';
import { explainIncomparable, isFinal } from '../../service/runs/costs';
import { isTerminal, jobRuns, type JobRun } from '../../service/records/jobRun';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import {
	isRefused,
	isPossiblyInMetrics,
	fallBackToMetrics,
	fetchCosts,
	type CostResult,
} from '../../useCases/runs/costs';
import { settle } from '../../transport/failure';
import { DAY, toEventId, HOUR, MINUTE, type RunState } from '../core/cursor';
import type { RunPollResult } from '../core/runPoll';
import { takeShare, type Budget, type RunSource } from '../core/source';
import type { TriggerEvent } from '../event';
import { jobRunFilters, pollRunsFrom, readJobRunFilter, toRecord } from './runEvents';
import { createRunSource } from '../sources';

/** How long after its end a run's cost may take to settle; other workloads settle within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

const costLimitField = defineAmountField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	required: true,
	placeholder: 'e.g. 25.00',
	description:
		'How much a job run may cost. The figures of Wherobots Cloud lag behind, so the run may have cost more by the time the workflow starts.',
});

/** Metrics take a request for each run: how many a poll reads, and how often those of a run. */
const METRICS_PER_POLL = 5;
const METRICS_EVERY: Micros = 10 * MINUTE;

/**
 * A run whose cost is watched: the ID under which it is billed, empty once its cost was reported; since
 * when it is watched after its end; when its metrics were read, and whether they had its cost.
 */
type WatchedCost = [
	id: string,
	appId: string,
	endedAt?: Micros | null,
	metrics?: [readAt: Micros, hasCost: boolean],
];

interface CostState extends RunState {
	costs: WatchedCost[];
}

export const runExceededCost: TriggerEvent = {
	name: 'Job Run Exceeds Cost',
	description: 'Starts the workflow once when a job run has cost more than a limit',
	record: jobRuns.noun,
	fields: [costLimitField, simplifyField, jobRunFilters],
	read(input) {
		const filter = readJobRunFilter(input);
		const limit = readAmount(input, costLimitField);
		const settings = { limit, simplify: input.flag(simplifyField) };
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createRunSource(client, jobRuns, filter);
				const result = await pollRunsFrom(start, source, takeShare(budget, SHARE_OF_RUNS), true);
				const before = (start.state as CostState | undefined)?.costs;
				const found = await pollCosts(client, settings, source, result, before, budget);
				const notes = [...result.notes, ...found.notes];
				return { ...found, items: found.items.slice(-start.limit), notes };
			},
		};
	},
};

/**
 * The items of the runs that have come to cost more than the limit, and the state with the runs whose
 * costs may still rise: active ones, and ended ones until their costs are final.
 *
 * @param limit a decimal string without an exponent
 * @param result of the poll of the runs
 * @param before the costs that were watched by the last poll
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts(
	client: Client,
	{ limit, simplify }: { limit: string; simplify: boolean },
	source: RunSource<JobRun>,
	{ state, shown, changes }: RunPollResult<JobRun>,
	before: readonly WatchedCost[] = [],
	budget: Budget,
): Promise<{ items: INodeExecutionData[]; state: CostState; notes: string[] }> {
	const records = new Map(shown.map(({ run }) => [run.id, run]));
	const tracked = new Set(state.runs.map(([id]) => id));
	const active = new Set(
		state.runs.filter(([, , statuses]) => !statuses.some(isTerminal)).map(([id]) => id),
	);
	const watched = new Map(before.map((entry) => [entry[0], entry]));
	const endings = changes.filter(({ run }) => run.isOver);
	const fresh = new Set([...active, ...endings.map(({ run }) => run.id)]);
	for (const { id, appId } of records.values()) {
		if (appId && fresh.has(id) && !watched.has(id)) watched.set(id, [id, appId]);
	}
	const billed = [...watched.values()].filter(([, appId]) => appId);
	const read = await fetchCosts(
		client,
		billed.map(([, appId]) => appId),
	);
	const costs = new Map(billed.map(([id, appId]) => [id, read.get(appId) as CostResult]));
	const metrics = new Map(before.map(([id, , , own]) => [id, own]));
	const created = new Map(state.runs.map(([id, time]) => [id, time]));
	const begun = source.now();
	// Those first whose cost has not been looked for the longest.
	const since = (id: string) => metrics.get(id)?.[0] ?? created.get(id) ?? -Infinity;
	const due = [...costs.keys()]
		.filter((id) => isPossiblyInMetrics(costs.get(id) as CostResult))
		.filter((id) => !metrics.get(id) || since(id) <= begun - METRICS_EVERY)
		.sort((a, b) => since(a) - since(b));
	await runInParallel(Math.min(due.length, METRICS_PER_POLL), METRICS_PER_POLL, async (index) => {
		const id = due[index];
		const run = { id, isOver: !active.has(id) };
		const result = await fallBackToMetrics(client, run, costs.get(id) as CostResult);
		costs.set(id, result);
		metrics.set(id, [source.now(), 'cost' in result]);
	});
	const isAnyKnown = [...metrics.values()].some((own) => own?.[1]);
	const isRefusedForAll = !isAnyKnown && due.length <= METRICS_PER_POLL;
	for (const result of costs.values()) {
		if ('cost' in result || !result.isRequest) continue;
		// Near the end of a poll, time was simply too short; the runs that were read are kept for the next one.
		if (isRefused(result) ? isRefusedForAll : !budget.spent(SHARE_OF_RUNS)) throw result.failure;
	}
	// By now, the service has told its time, if it does.
	const now = source.now();
	const items: INodeExecutionData[] = [];
	const problems = new Set<string>();
	const kept: WatchedCost[] = [...watched.values()].filter(
		([id, appId]) => !appId && tracked.has(id),
	);
	for (const [id, appId, noticedAt] of billed) {
		const endedAt = noticedAt ?? now;
		const result = costs.get(id) as CostResult;
		const cost = 'cost' in result ? result.cost : undefined;
		const problem = cost && explainIncomparable(cost);
		if (problem) problems.add(`Job run ${id}: ${problem}`);
		const isExceeded = cost !== undefined && !problem && isAbove(cost.cost, limit);
		const found = isExceeded && !records.has(id) ? await settle(source.run(id)) : undefined;
		const record = found?.ok ? found.value : records.get(id);
		if (isExceeded && record) {
			items.push(
				toItem({
					...toRecord(record, simplify, client.serviceNow()),
					...cost,
					costLimit: limit,
					eventId: toEventId('run', id, 'cost'),
				}),
			);
			if (tracked.has(id)) kept.push([id, '']);
			continue;
		}
		// What was over the limit, and could not be reported, is read again at once.
		const own = isExceeded ? undefined : metrics.get(id);
		if (active.has(id)) {
			kept.push([id, appId, null, own]);
			continue;
		}
		// If no poll had time for hours, the cost has to be read first.
		const isRead = 'cost' in result || !result.isRequest || isRefused(result);
		const isDue = isPossiblyInMetrics(result) && !(own && own[0] >= endedAt);
		// The billing system may fail inside of a successful response.
		const isPassing = 'failure' in result && result.failure.parts.temporary === true;
		if (isPassing) problems.add(`${result.failure.message} (${id}); the next poll tries again.`);
		const longest = isExceeded || isPassing || isDue ? DAY : SETTLING;
		const isOver = (cost && !isExceeded && isFinal(cost)) || now - endedAt >= longest;
		if (!isRead || !isOver) kept.push([id, appId, endedAt, own]);
	}
	return { items, state: { ...state, costs: kept }, notes: [...problems] };
}

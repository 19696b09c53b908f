/** Tested by test/engine/trigger/runExceededCost.test.ts and usual.test.ts. */
import type { INodeExecutionData } from 'n8n-workflow';

import { checkAmount, defineAmountField, readAmount, simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
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
import {
	type Comparison,
	defineComparison,
	describeComparison,
	fetchUsual,
	type Measure,
	type Usual,
} from './usual';

/** How long after its end a run's cost may take to settle; other workloads settle within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

const costLimitField = defineAmountField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	required: true,
	placeholder: 'e.g. 25.00',
	rule: (text) => (/^0+(\.0+)?$/.test(text) ? undefined : checkAmount(text)),
	description:
		'How much a job run may cost. 0 means no limit but what is usual. The figures of Wherobots Cloud lag behind, so the run may have cost more by the time the workflow starts.',
});

const usually = defineComparison('Times as Expensive as Usual', 'costs so many times as much');

const cost: Measure = {
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
};

interface CostSettings {
	/** A decimal string without an exponent; undefined where runs are only compared with others. */
	limit?: string;
	comparison?: Comparison;
	simplify: boolean;
}

/** Metrics take a request for each run: how many a poll reads, and how often those of a run. */
const METRICS_PER_POLL = 5;
const METRICS_EVERY: Micros = 10 * MINUTE;

/**
 * A run whose cost is watched: the ID under which it is billed, empty once its cost was reported; since
 * when it is watched after its end; when its metrics were read, and whether they had its cost; the name of
 * its work, where that is compared.
 */
type WatchedCost = [
	id: string,
	appId: string,
	endedAt?: Micros | null,
	metrics?: [readAt: Micros, hasCost: boolean],
	work?: string,
];

interface CostState extends RunState {
	costs: WatchedCost[];
}

export const runExceededCost: TriggerEvent = {
	name: 'Job Run Exceeds Cost',
	description: 'Starts the workflow once when a job run has cost more than a limit',
	record: jobRuns.noun,
	fields: [
		...[costLimitField, usually.factorField, simplifyField],
		...[jobRunFilters, usually.optionsField],
	],
	read(input) {
		const filter = readJobRunFilter(input);
		const settings = readSettings(input);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createRunSource(client, jobRuns, filter);
				const result = await pollRunsFrom(start, source, takeShare(budget, SHARE_OF_RUNS), true);
				const before = (start.state as CostState | undefined)?.costs;
				const isTest = start.since !== undefined;
				const found = await pollCosts(client, settings, source, result, before, budget, isTest);
				const notes = [...result.notes, ...found.notes];
				return { ...found, items: found.items.slice(-start.limit), notes };
			},
		};
	},
};

function readSettings(input: Input): CostSettings {
	const comparison = usually.read(input);
	const amount = readAmount(input, costLimitField);
	const limit = isAbove(amount, '0') ? amount : undefined;
	if (limit === undefined && !comparison) {
		throw input.problem(
			costLimitField,
			`must be an amount above 0, unless '${usually.factorField.displayName}' is more than 0`,
		);
	}
	return { limit, comparison, simplify: input.flag(simplifyField) };
}

const toDecimal = (amount: number) => amount.toFixed(6);

/** The lower one of both limits, as a decimal string. */
function findLimit({ limit }: CostSettings, usual?: Usual) {
	const relative = usual && toDecimal(usual.limit);
	const isUsual = relative !== undefined && (limit === undefined || isAbove(limit, relative));
	return { limit: isUsual ? relative : limit, isUsual };
}

/**
 * The items of the runs that have come to cost more than the limit, and the state with the runs whose
 * costs may still rise: active ones, and ended ones until their costs are final.
 *
 * @param result of the poll of the runs
 * @param before the costs that were watched by the last poll
 * @param isTest whether it is for a manual test
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts(
	client: Client,
	settings: CostSettings,
	source: RunSource<JobRun>,
	{ state, shown, changes }: RunPollResult<JobRun>,
	before: readonly WatchedCost[] = [],
	budget: Budget,
	isTest = false,
): Promise<{ items: INodeExecutionData[]; state: CostState; notes: string[] }> {
	const records = new Map(shown.map(({ run }) => [run.id, run]));
	const tracked = new Set(state.runs.map(([id]) => id));
	const active = new Set(
		state.runs.filter(([, , statuses]) => !statuses.some(isTerminal)).map(([id]) => id),
	);
	const watched = new Map(before.map((entry) => [entry[0], entry]));
	const endings = changes.filter(({ run }) => run.isOver);
	const fresh = new Set([...active, ...endings.map(({ run }) => run.id)]);
	const { comparison, simplify } = settings;
	for (const { id, appId } of records.values()) {
		if (appId && fresh.has(id) && !watched.has(id)) watched.set(id, [id, appId]);
	}
	// A run that ended a while ago is not shown anymore.
	const getWork = (id: string) => {
		const run = records.get(id);
		return comparison && (watched.get(id)?.[4] ?? (run && jobRuns.toWork(run)));
	};
	const billed = [...watched.values()].filter(([, appId]) => appId);
	const billedCosts = await fetchCosts(
		client,
		billed.map(([, appId]) => appId),
	);
	const costs = new Map(billed.map(([id, appId]) => [id, billedCosts.get(appId) as CostResult]));
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
	const works = billed.flatMap(([id]) =>
		'cost' in (costs.get(id) as CostResult) ? (getWork(id) ?? []) : [],
	);
	const asked = { comparison, works, isTest };
	const usual = await fetchUsual(client, jobRuns, cost, asked);
	// By now, the service has told its time, if it does.
	const now = source.now();
	const items: INodeExecutionData[] = [];
	const problems = new Set(usual.notes);
	const kept: WatchedCost[] = [...watched.values()].filter(
		([id, appId]) => !appId && tracked.has(id),
	);
	for (const [id, appId, noticedAt] of billed) {
		const endedAt = noticedAt ?? now;
		const work = getWork(id);
		const result = costs.get(id) as CostResult;
		const found = 'cost' in result ? result.cost : undefined;
		const problem = found && explainIncomparable(found);
		if (problem) problems.add(`Job run ${id}: ${problem}`);
		const known = work ? usual.find(work, id) : undefined;
		const { limit, isUsual } = findLimit(settings, known);
		const isExceeded = found && !problem && limit !== undefined && isAbove(found.cost, limit);
		const read = isExceeded && !records.has(id) ? await settle(source.run(id)) : undefined;
		const record = read?.ok ? read.value : records.get(id);
		if (isExceeded && record) {
			items.push(
				toItem({
					...toRecord(record, simplify, client.serviceNow()),
					...found,
					costLimit: limit,
					...(comparison && {
						...describeComparison(comparison, known, isUsual),
						usualCost: known ? toDecimal(known.median) : null,
					}),
					eventId: toEventId('run', id, 'cost'),
				}),
			);
			if (tracked.has(id)) kept.push([id, '']);
			continue;
		}
		// What was over the limit, and could not be reported, is read again at once.
		const own = isExceeded ? undefined : metrics.get(id);
		if (active.has(id)) {
			kept.push([id, appId, null, own, work]);
			continue;
		}
		// If no poll had time for hours, the cost has to be read first.
		const isRead = 'cost' in result || !result.isRequest || isRefused(result);
		const isDue = isPossiblyInMetrics(result) && !(own && own[0] >= endedAt);
		// The billing system may fail inside of a successful response.
		const isPassing = 'failure' in result && result.failure.parts.temporary === true;
		if (isPassing) problems.add(`${result.failure.message} (${id}); the next poll tries again.`);
		const longest = isExceeded || isPassing || isDue ? DAY : SETTLING;
		const isOver = (found && !isExceeded && isFinal(found)) || now - endedAt >= longest;
		if (!isRead || !isOver) kept.push([id, appId, endedAt, own, work]);
	}
	return { items, state: { ...state, costs: kept }, notes: [...problems] };
}

/** Tested by test/engine/trigger/runExceededCost.test.ts, taskRunExceededCost.test.ts and usual.test.ts. */
import type { INodeExecutionData } from 'n8n-workflow';

import { checkAmount, defineAmountField, readAmount, simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import { isAbove } from '../../service/json';
import { isFinal, type RunCost } from '../../service/runs/costs';
import type { RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import { type CostResult, isRefused, isUnknownToBilling } from '../../useCases/runs/costs';
import { settle } from '../../transport/failure';
import { DAY, toEventId, HOUR, MINUTE, type RunState } from '../core/cursor';
import type { RunPollResult } from '../core/runPoll';
import { takeShare, type Budget, type RunSource } from '../core/source';
import type { TriggerEvent } from '../event';
import { type Billing, jobRunBilling, taskRunBilling } from './billing';
import { pollRunsFrom, type WatchedRuns, watchedJobRuns, watchedTaskRuns } from './runEvents';
import { createRunSource } from '../sources';
import {
	type Comparison,
	defineComparison,
	describeComparison,
	fetchUsual,
	READ_AT_ONCE,
	type Usual,
} from './usual';

/** How long after its end a run's cost may take to settle; other workloads settle within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

const costLimitField = defineAmountField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	default: '0',
	placeholder: 'e.g. 25.00',
	rule: (text) => (/^0+(\.0+)?$/.test(text) ? undefined : checkAmount(text)),
	description:
		"How much a run may cost. 0 means no such limit, if 'Times as Expensive as Usual' is set. Costs are reported late, so a run can cost more.",
});

const usually = defineComparison('Times as Expensive as Usual', 'costs this many times as much');

interface CostSettings {
	/** A decimal string without an exponent; undefined where runs are only compared with others. */
	limit?: string;
	comparison?: Comparison;
	simplify: boolean;
}

/** How often a poll reads what takes a request for one run. */
const READ_EVERY: Micros = 10 * MINUTE;

/** A manual test looks back for months. */
const READS_OF_TEST = 10;

/**
 * A run whose cost is watched: the ID under which it is billed, empty once its cost was reported; since
 * when it is watched after its end; when it was read by itself, and whether it had a cost; the name of its
 * work, where that is compared.
 */
type WatchedCost = [
	id: string,
	billedId: string,
	endedAt?: Micros | null,
	read?: [readAt: Micros, hasCost: boolean],
	work?: string,
];

interface CostState extends RunState {
	costs: WatchedCost[];
}

function defineCostEvent<R extends RunRecord, C extends RunCost>(
	name: string,
	watched: WatchedRuns<R>,
	billing: Billing<R, C>,
): TriggerEvent {
	const { kind, filters, readFilter } = watched;
	return {
		name,
		description: `Starts the workflow once when a ${kind.noun} has cost more than a limit`,
		record: kind.noun,
		fields: [
			...[costLimitField, usually.factorField, simplifyField],
			...[filters, usually.optionsField],
		],
		read(input) {
			const filter = readFilter(input);
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
			`must be an amount above 0, unless '${usually.factorField.displayName}' is more than 0`,
		);
	}
	return { limit, comparison, simplify: input.flag(simplifyField) };
}

const toDecimal = (amount: number) => amount.toFixed(6);

/** The lower one of both limits, as a decimal string. */
function findLimit({ limit }: CostSettings, usual: Usual) {
	const relative = usual.runs > 0 ? toDecimal(usual.limit) : undefined;
	const isUsual = relative !== undefined && (limit === undefined || isAbove(limit, relative));
	return { limit: isUsual ? relative : limit, isUsual };
}

interface AskedCosts<R extends RunRecord, C extends RunCost> {
	settings: CostSettings;
	billing: Billing<R, C>;
	source: RunSource<R>;
	/** Of the poll of the runs. */
	result: RunPollResult<R>;
	/** The costs that were watched by the last poll. */
	before?: readonly WatchedCost[];
	budget: Budget;
	/** Whether it is for a manual test. */
	isTest: boolean;
}

/**
 * The items of the runs that have come to cost more than the limit, and the state with the runs whose
 * costs may still rise: active ones, and ended ones until their costs are final.
 *
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts<R extends RunRecord, C extends RunCost>(
	client: Client,
	{ kind, subject, toRecord }: WatchedRuns<R>,
	{ settings, billing, source, result: polled, before = [], budget, isTest }: AskedCosts<R, C>,
): Promise<{ items: INodeExecutionData[]; state: CostState; notes: string[] }> {
	const { state, shown, changes } = polled;
	const records = new Map(shown.map(({ run }) => [run.id, run]));
	const tracked = new Set(state.runs.map(([id]) => id));
	const active = new Set(
		state.runs
			.filter(([, , statuses]) => !statuses.some((status) => kind.terminal.includes(status)))
			.map(([id]) => id),
	);
	const watched = new Map(before.map((entry) => [entry[0], entry]));
	const endings = changes.filter(({ run }) => run.isOver);
	const fresh = new Set([...active, ...endings.map(({ run }) => run.id)]);
	const { comparison, simplify } = settings;
	for (const run of records.values()) {
		const [{ id }, billedId] = [run, billing.toBilledId(run)];
		if (billedId && fresh.has(id) && !watched.has(id)) watched.set(id, [id, billedId]);
	}
	// A run that ended a while ago is not shown anymore.
	const getWork = (id: string) => {
		const run = records.get(id);
		return comparison && (watched.get(id)?.[4] ?? (run && kind.toWork(run)));
	};
	const billed = [...watched.values()].filter(([, billedId]) => billedId);
	const billedCosts = await billing.fetchMany(
		client,
		billed.map(([, billedId]) => billedId),
	);
	const costs = new Map(
		billed.map(([id, billedId]) => [id, billedCosts.get(billedId) as CostResult<C>]),
	);
	const reads = new Map(before.map(([id, , , own]) => [id, own]));
	const created = new Map(state.runs.map(([id, time]) => [id, time]));
	const begun = source.now();
	// Those first whose cost has not been looked for the longest.
	const since = (id: string) => reads.get(id)?.[0] ?? created.get(id) ?? -Infinity;
	const due = [...costs.keys()]
		.filter((id) => isUnknownToBilling(costs.get(id) as CostResult<C>))
		.filter((id) => !reads.get(id) || since(id) <= begun - READ_EVERY)
		.sort((a, b) => (isTest ? since(b) - since(a) : since(a) - since(b)));
	const most = isTest ? READS_OF_TEST : billing.readsPerPoll;
	const readNow = new Set<string>();
	await runInParallel(Math.min(due.length, most), READ_AT_ONCE, async (index) => {
		if (index >= READ_AT_ONCE && budget.spent()) return;
		const id = due[index];
		const run = { id, isOver: !active.has(id) };
		const result = await billing.fetchOne(client, run, costs.get(id) as CostResult<C>);
		costs.set(id, result);
		readNow.add(id);
		reads.set(id, [source.now(), 'cost' in result]);
	});
	const isAnyKnown = [...reads.values()].some((own) => own?.[1]);
	const isRefusedForAll = !isAnyKnown && (isTest || [...costs.keys()].every((id) => reads.get(id)));
	for (const result of costs.values()) {
		if ('cost' in result || !result.isRequest) continue;
		// Near the end of a poll, time was simply too short; the runs that were read are kept for the next one.
		if (isRefused(result) ? isRefusedForAll : !budget.spent(SHARE_OF_RUNS)) throw result.failure;
	}
	const works = billed.flatMap(([id]) => {
		const result = costs.get(id) as CostResult<C>;
		return 'cost' in result && isAbove(result.cost.cost, '0') ? (getWork(id) ?? []) : [];
	});
	const asked = { comparison, works, isTest, isAlone: settings.limit === undefined };
	const usual = await fetchUsual(client, kind, billing.measure, asked);
	// By now, the service has told its time, if it does.
	const now = source.now();
	const found: Array<{ created: Micros; item: INodeExecutionData }> = [];
	const problems = new Set(usual.notes);
	const kept: WatchedCost[] = [...watched.values()].filter(
		([id, billedId]) => !billedId && tracked.has(id),
	);
	for (const [id, billedId, noticedAt] of billed) {
		const endedAt = noticedAt ?? now;
		const work = getWork(id);
		const result = costs.get(id) as CostResult<C>;
		const cost = 'cost' in result ? result.cost : undefined;
		const known = usual.find(work, id);
		const { limit, isUsual } = findLimit(settings, known);
		const isExceeded = cost && limit !== undefined && isAbove(cost.cost, limit);
		const read = isExceeded && !records.has(id) ? await settle(source.run(id)) : undefined;
		const record = read?.ok ? read.value : records.get(id);
		if (isExceeded && record) {
			const item = toItem({
				...toRecord(record, simplify, client.serviceNow()),
				...cost,
				costLimit: limit,
				...(comparison && {
					...describeComparison(comparison, known, isUsual),
					usualCost: known.median === undefined ? null : toDecimal(known.median),
				}),
				eventId: toEventId(subject, id, 'cost'),
			});
			found.push({ created: record.created ?? 0, item });
			if (tracked.has(id)) kept.push([id, '']);
			continue;
		}
		const own = reads.get(id);
		if (active.has(id)) {
			kept.push([id, billedId, null, own, work]);
			continue;
		}
		// If no poll had time for hours, the cost has to be read first.
		const isFailed = 'failure' in result && result.isRequest === true;
		const isUnread = isUnknownToBilling(result) ? !readNow.has(id) : isFailed;
		// The billing system may fail inside of a successful response.
		const isPassing = 'failure' in result && result.failure.parts.temporary === true;
		if (isPassing) problems.add(`${result.failure.message} (${id}); the next poll tries again.`);
		const longest = isExceeded || isPassing ? DAY : SETTLING;
		const isOver = (cost && !isExceeded && isFinal(cost)) || now - endedAt >= longest;
		if (isUnread || !isOver) kept.push([id, billedId, endedAt, own, work]);
	}
	const items = found.sort((a, b) => a.created - b.created).map(({ item }) => item);
	return { items, state: { ...state, costs: kept }, notes: [...problems] };
}

/** Tested by test/engine/trigger/runExceededCost.test.ts, taskRunExceededCost.test.ts and usual.test.ts. */
import type { INodeExecutionData } from 'n8n-workflow';

import { checkAmount, defineAmountField, readAmount, simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import { isAbove } from '../../service/json';
import { type Cost, isFinal, type RunCost } from '../../service/runs/costs';
import type { JobRun } from '../../service/records/jobRun';
import type { RunRecord } from '../../service/records/kind';
import type { TaskRun } from '../../service/records/taskRun';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import { Failure, hasStatus, settle } from '../../transport/failure';
import {
	type CostResult,
	fallBackToMetrics,
	fetchCosts,
	isRefused,
	isUnknownToBilling,
} from '../../useCases/runs/costs';
import { fetchTaskRunCost } from '../../useCases/runs/taskRuns';
import {
	type Budget,
	DAY,
	HOUR,
	MINUTE,
	type RunState,
	takeShare,
	toEventId,
} from '../core/cursor';
import type { RunPollResult, RunSource } from '../core/runPoll';
import type { TriggerEvent } from '../event';
import {
	createRunSource,
	pollRunsFrom,
	readFilter,
	type WatchedRuns,
	watchedJobRuns,
	watchedTaskRuns,
} from './runEvents';
import {
	type Comparison,
	defineComparison,
	describeComparison,
	fetchUsual,
	LEAST_RUNS,
	type Measure,
	READ_AT_ONCE,
	type Usual,
} from './usual';

/** How long after its end a run's cost may take to settle; other workloads settle within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

const usually = defineComparison('Multiple of Usual Cost', 'costs this many times as much');

const costLimitField = defineAmountField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	default: '0',
	placeholder: 'e.g. 25.00',
	rule: (text) => (/^0+(\.0+)?$/.test(text) ? undefined : checkAmount(text)),
	description: `How much a run may cost. Set this or '${usually.factorField.displayName}'; 0 means no fixed limit. Costs are reported late, so a run can cost more than this before the workflow starts.`,
});

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

/** How the costs of a kind of run are found out. */
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
	const { comparison, simplify } = settings;
	const records = new Map(shown.map(({ run }) => [run.id, run]));
	const tracked = new Map(
		state.runs.map(([id, created, statuses]) => {
			const isActive = !statuses.some((status) => kind.terminal.includes(status));
			return [id, { created, isActive }];
		}),
	);
	const ended = new Set(changes.filter(({ run }) => run.isOver).map(({ run }) => run.id));
	const watched = new Map(before.map((entry) => [entry[0], entry]));
	for (const [id, run] of records) {
		const billedId = billing.toBilledId(run);
		const isWatched = tracked.get(id)?.isActive || ended.has(id);
		if (billedId && isWatched && !watched.has(id)) watched.set(id, [id, billedId]);
	}
	const entries = [...watched.values()];
	const kept = entries.filter(([id, billedId]) => !billedId && tracked.has(id));
	const billed = entries.filter(([, billedId]) => billedId);
	const ids = billed.map(([, billedId]) => billedId);
	const costs = await billing.fetchMany(client, ids);
	const bills = billed.map(([id, billedId, noticedAt, read, known]) => {
		const run = records.get(id);
		return {
			...{ id, billedId, noticedAt, read, run },
			isActive: tracked.get(id)?.isActive ?? false,
			// A run that ended a while ago is not shown anymore.
			work: comparison && (known ?? (run && kind.toWork(run))),
			result: costs.get(billedId) as CostResult<C>,
			isReadNow: false,
		};
	});
	const begun = source.now();
	// Those first whose cost has not been looked for the longest.
	const since = ({ id, read }: Pick<(typeof bills)[number], 'id' | 'read'>) =>
		read?.[0] ?? tracked.get(id)?.created ?? -Infinity;
	const due = bills
		.filter(({ result }) => isUnknownToBilling(result))
		.filter((bill) => !bill.read || since(bill) <= begun - READ_EVERY)
		.sort((a, b) => (isTest ? since(b) - since(a) : since(a) - since(b)));
	const most = isTest ? READS_OF_TEST : billing.readsPerPoll;
	await runInParallel(Math.min(due.length, most), READ_AT_ONCE, async (index) => {
		if (index >= READ_AT_ONCE && budget.spent()) return;
		const bill = due[index];
		const run = { id: bill.id, isOver: !bill.isActive };
		bill.result = await billing.fetchOne(client, run, bill.result);
		bill.isReadNow = true;
		bill.read = [source.now(), 'cost' in bill.result];
	});
	const isAnyKnown = kept.length > 0 || bills.some(({ read }) => read?.[1]);
	const isRefusedForAll = !isAnyKnown && (isTest || bills.every(({ read }) => read));
	for (const { result } of bills) {
		if ('cost' in result || !result.isRequest) continue;
		// Near the end of a poll, time was simply too short; the runs that were read are kept for the next one.
		if (isRefused(result) ? isRefusedForAll : !budget.spent(SHARE_OF_RUNS)) throw result.failure;
	}
	const works = bills.flatMap(({ result, work }) =>
		'cost' in result && isAbove(result.cost.cost, '0') ? (work ?? []) : [],
	);
	const asked = { comparison, works, isTest, isAlone: settings.limit === undefined };
	const usual = await fetchUsual(client, kind, billing.measure, asked);
	// By now, the service has told its time, if it does.
	const now = source.now();
	const found: Array<{ created: Micros; item: INodeExecutionData }> = [];
	const problems = new Set(usual.notes);
	for (const { id, billedId, noticedAt, read, run, work, result, ...bill } of bills) {
		const cost = 'cost' in result ? result.cost : undefined;
		const known = usual.find(work, id);
		const { limit, isUsual } = findLimit(settings, known);
		const isExceeded = cost && limit !== undefined && isAbove(cost.cost, limit);
		const single = isExceeded && !run ? await settle(source.run(id)) : undefined;
		const record = single?.ok ? single.value : run;
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
			kept.push([id, '']);
			continue;
		}
		if (bill.isActive) {
			kept.push([id, billedId, null, read, work]);
			continue;
		}
		const endedAt = noticedAt ?? now;
		// If no poll had time for hours, the cost has to be read first.
		const isFailed = 'failure' in result && result.isRequest === true;
		const isUnread = isUnknownToBilling(result) ? !bill.isReadNow : isFailed;
		// The billing system may fail inside of a successful response.
		const isPassing = 'failure' in result && result.failure.parts.temporary === true;
		if (isPassing) problems.add(`${result.failure.message} (${id}); the next poll tries again.`);
		const longest = isExceeded || isPassing ? DAY : SETTLING;
		const isOver = (cost && !isExceeded && isFinal(cost)) || now - endedAt >= longest;
		if (isUnread || !isOver) kept.push([id, billedId, endedAt, read, work]);
	}
	const items = found.sort((a, b) => a.created - b.created).map(({ item }) => item);
	return { items, state: { ...state, costs: kept }, notes: [...problems] };
}

/**
 * Which runs have come to cost more than a limit. Tested by test/engine/trigger/runExceededCost.test.ts,
 * taskRunExceededCost.test.ts and usual.test.ts, and with histories in test/property/trigger/.
 */
import type { INodeExecutionData } from 'n8n-workflow';

import { toItem } from '../../form/output';
import { isAbove } from '../../service/json';
import { isFinal, type RunCost } from '../../service/runs/costs';
import type { RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { runInParallel } from '../../transport/concurrency';
import { settle } from '../../transport/failure';
import { type CostResult, isRefused, isUnknownToBilling } from '../../useCases/runs/costs';
import { type Budget, DAY, HOUR, MINUTE, type RunState, toEventId } from '../core/cursor';
import type { RunPollResult, RunSource } from '../core/runPoll';
import type { WatchedRuns } from './runEvents';
import {
	type Comparison,
	describeComparison,
	fetchUsual,
	type Measure,
	READ_AT_ONCE,
	type Usual,
} from './usual';

/** How long after its end a run's cost may take to settle; other workloads settle within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

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

export interface CostState extends RunState {
	costs: WatchedCost[];
}

export interface CostSettings {
	/** A decimal string without an exponent; undefined where runs are only compared with others. */
	limit?: string;
	comparison?: Comparison;
	simplify: boolean;
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

/** A run whose cost is looked for. */
interface Bill<R, C extends RunCost> {
	id: string;
	billedId: string;
	/** As in `WatchedCost`. */
	endedAt?: Micros | null;
	read?: [readAt: Micros, hasCost: boolean];
	/** Undefined where runs are not compared. */
	work?: string;
	/** Undefined for a run that ended a while ago: it is not shown anymore. */
	run?: R;
	isActive: boolean;
	result: CostResult<C>;
	isReadNow: boolean;
}

/**
 * The items of the runs that have come to cost more than the limit, and the state with the runs whose
 * costs may still rise: active ones, and ended ones until their costs are final.
 *
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts<R extends RunRecord, C extends RunCost>(
	client: Client,
	watched: WatchedRuns<R>,
	asked: AskedCosts<R, C>,
): Promise<{ items: INodeExecutionData[]; state: CostState; notes: string[] }> {
	return await new CostPoll(client, watched, asked).run();
}

class CostPoll<R extends RunRecord, C extends RunCost> {
	/** The runs that the service has shown. */
	private readonly records: Map<string, R>;

	private readonly tracked: Map<string, { created: Micros; isActive: boolean }>;

	private readonly found: Array<{ created: Micros; item: INodeExecutionData }> = [];

	/** What the next poll watches, or has reported. */
	private readonly kept: WatchedCost[] = [];

	private readonly notes = new Set<string>();

	constructor(
		private readonly client: Client,
		private readonly watched: WatchedRuns<R>,
		private readonly asked: AskedCosts<R, C>,
	) {
		const { shown, state } = asked.result;
		this.records = new Map(shown.map(({ run }) => [run.id, run]));
		this.tracked = new Map(
			state.runs.map(([id, created, statuses]) => {
				const isActive = !statuses.some((status) => watched.kind.terminal.includes(status));
				return [id, { created, isActive }];
			}),
		);
	}

	async run() {
		const { client, found, kept, notes, watched } = this;
		const { billing, isTest, result, settings } = this.asked;
		const bills = await this.fetchBills();
		await this.readSingly(bills);
		this.requireCosts(bills);
		const works = bills.flatMap(({ result: read, work }) =>
			'cost' in read && isAbove(read.cost.cost, '0') ? (work ?? []) : [],
		);
		const { comparison, limit } = settings;
		const past = { comparison, works, isTest, isAlone: limit === undefined };
		const usual = await fetchUsual(client, watched.kind, billing.measure, past);
		for (const note of usual.notes) notes.add(note);
		// By now, the service has told its time, if it does.
		const now = this.asked.source.now();
		for (const bill of bills) await this.take(bill, usual.find(bill.work, bill.id), now);
		const items = found.sort((a, b) => a.created - b.created).map(({ item }) => item);
		return { items, state: { ...result.state, costs: kept }, notes: [...notes] };
	}

	/** What one request for all says of the costs of the watched runs. Those that were reported are kept. */
	private async fetchBills(): Promise<Array<Bill<R, C>>> {
		const { kept, records, tracked } = this;
		const { before = [], billing, result, settings } = this.asked;
		const ended = new Set(result.changes.filter(({ run }) => run.isOver).map(({ run }) => run.id));
		const watched = new Map(before.map((entry) => [entry[0], entry]));
		for (const [id, run] of records) {
			const billedId = billing.toBilledId(run);
			const isWatched = tracked.get(id)?.isActive || ended.has(id);
			if (billedId && isWatched && !watched.has(id)) watched.set(id, [id, billedId]);
		}
		const entries = [...watched.values()];
		kept.push(...entries.filter(([id, billedId]) => !billedId && tracked.has(id)));
		const billed = entries.filter(([, billedId]) => billedId);
		const ids = billed.map(([, billedId]) => billedId);
		const costs = await billing.fetchMany(this.client, ids);
		return billed.map(([id, billedId, endedAt, read, known]) => {
			const run = records.get(id);
			return {
				...{ id, billedId, endedAt, read, run },
				isActive: tracked.get(id)?.isActive ?? false,
				work: settings.comparison && (known ?? (run && this.watched.kind.toWork(run))),
				result: costs.get(billedId) as CostResult<C>,
				isReadNow: false,
			};
		});
	}

	/** Reads the costs of a few runs that were not among those, the ones first that waited for it the longest. */
	private async readSingly(bills: Array<Bill<R, C>>): Promise<void> {
		const { billing, budget, isTest, source } = this.asked;
		const begun = source.now();
		const since = ({ id, read }: Bill<R, C>) =>
			read?.[0] ?? this.tracked.get(id)?.created ?? -Infinity;
		const due = bills
			.filter(({ result }) => isUnknownToBilling(result))
			.filter((bill) => !bill.read || since(bill) <= begun - READ_EVERY)
			.sort((a, b) => (isTest ? since(b) - since(a) : since(a) - since(b)));
		const most = isTest ? READS_OF_TEST : billing.readsPerPoll;
		await runInParallel(Math.min(due.length, most), READ_AT_ONCE, async (index) => {
			if (index >= READ_AT_ONCE && budget.spent()) return;
			const bill = due[index];
			const run = { id: bill.id, isOver: !bill.isActive };
			bill.result = await billing.fetchOne(this.client, run, bill.result);
			bill.isReadNow = true;
			bill.read = [source.now(), 'cost' in bill.result];
		});
	}

	/** @throws Failure when no cost at all can be read */
	private requireCosts(bills: Array<Bill<R, C>>): void {
		const { budget, isTest } = this.asked;
		const isAnyKnown = bills.some(({ read }) => read?.[1]);
		const isRefusedForAll = !isAnyKnown && (isTest || bills.every(({ read }) => read));
		for (const { result } of bills) {
			if ('cost' in result || !result.isRequest) continue;
			// Near the end of a poll, time was simply too short; the runs that were read are kept for the next one.
			const isFatal = isRefused(result) ? isRefusedForAll : !budget.spent(SHARE_OF_RUNS);
			if (isFatal) throw result.failure;
		}
	}

	/** Reports a run whose cost is above the limit, or goes on watching it while that may happen. */
	private async take(bill: Bill<R, C>, usual: Usual, now: Micros): Promise<void> {
		const { id, result, run } = bill;
		const cost = 'cost' in result ? result.cost : undefined;
		const { limit, isUsual } = findLimit(this.asked.settings, usual);
		const isExceeded = cost !== undefined && limit !== undefined && isAbove(cost.cost, limit);
		const single = isExceeded && !run ? await settle(this.asked.source.run(id)) : undefined;
		const record = single?.ok ? single.value : run;
		if (!isExceeded || !record) {
			this.keep(bill, isExceeded, now);
			return;
		}
		const { comparison, simplify } = this.asked.settings;
		const item = toItem({
			...this.watched.toRecord(record, simplify, this.client.serviceNow()),
			...cost,
			costLimit: limit,
			...(comparison && {
				...describeComparison(comparison, usual, isUsual),
				usualCost: usual.median === undefined ? null : toDecimal(usual.median),
			}),
			eventId: toEventId(this.watched.subject, id, 'cost'),
		});
		this.found.push({ created: record.created ?? 0, item });
		this.kept.push([id, '']);
	}

	/** Keeps a run whose cost may still rise, or has yet to be read, for the next poll. */
	private keep(bill: Bill<R, C>, isExceeded: boolean, now: Micros): void {
		const { id, billedId, isActive, isReadNow, read, result, work } = bill;
		if (isActive) {
			this.kept.push([id, billedId, null, read, work]);
			return;
		}
		const endedAt = bill.endedAt ?? now;
		// If no poll had time for hours, the cost has to be read first.
		const isFailed = 'failure' in result && result.isRequest === true;
		const isUnread = isUnknownToBilling(result) ? !isReadNow : isFailed;
		// The billing system may fail inside of a successful response.
		const isPassing = 'failure' in result && result.failure.parts.temporary === true;
		if (isPassing) {
			this.notes.add(`${result.failure.message} (${id}); the next poll tries again.`);
		}
		const longest = isExceeded || isPassing ? DAY : SETTLING;
		const isSettled = 'cost' in result && !isExceeded && isFinal(result.cost);
		const isOver = isSettled || now - endedAt >= longest;
		if (isUnread || !isOver) this.kept.push([id, billedId, endedAt, read, work]);
	}
}

const toDecimal = (amount: number) => amount.toFixed(6);

/** The lower one of both limits, as a decimal string. */
function findLimit({ limit }: CostSettings, usual: Usual) {
	const relative = usual.runs > 0 ? toDecimal(usual.limit) : undefined;
	const isUsual = relative !== undefined && (limit === undefined || isAbove(limit, relative));
	return { limit: isUsual ? relative : limit, isUsual };
}

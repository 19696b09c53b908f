import type { INodeExecutionData } from 'n8n-workflow';

import { isAbove, isFinal, MAX_COST_IDS, readCostEntry, type Cost } from '../service/jobRuns/costs';
import { isTerminal } from '../service/jobRuns/runs';
import type { Micros } from '../service/time/time';
import { isRecord, type Run } from '../service/types';
import type { Client } from '../transport/client';
import { inParallel } from '../transport/inParallel';
import { appIdOf } from '../transport/jobRuns/runCosts';
import { toResult } from '../transport/toResult';
import type { RunPollResult } from './core/runs/runPoll';
import type { Budget, RunSource } from './core/source';
import type { RunState, WatchedCosts } from './core/state';
import { DAY, HOUR } from './core/watermark';
import { costItem } from './items';
import type { CostSettings } from './settings';

/** Costs settle after a run has ended: for other workloads, within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

const REQUESTS_AT_ONCE = 10;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

/** A run whose cost is looked up. */
interface Watched {
	id: string;
	appId: string;
	/** Not set for one of which nothing but its IDs is kept. */
	run?: Run;
	/** When it was seen to have ended. */
	endedAt?: Micros;
}

/**
 * The items of the runs that have come to cost more than the limit, and the state with what is known
 * of their costs: those of active runs, and of ended ones until they are final.
 *
 * @param known what earlier polls have found
 * @param result of the poll of the runs
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts(
	client: Client,
	{ limit, simplify }: CostSettings,
	known: WatchedCosts = { reported: [], ended: [] },
	source: RunSource<Run>,
	{ state, shown, changes }: RunPollResult<Run>,
	budget: Budget,
): Promise<{ items: INodeExecutionData[]; state: RunState }> {
	const now = source.now();
	const reported = new Set(known.reported);
	const endings = changes.filter(({ run }) => isTerminal(run.status));
	const justEnded = new Set(endings.map(({ run }) => run.id));
	const watched = new Map<string, Watched>(
		known.ended.map(([id, appId, endedAt]) => [id, { id, appId, endedAt }]),
	);
	for (const run of shown) {
		const { id, status } = run;
		const appId = appIdOf(run);
		if (!appId || reported.has(id) || (isTerminal(status) && !justEnded.has(id))) continue;
		// A list that is behind may show it as active once more.
		const endedAt = watched.get(id)?.endedAt ?? (justEnded.has(id) ? now : undefined);
		watched.set(id, { id, appId, run, endedAt });
	}
	const read = await toResult(readCosts(client, [...watched.values()], budget));
	if (!read.ok && !budget.spent()) throw read.error;
	const costs = read.ok ? read.value : new Map<string, Cost | undefined>();
	const items: INodeExecutionData[] = [];
	const ended: WatchedCosts['ended'] = [];
	for (const { id, appId, run, endedAt } of watched.values()) {
		const cost = costs.get(appId);
		const isExceeded = cost !== undefined && isAbove(cost.cost, limit);
		const record = isExceeded ? await toResult(readRecord(run, id, source)) : undefined;
		if (isExceeded && record?.ok && record.value) {
			reported.add(id);
			items.push(costItem(record.value, cost, limit, simplify, client.serviceNow()));
			continue;
		}
		const isSettled = cost !== undefined && !isExceeded && isFinal(cost);
		if (endedAt === undefined || isSettled) continue;
		// After hours without a poll that had the time, the cost has to be read first.
		const longest = isExceeded ? DAY : SETTLING;
		if (costs.has(appId) && now - endedAt >= longest) continue;
		ended.push([id, appId, endedAt]);
	}
	const ids = state.runs.map(([id]) => id).filter((id) => reported.has(id));
	return { items, state: { ...state, costs: { reported: ids, ended } } };
}

async function readRecord(run: Run | undefined, id: string, source: RunSource<Run>) {
	return run ?? (await source.run(id));
}

/** The costs by the IDs that the service bills, with one request per hundred; undefined where it knows none. */
export async function readCosts(
	client: Client,
	watched: ReadonlyArray<{ appId?: string }>,
	budget: Budget,
): Promise<Map<string, Cost | undefined>> {
	const ids = [...new Set(watched.flatMap(({ appId }) => appId ?? []))];
	const costs = new Map<string, Cost | undefined>();
	await inParallel(Math.ceil(ids.length / MAX_COST_IDS), REQUESTS_AT_ONCE, async (batch) => {
		if (budget.spent()) return;
		const asked = ids.slice(batch * MAX_COST_IDS, (batch + 1) * MAX_COST_IDS);
		const body = await client.call('getCosts', { body: { kubeAppIds: asked } });
		const entries = isRecord(body) && isRecord(body.costs) ? body.costs : {};
		for (const id of asked) {
			const entry = readCostEntry(entries[id]);
			costs.set(id, entry && 'cost' in entry ? entry.cost : undefined);
		}
	});
	return costs;
}

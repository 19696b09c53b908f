import type { INodeExecutionData } from 'n8n-workflow';

import { textField } from '../../parameters/declarations';
import { readAmount, simplifyField } from '../../parameters/fields';
import { item } from '../../parameters/items';
import {
	isAbove,
	isFinal,
	MAX_COST_IDS,
	readCostEntry,
	type Cost,
} from '../../service/jobRuns/costs';
import { isTerminal } from '../../service/jobRuns/runs';
import type { Micros } from '../../service/time/time';
import { isRecord, type Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { appIdOf } from '../../transport/jobRuns/runCosts';
import { unexpected } from '../../transport/records';
import { toResult } from '../../transport/toResult';
import { eventId } from '../core/ids';
import type { RunPollResult } from '../core/runs/runPoll';
import { shareOf, type Budget, type RunSource } from '../core/source';
import type { RunState, WatchedCosts } from '../core/state';
import { DAY, HOUR } from '../core/watermark';
import { jobRunSource } from '../serviceSource';
import type { TriggerEvent } from './event';
import { jobRunFilters, pollRunsFrom, readJobRunFilter, recordOf } from './runEvent';

/** Costs settle after a run has ended: for other workloads, within 45 minutes. */
const SETTLING: Micros = 2 * HOUR;

/** The share of a poll's time for the runs; the rest is for their costs. */
export const SHARE_OF_RUNS = 0.75;

/** Text, as an amount of money keeps every digit in it. */
const costLimitField = textField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	required: true,
	placeholder: 'e.g. 25.00',
	description:
		'How much a job run may cost. The figures of Wherobots Cloud lag behind, so the run may have cost more by the time the workflow starts.',
});

export const runExceededCost: TriggerEvent = {
	name: 'Job Run Exceeds Cost',
	description: 'Starts the workflow once when a job run has cost more than a limit',
	record: 'job run',
	fields: [costLimitField, simplifyField, jobRunFilters],
	read(input) {
		const filter = readJobRunFilter(input);
		const limit = readAmount(input, costLimitField);
		const settings = { limit, simplify: input.flag(simplifyField) };
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = jobRunSource(client, filter);
				const result = await pollRunsFrom(start, source, shareOf(budget, SHARE_OF_RUNS));
				// While it is not known whose key it is, there are no runs; another one's start afresh.
				const before = start.doubt ? result.state : start.state;
				const known = before?.kind === 'runs' ? before.costs : undefined;
				const found = await pollCosts(client, settings, known, source, result, budget);
				return { ...found, items: found.items.slice(-start.most), notes: result.notes };
			},
		};
	},
};

/**
 * The items of the runs that have come to cost more than the limit, and the state with what is known
 * of their costs: those of active runs, and of ended ones until they are final.
 *
 * @param limit a decimal string without an exponent
 * @param known what earlier polls have found
 * @param result of the poll of the runs
 * @throws what the client throws; nothing has been lost then, the next poll starts from the same state
 */
export async function pollCosts(
	client: Client,
	{ limit, simplify }: { limit: string; simplify: boolean },
	known: WatchedCosts = { reported: [], ended: [] },
	source: RunSource<Run>,
	{ state, shown, changes }: RunPollResult<Run>,
	budget: Budget,
): Promise<{ items: INodeExecutionData[]; state: RunState }> {
	const now = source.now();
	const reported = new Set(known.reported);
	const endings = changes.filter(({ run }) => isTerminal(run.status));
	const justEnded = new Set(endings.map(({ run }) => run.id));
	// Of those that ended before, nothing but the IDs is kept.
	const watched = new Map<string, { appId: string; run?: Run; endedAt?: Micros }>(
		known.ended.map(([id, appId, endedAt]) => [id, { appId, endedAt }]),
	);
	for (const run of shown) {
		const { id, status } = run;
		const appId = appIdOf(run);
		if (!appId || reported.has(id) || (isTerminal(status) && !justEnded.has(id))) continue;
		// A list that is behind may show it as active once more.
		const endedAt = watched.get(id)?.endedAt ?? (justEnded.has(id) ? now : undefined);
		watched.set(id, { appId, run, endedAt });
	}
	const costs = new Map<string, Cost | undefined>();
	const appIds = new Set([...watched.values()].map(({ appId }) => appId));
	const read = await toResult(readCosts(client, [...appIds], costs));
	// So late, it was the time that was too short. The runs that were read are kept for the next poll.
	if (!read.ok && !budget.spent(SHARE_OF_RUNS)) throw read.error;
	const items: INodeExecutionData[] = [];
	const ended: WatchedCosts['ended'] = [];
	for (const [id, { appId, run, endedAt }] of watched) {
		const cost = costs.get(appId);
		const isExceeded = cost !== undefined && isAbove(cost.cost, limit);
		const found = isExceeded && !run ? await toResult(source.run(id)) : undefined;
		const record = found?.ok ? found.value : run;
		if (isExceeded && record) {
			reported.add(id);
			items.push(
				item({
					...recordOf(record, simplify, client.serviceNow()),
					...cost,
					costLimit: limit,
					eventId: eventId('run', id, 'cost'),
				}),
			);
			continue;
		}
		if (endedAt === undefined || (cost && !isExceeded && isFinal(cost))) continue;
		// After hours without a poll that had the time, the cost has to be read first.
		const longest = isExceeded ? DAY : SETTLING;
		if (!costs.has(appId) || now - endedAt < longest) ended.push([id, appId, endedAt]);
	}
	const ids = state.runs.map(([id]) => id).filter((id) => reported.has(id));
	return { items, state: { ...state, costs: { reported: ids, ended } } };
}

/**
 * Reads costs by the IDs that the service bills, with one request per hundred.
 *
 * @param costs where they are put, undefined where the service knows none; those of the requests
 * before one that fails are there, too
 * @throws NodeApiError as the client does, and when a response has no costs
 */
async function readCosts(
	client: Client,
	appIds: string[],
	costs: Map<string, Cost | undefined>,
): Promise<void> {
	for (let begin = 0; begin < appIds.length; begin += MAX_COST_IDS) {
		const asked = appIds.slice(begin, begin + MAX_COST_IDS);
		const body = await client.call('getCosts', { body: { kubeAppIds: asked } });
		const entries = isRecord(body) && isRecord(body.costs) ? body.costs : undefined;
		// One entry that cannot be read must not hide the others; nothing but such ones is an error.
		if (!entries || asked.every((id) => id in entries && !readCostEntry(entries[id]))) {
			throw unexpected(client, 'It does not contain the costs of the job runs.', {});
		}
		for (const id of asked) {
			const entry = readCostEntry(entries[id]);
			costs.set(id, entry && 'cost' in entry ? entry.cost : undefined);
		}
	}
}

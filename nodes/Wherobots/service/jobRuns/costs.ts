/** What workloads cost (public description of the service: `POST /usage/costs`, and a run's metrics). */
import type { IDataObject } from 'n8n-workflow';

import { plainDecimal } from '../decimal';
import { isRecord, type Run } from '../types';
import { simplifyMetrics, type RunMetrics } from './metrics';
import { isTerminal } from './runs';

/** Maximum number of IDs per request. */
export const MAX_COST_IDS = 100;

/** What a workload has cost. Amounts are decimal strings with every digit that the service sent. */
export interface Cost {
	cost: string;
	currency: string;
	spatialUnits: string | null;
	/**
	 * `live` while it runs, `settling` for a while after its end, then `final`; or a status yet unknown.
	 * Null when the figure is from the metrics of a run that has ended, which do not say.
	 */
	costStatus: string | null;
	settledAt: string | null;
	lastEvaluatedAt: string | null;
	/** The billing system, or the metrics of the run. */
	costSource: 'billing' | 'metrics';
}

/** What a response says about one ID: a cost, or why there is none (`not_found`, `upstream_error` …). */
export type CostEntry = { cost: Cost } | { reason: string };

/**
 * What the response says about an ID.
 *
 * @param entry the value under the ID
 * @returns undefined when it is neither a cost nor a reason
 */
export function readCostEntry(entry: unknown): CostEntry | undefined {
	if (!isRecord(entry)) return undefined;
	if (typeof entry.reason === 'string') return { reason: entry.reason };
	const cost = plainDecimal(entry.cost);
	if (cost === undefined || typeof entry.status !== 'string') return undefined;
	return {
		cost: {
			cost,
			currency: textOrNull(entry.currency) ?? 'USD',
			spatialUnits: plainDecimal(entry.spatial_units) ?? null,
			costStatus: entry.status,
			settledAt: textOrNull(entry.settled_at),
			lastEvaluatedAt: textOrNull(entry.last_evaluated_at),
			costSource: 'billing',
		},
	};
}

/** What a run has cost according to its metrics; undefined when they do not say (yet). */
export function costInMetrics(
	{ id, status }: Pick<Run, 'id' | 'status'>,
	metrics: RunMetrics,
): Cost | undefined {
	const { costUsd, consumedSpatialUnits, measuredAt } = simplifyMetrics(id, metrics);
	const cost = plainDecimal(String(costUsd));
	return cost === undefined
		? undefined
		: {
				cost,
				currency: 'USD',
				spatialUnits: plainDecimal(String(consumedSpatialUnits)) ?? null,
				costStatus: isTerminal(status) ? null : 'live',
				settledAt: null,
				lastEvaluatedAt: textOrNull(measuredAt),
				costSource: 'metrics',
			};
}

/** Why a cost cannot be compared with a limit, which is in US dollars; undefined when it can. */
export function incomparable({ currency }: Cost): string | undefined {
	return currency === 'USD'
		? undefined
		: `The cost is in ${currency} and the limit in USD, so they were not compared.`;
}

/** How certain a cost is, or where it is from, for sentences. */
export function certaintyOf({ costStatus, costSource }: Cost): string {
	return costStatus && costSource === 'billing' ? costStatus : "from the run's metrics";
}

/** Whether the service will never change a cost again. */
export function isFinal({ costStatus }: Cost): boolean {
	return costStatus === 'final';
}

/** The output fields in place of a cost. */
export function noCost(problem: string): IDataObject {
	return { cost: null, costStatus: null, costProblem: problem };
}

function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

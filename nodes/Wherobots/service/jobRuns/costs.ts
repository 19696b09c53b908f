/** What workloads cost (public description of the service: `POST /usage/costs`, and a run's metrics). */
import type { IDataObject } from 'n8n-workflow';

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

/** Digits with or without a decimal point, or in exponential notation, as for long fractions. */
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal string without an exponent, digit for digit: `12.3400` stays as it is, `1.5E-7` becomes
 * `0.00000015`. It is never converted to a number, which would round it.
 *
 * @returns undefined for anything else
 */
export function plainDecimal(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const match = DECIMAL.exec(value);
	if (!match) return undefined;
	const [, sign, whole, fraction, exponent] = match;
	let digits = whole + fraction;
	if (digits === '') return undefined;
	if (exponent === undefined) return value;
	let point = whole.length + Number(exponent);
	if (point < 1) {
		digits = '0'.repeat(1 - point) + digits;
		point = 1;
	}
	digits = digits.padEnd(point, '0');
	const head = digits.slice(0, point).replace(/^0+(?=\d)/, '');
	return `${sign}${head}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** Whether one decimal text is a larger number than another. Both are as `plainDecimal` gives them. */
export function isAbove(one: string, other: string): boolean {
	const [[a, fractionA], [b, fractionB]] = [one, other].map((text) => `${text}.`.split('.'));
	const places = Math.max(fractionA.length, fractionB.length);
	return BigInt(a + fractionA.padEnd(places, '0')) > BigInt(b + fractionB.padEnd(places, '0'));
}

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

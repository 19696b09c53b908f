/**
 * What job runs use (public description of the service, `GET /runs/{run_id}/metrics`), and what
 * workloads cost (`POST /usage/costs`, and a run's metrics).
 */
import type { IDataObject } from 'n8n-workflow';

import { isAbove, toPlainDecimal } from '../json';
import { isRecord } from '../records';
import type { JobRun } from '../records/jobRun';
import { formatTime, type Micros, MICROS_PER_MS } from '../time';

/** Known metrics in the order of the output; the service may omit some and send others. */
const KNOWN_METRICS = [
	'CPU_UTILIZATION_PERCENT',
	'MEMORY_UTILIZATION_PERCENT',
	'GPU_UTILIZATION_PERCENT',
	'GPU_MEMORY_UTILIZATION_PERCENT',
	'COST_USD',
	'CONSUMED_SPATIAL_UNITS',
];

/** The suffix of a field's name for each format. */
const UNITS: Record<string, string> = { PERCENTAGE: 'Percent', BYTES: 'Bytes', CURRENCY: 'Usd' };

/** A response with metrics: the parts that are certain. */
interface RunMetrics extends IDataObject {
	instant_metrics?: IDataObject;
	series_metrics?: IDataObject;
}

interface Point {
	value: number | string;
	at: Micros | undefined;
}

/** Whether a response has metrics: at least one of the two groups, each an object. */
export function isRunMetrics(response: IDataObject): response is RunMetrics {
	const groups = [response.instant_metrics, response.series_metrics].filter(
		(group) => group !== undefined && group !== null,
	);
	return groups.length > 0 && groups.every(isRecord);
}

/**
 * The metrics of a run as one flat item with the units in the names: the latest value of each, the
 * average and the highest one of each percentage that came as a series, what was consumed as all outputs
 * have it, and when they were measured.
 * Known metrics that the response lacks are null; unknown ones are named after their key.
 */
export function simplifyMetrics(runId: string, response: RunMetrics): IDataObject & Amounts {
	const latest = new Map<string, Point | undefined>(
		KNOWN_METRICS.map((key) => [toFieldName(key), undefined]),
	);
	const summaries: Array<[string, Point['value'] | null]> = [];
	for (const group of [response.instant_metrics, response.series_metrics]) {
		for (const [key, details] of Object.entries(group ?? {})) {
			const metric = isRecord(details) ? details.metric : undefined;
			if (!isRecord(metric)) continue;
			const name = toFieldName(key, metric.format);
			const isUsage = metric.format === 'PERCENTAGE';
			const { data } = metric;
			const points = (Array.isArray(data) ? data : [data]).flatMap(toPoints);
			const newest = findLargest(points, ({ at }) => at ?? 0);
			// As in the service's own clients: usage is what its series says, a cost its instant value.
			latest.set(name, isUsage ? (newest ?? latest.get(name)) : (latest.get(name) ?? newest));
			if (group === response.instant_metrics || !isUsage) continue;
			const highest = findLargest(points, ({ value }) => Number(value));
			summaries.push(
				[`${name}Average`, computeAverage(points)],
				[`${name}Max`, highest?.value ?? null],
			);
		}
	}
	const times = [...latest.values()].flatMap((point) => point?.at ?? []);
	const { costUsd, consumedSpatialUnits, ...usage } = Object.fromEntries(
		[...latest].map(([name, point]) => [name, point?.value ?? null]),
	);
	return {
		runId,
		...usage,
		...Object.fromEntries(summaries),
		...toAmounts(costUsd, consumedSpatialUnits),
		measuredAt: times.length > 0 ? formatTime(times.reduce((a, b) => Math.max(a, b))) : null,
	};
}

/** The point with the largest figure; of equal ones, the last. */
function findLargest(points: Point[], figure: (point: Point) => number): Point | undefined {
	return [...points].sort((a, b) => figure(a) - figure(b)).at(-1);
}

/** To two decimals; null without points. */
function computeAverage(points: Point[]): number | null {
	const sum = points.reduce((total, { value }) => total + Number(value), 0);
	return points.length > 0 ? Math.round((100 * sum) / points.length) / 100 : null;
}

/** `CPU_UTILIZATION_PERCENT` becomes `cpuUtilizationPercent`; a missing unit is added. */
function toFieldName(key: string, format?: unknown): string {
	const name = key
		.toLowerCase()
		.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
	const unit = typeof format === 'string' && Object.hasOwn(UNITS, format) ? UNITS[format] : '';
	return name.toLowerCase().endsWith(unit.toLowerCase()) ? name : name + unit;
}

/** A value with its time, or a pair of time and value. Empty when there is no value. */
function toPoints(data: unknown): Point[] {
	const pair: unknown[] = Array.isArray(data) ? data : [];
	const { timestamp, value } = isRecord(data) ? data : { timestamp: pair[0], value: pair[1] };
	const usable = typeof value === 'number' || (typeof value === 'string' && value !== '');
	return usable ? [{ value, at: toTime(timestamp) }] : [];
}

/**
 * The unit of timestamps is not documented; the magnitude shows whether they are seconds, ms, µs or ns,
 * for the years 1973 to 5138. To the millisecond: nanoseconds do not fit into a number.
 */
function toTime(timestamp: unknown): Micros | undefined {
	if (typeof timestamp !== 'number' && typeof timestamp !== 'string') return undefined;
	const time = Number(timestamp);
	if (!(time >= 1e8 && time < 1e20)) return undefined;
	let millis = time * 1_000;
	while (millis >= 1e14) millis /= 1_000;
	return Math.floor(millis) * MICROS_PER_MS;
}

/** Maximum number of IDs per request. */
export const MAX_COST_IDS = 100;

/** Decimal strings with every digit that the service sent, and beside them numbers, to two decimals. */
interface Amounts {
	cost: string | null;
	costRounded: number | null;
	/** The only currency in the public description of the service. */
	currency: 'USD';
	spatialUnits: string | null;
	spatialUnitsRounded: number | null;
}

/** Amounts as all outputs have them, from texts or numbers; null for anything else. */
export function toAmounts(cost: unknown, spatialUnits: unknown): Amounts {
	const exact = (amount: unknown) =>
		toPlainDecimal(typeof amount === 'number' ? String(amount) : amount) ?? null;
	const rounded = (amount: string | null) =>
		amount === null ? null : Math.round(100 * Number(amount)) / 100;
	return {
		cost: exact(cost),
		costRounded: rounded(exact(cost)),
		currency: 'USD',
		spatialUnits: exact(spatialUnits),
		spatialUnitsRounded: rounded(exact(spatialUnits)),
	};
}

/** What a run has cost. */
export interface RunCost extends Amounts {
	cost: string;
	/**
	 * `live` while it runs, `settling` for a while after its end, then `final`; or a status yet unknown.
	 * Null when the figure is from the metrics of a run that has ended, which do not say.
	 */
	costStatus: string | null;
}

/** What the billing system, or the metrics of a job run, say that it has cost. */
export interface Cost extends RunCost {
	settledAt: string | null;
	lastEvaluatedAt: string | null;
	/** The billing system, or the metrics of the run. */
	costSource: 'billing' | 'metrics';
}

/** What a response says about one ID: a cost, or why there is none (`not_found`, `upstream_error` …). */
type CostEntry = { cost: Cost } | { reason: string };

/**
 * What the response says about an ID.
 *
 * @param entry the value under the ID
 * @returns undefined when it is neither a cost nor a reason
 */
export function parseCostEntry(entry: unknown): CostEntry | undefined {
	if (!isRecord(entry)) return undefined;
	if (typeof entry.reason === 'string') return { reason: entry.reason };
	const cost = toPlainDecimal(entry.cost);
	const { currency = 'USD' } = entry;
	if (cost === undefined || typeof entry.status !== 'string' || currency !== 'USD') {
		return undefined;
	}
	return {
		cost: {
			...toAmounts(cost, entry.spatial_units),
			cost,
			costStatus: entry.status,
			settledAt: toTextOrNull(entry.settled_at),
			lastEvaluatedAt: toTextOrNull(entry.last_evaluated_at),
			costSource: 'billing',
		},
	};
}

/** What a run has cost according to its metrics; undefined when they do not say (yet). */
export function computeCost(
	{ id, isOver }: Pick<JobRun, 'id' | 'isOver'>,
	metrics: RunMetrics,
): Cost | undefined {
	const measured = simplifyMetrics(id, metrics);
	const { cost, measuredAt } = measured;
	return cost === null
		? undefined
		: {
				...toAmounts(cost, measured.spatialUnits),
				cost,
				costStatus: isOver ? null : 'live',
				settledAt: null,
				lastEvaluatedAt: toTextOrNull(measuredAt),
				costSource: 'metrics',
			};
}

/** A cost to two decimals, and how certain it is or where it is from, for sentences. */
export function formatCost({ cost, currency, costStatus, costSource }: Cost): string {
	const rounded = Number(cost).toFixed(2);
	const amount = rounded === '0.00' && isAbove(cost, '0') ? 'less than 0.01' : rounded;
	const certainty = costStatus && costSource === 'billing' ? costStatus : "from the run's metrics";
	return `${amount} ${currency} (${certainty})`;
}

/** Whether the service will never change a cost again. */
export function isFinal({ costStatus }: RunCost): boolean {
	return costStatus === 'final';
}

/** The output fields in place of a cost. */
export function toNoCost(problem: string): IDataObject {
	return { cost: null, costRounded: null, costStatus: null, costProblem: problem };
}

function toTextOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

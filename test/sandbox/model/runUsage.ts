/** What runs use and cost: public description of the service, run metrics and workload costs. */
import { recordTime } from '../time';
import type { Timings } from '../timings';
import type { Variants } from '../variants';
import { toJson } from '../server/json';
import { isTerminal, timeOf, type RunRecord } from './runTypes';

/** About 4.44 dollars an hour, in units of 1e-22: more digits than a JavaScript number has. */
const COST_PER_MS = 12_345_678_901_234_567n;
/** About 10 Spatial Units an hour, in units of 1e-12. */
const UNITS_PER_MS = 2_777_777n;

/** The ID under which a run's compute resources are billed. */
export const appIdOf = (run: Pick<RunRecord, 'id'>): string => `app-${run.id}`;

/** For how many milliseconds a run has had its resources so far. */
function usedMs(run: RunRecord, now: number): number {
	const start = timeOf(run, now, (status) => status === 'RUNNING');
	const end = timeOf(run, now, isTerminal) ?? now;
	return start === undefined ? 0 : Math.max(0, end - start);
}

function decimal(ms: number, perMs: bigint, places: number): string {
	const digits = String(BigInt(Math.round(ms)) * perMs).padStart(places + 1, '0');
	return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const costOf = (ms: number) => decimal(ms, COST_PER_MS, 22);
const unitsOf = (ms: number) => decimal(ms, UNITS_PER_MS, 12);

export interface CostTimes {
	timings: Timings;
	now: number;
}

/** A WorkloadCostAvailable; undefined while the billing system does not know the run yet. */
export function costView(
	run: RunRecord,
	{ timings, now }: CostTimes,
): Record<string, unknown> | undefined {
	if (now < run.createTime + timings.costLagMs) return undefined;
	const endedAt = timeOf(run, now, isTerminal);
	const finalAt = endedAt === undefined ? Infinity : endedAt + timings.costSettlingMs;
	const evaluatedAt = now < finalAt ? now - timings.costDelayMs : finalAt;
	const used = usedMs(run, evaluatedAt);
	return {
		kind: 'available',
		kube_app_id: appIdOf(run),
		organization_id: 'org-sandbox',
		cost: costOf(used),
		currency: 'USD',
		spatial_units: unitsOf(used),
		status: endedAt === undefined ? 'live' : now < finalAt ? 'settling' : 'final',
		settled_at: now < finalAt ? null : recordTime(finalAt),
		last_evaluated_at: recordTime(evaluatedAt),
	};
}

const MINUTE = 60_000;

/** The JSON of a RunMetricsResponse. */
export function metricsText(run: RunRecord, now: number, variants: Variants): string {
	const start = timeOf(run, now, (status) => status === 'RUNNING');
	if (start === undefined) return '{"series_metrics":{},"instant_metrics":{}}';
	const end = timeOf(run, now, isTerminal) ?? now;
	const { metricGroups, metricPoints, metricCostWhileRunning } = variants;
	const point = (value: number | null, ms: number) => ({ value, timestamp: Math.round(ms) });
	const details = (name: string, format: string, data: unknown) => ({
		display_name: name,
		metric: { data, format },
	});
	const series = (values: (minute: number) => number) =>
		Array.from({ length: Math.floor((end - start) / MINUTE) + 1 }, (_, minute) =>
			point(values(minute), start + minute * MINUTE),
		);
	const used = usedMs(run, now);
	const cpu = series((minute) => 41.5 + ((minute * 7) % 50));
	const memory = series((minute) => Math.min(95, 63.25 + minute));
	// The instant value is the last one of the series, as both come from the same measurements.
	const usage = {
		CPU_UTILIZATION_PERCENT: details('CPU', 'PERCENTAGE', cpu.at(-1)),
		MEMORY_UTILIZATION_PERCENT: details('Memory', 'PERCENTAGE', memory.at(-1)),
		GPU_UTILIZATION_PERCENT: details('GPU', 'PERCENTAGE', point(null, end)),
	};
	const costs = {
		COST_USD: details('Cost', 'CURRENCY', point(Number(costOf(used)), end)),
		CONSUMED_SPATIAL_UNITS: details('Spatial units', 'NUMBER', point(Number(unitsOf(used)), end)),
	};
	const isBilled = metricCostWhileRunning || timeOf(run, now, isTerminal) !== undefined;
	const instant = { ...(metricGroups === 'split' ? {} : usage), ...(isBilled ? costs : {}) };
	const inForm = (points: Array<ReturnType<typeof point>>) =>
		metricPoints === 'pairs' ? points.map(({ value, timestamp }) => [timestamp, value]) : points;
	const lines = {
		CPU_UTILIZATION_PERCENT: details('CPU', 'PERCENTAGE', inForm(cpu)),
		MEMORY_UTILIZATION_PERCENT: details('Memory', 'PERCENTAGE', inForm(memory)),
	};
	return toJson({
		series_metrics: metricGroups === 'instant' ? {} : lines,
		instant_metrics: metricGroups === 'series' ? {} : instant,
	});
}

/** What job runs use and cost. */
import { ok, recordOf } from '../api';
import { found, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindOf, kindsOf, recordsIn, unitOf, type Json } from '../shape';

const SERIES = ['CPU_UTILIZATION_PERCENT', 'MEMORY_UTILIZATION_PERCENT'];

const INSTANT = ['COST_USD', 'CONSUMED_SPATIAL_UNITS'];

const record = (value: unknown): Json => (isRecord(value) ? value : {});

/** The two groups of metrics of a run that has some. */
async function someMetrics(live: Live) {
	const groupsOf = (json: unknown) => ({
		series: record(record(json).series_metrics),
		instant: record(record(json).instant_metrics),
	});
	const hasAny = ({ json }: { json: unknown }) =>
		Object.values(groupsOf(json)).some((group) => Object.keys(group).length > 0);
	const { run, answer } = await live.firstUseful('/runs/{id}/metrics', hasAny);
	return { run, ...groupsOf(answer.json) };
}

const dataOf = (details: unknown) => record(record(details).metric).data;

const pointsOf = (groups: Json[]) =>
	groups.flatMap((group) => Object.values(group).flatMap((each) => [dataOf(each)].flat()));

/** The cost of a run by the ID of its workload, and the run. */
async function costOf(live: Live): Promise<{ run: Json; cost: Json }> {
	const run = (await live.endedRuns()).find(({ kubeApp }) => text(record(kubeApp).id) !== '');
	const id = text(record(found(run, 'no job run has a kubeApp').kubeApp).id);
	const body = { kubeAppIds: [id] };
	const { costs } = recordOf(await live.api.send('POST', '/usage/costs', { body }));
	const cost = record(costs)[id];
	verify(isRecord(cost), `costs is ${kindOf(costs)}, without the ID that was asked for`);
	return { run: run!, cost };
}

const METRICS_CODE = 'nodes/Wherobots/service/runs/costs.ts';

const COST_CODE = 'nodes/Wherobots/useCases/runs/costs.ts';

export const usageGuesses: Guess[] = [
	{
		name: 'metrics-groups',
		area: 'Metrics and cost',
		assumed: 'CPU and memory are in `series_metrics`, cost and Spatial Units in `instant_metrics`.',
		matters: 'Get Metrics; Get Cost, where the service does not know the cost',
		code: METRICS_CODE,
		async check(live) {
			const { series, instant } = await someMetrics(live);
			const keys = (group: Json) => fieldsOf(group).replace(/[^A-Z_, ]/g, '?');
			const seen = `series: ${keys(series)}; instant: ${keys(instant)}`;
			verify(
				SERIES.every((key) => key in series),
				seen,
			);
			verify(
				INSTANT.every((key) => key in instant),
				seen,
			);
			return seen;
		},
	},
	{
		name: 'metrics-units',
		area: 'Metrics and cost',
		assumed: 'The `format` of a metric is `PERCENTAGE`, `BYTES`, `CURRENCY` or `NUMBER`.',
		matters: 'Get Metrics: names of fields',
		code: METRICS_CODE,
		async check(live) {
			const { series, instant } = await someMetrics(live);
			const details = [series, instant].flatMap((group) => Object.values(group));
			const formats = [...new Set(details.map((each) => text(record(record(each).metric).format)))];
			const known = ['PERCENTAGE', 'BYTES', 'CURRENCY', 'NUMBER'];
			const seen = formats.map((each) => (/^[A-Z_]+$/.test(each) ? each : 'none')).join(', ');
			verify(
				formats.every((format) => known.includes(format)),
				seen,
			);
			return seen;
		},
	},
	{
		name: 'metrics-points',
		area: 'Metrics and cost',
		assumed:
			'A point of a metric is an object with `value` and `timestamp`; its value may be null.',
		matters: 'Get Metrics',
		code: METRICS_CODE,
		async check(live) {
			const { series, instant } = await someMetrics(live);
			const points = pointsOf([series, instant]);
			const isPoint = (each: unknown) => isRecord(each) && 'value' in each && 'timestamp' in each;
			verify(points.every(isPoint), `points are ${kindsOf(points)}`);
			return `value: ${kindsOf(points.map((point) => record(point).value))}`;
		},
	},
	{
		name: 'metrics-timestamps',
		area: 'Metrics and cost',
		assumed: 'Times of metrics are numbers since 1970, in a unit that their size shows.',
		matters: 'Get Metrics: measuredAt',
		code: METRICS_CODE,
		async check(live) {
			const { run, series, instant } = await someMetrics(live);
			const times = pointsOf([series, instant]).map((point) =>
				Array.isArray(point) ? point[0] : record(point).timestamp,
			);
			const day = 86_400_000;
			const from = Date.parse(text(run.createTime)) - day;
			const to = Date.parse(text(run.completeTime) || text(run.updateTime)) + day;
			const units = [...new Set(times.map((time) => unitOf(time, from, to)))];
			verify(units.length === 1 && units[0] !== undefined, kindsOf(times));
			return `in ${units[0]}`;
		},
	},
	{
		name: 'cost-by-workload',
		area: 'Metrics and cost',
		assumed: '`POST /usage/costs` knows a job run by the `id` of its `kubeApp`.',
		matters: 'Get Cost; Cancel Above Cost; Trigger: Run Exceeded Cost',
		code: COST_CODE,
		async check(live) {
			const { cost } = await costOf(live);
			verify(cost.kind === 'available', `kind ${String(cost.kind)}, reason ${String(cost.reason)}`);
			return `status ${String(cost.status)}`;
		},
	},
	{
		name: 'cost-decimals',
		area: 'Metrics and cost',
		assumed: '`cost` and `spatial_units` are texts with a decimal number, in US dollars.',
		matters: 'Get Cost',
		code: 'nodes/Wherobots/service/runs/costs.ts',
		async check(live) {
			const { cost } = await costOf(live);
			found(cost.kind === 'available' || undefined, 'the cost is not available');
			const { cost: amount, spatial_units: units, currency } = cost;
			const seen = `cost ${kindOf(amount)}, spatial_units ${kindOf(units)}, currency ${String(currency)}`;
			const isDecimal = (value: unknown) => /^\d+(\.\d+)?$/.test(text(value));
			verify(isDecimal(amount) && isDecimal(units) && currency === 'USD', seen);
			return seen;
		},
	},
	{
		name: 'cost-in-metrics',
		area: 'Metrics and cost',
		assumed: 'The metric `COST_USD` of a run that has ended is its cost, within a twentieth.',
		matters: 'Get Cost, where the service does not know the cost',
		code: COST_CODE,
		async check(live) {
			const { run, cost } = await costOf(live);
			const answer = await live.api.get('/runs/{id}/metrics', { values: { id: text(run.id) } });
			const metrics = record(recordOf(answer).instant_metrics);
			const points = [dataOf(metrics.COST_USD)].flat().filter(isRecord);
			const measured = Number(found(points.at(-1)?.value, 'the run has no metric COST_USD'));
			const billed = Number(found(cost.kind === 'available' ? cost.cost : undefined, 'no cost'));
			found(billed > 0 || undefined, 'the run has cost nothing so far');
			const ratio = measured / billed;
			verify(Math.abs(ratio - 1) < 0.05, `${ratio.toFixed(2)} times the cost`);
			return `${ratio.toFixed(2)} times the cost`;
		},
	},
	{
		name: 'usage-history',
		area: 'Metrics and cost',
		assumed:
			'`GET /usage/history` returns a list without pages; workloads of job runs have `runId`.',
		matters: 'Usage: Get Many; Trigger: Run Exceeded Cost',
		code: 'nodes/Wherobots/service/endpoints.ts',
		async check({ api }) {
			const startTime = new Date(Date.now() - 7 * 86_400_000).toISOString();
			const query = { startTime, workloadType: 'RUN' };
			const { json } = ok(await api.get('/usage/history', { query }));
			verify(Array.isArray(json), `the response is ${kindOf(json)}`);
			const [first] = recordsIn(json);
			if (!first) return 'an empty list';
			verify(text(first.runId) !== '', `fields ${fieldsOf(first)}`);
			return `fields ${fieldsOf(first)}`;
		},
	},
];

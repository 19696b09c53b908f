/** What runs use and cost; from the public description of the service. */
import {
	filled,
	listOf,
	mapOf,
	nullable,
	object,
	oneOf,
	text,
	textOf,
	time,
	utcTime,
	type Contracts,
	type Schema,
} from './schema';

/** An exact decimal; long fractions are written with an exponent by some. */
const decimal = textOf(1, 100, '^[+-]?\\d*\\.?\\d*([eE][+-]?\\d+)?$');

const value: Schema = nullable({ type: 'number' });
const point = object({ value, timestamp: { type: 'integer' } });
/** A time and a value. */
const pair: Schema = {
	type: 'array',
	items: [{ type: 'integer' }, value],
	minItems: 2,
	additionalItems: false,
};
const metric = (data: Schema): Schema =>
	mapOf(object({ display_name: text, metric: object({ data, format: filled }) }));

const available = object({
	kind: { const: 'available' },
	kube_app_id: filled,
	organization_id: filled,
	cost: decimal,
	currency: { const: 'USD' },
	spatial_units: decimal,
	status: oneOf('live', 'settling', 'final'),
	settled_at: nullable(time),
	last_evaluated_at: time,
});

const unavailable = object({
	kind: { const: 'unavailable' },
	kube_app_id: filled,
	reason: oneOf('not_found', 'upstream_error', 'upstream_rate_limit'),
});

const workloadType = oneOf('JUPYTER', 'SQL_SESSION', 'RUN', 'RASTERFLOW_RUN');

export const usageContracts = {
	getUsageHistory: {
		query: { startTime: utcTime, endTime: utcTime, workloadType },
		response: listOf(
			object({
				...{ id: filled, createTime: time, updateTime: time, workloadType, status: filled },
				...{ 'name?': nullable(text), 'message?': nullable(text), 'runId?': nullable(text) },
				...{ 'startTime?': nullable(time), 'endTime?': nullable(time) },
				...{ 'runtimeId?': nullable(text), 'regionName?': nullable(text) },
			}),
		),
	},
	getRunMetrics: {
		response: object({
			series_metrics: metric(listOf({ anyOf: [point, pair] })),
			instant_metrics: metric(point),
		}),
	},
	getCosts: {
		body: object({
			kubeAppIds: { ...listOf(filled), minItems: 1, maxItems: 100, uniqueItems: true },
		}),
		response: object({ costs: mapOf({ oneOf: [available, unavailable] }) }),
	},
} satisfies Contracts;

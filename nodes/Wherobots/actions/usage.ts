import type { IDataObject } from 'n8n-workflow';

import { defineChoiceField, defineTimeField } from '../form/declarations';
import { requireOrder } from '../form/fields';
import { pick } from '../service/records';
import { MICROS_PER_MS, MICROS_PER_SECOND, parseTime } from '../service/time';
import { defineGetMany, type Resource } from './operations/operation';

const fromFilter = defineTimeField({
	displayName: 'From',
	name: 'from',
	description: "Start of the range. Defaults to the service's own setting.",
});

const toFilter = defineTimeField({
	displayName: 'To',
	name: 'to',
	description: 'End of the range',
});

const typeFilter = defineChoiceField({
	displayName: 'Workload Type',
	name: 'workloadType',
	options: {
		'': 'Any',
		RUN: 'Job Run',
		JUPYTER: 'Notebook',
		RASTERFLOW_RUN: 'RasterFlow Run',
		SQL_SESSION: 'SQL Session',
	},
	default: '',
	description: 'Only include workloads of this type',
});

/** The fields of a workload that people need (public description of the service, `GET /usage/history`). */
const FIELDS = ['id', 'name', 'workloadType', 'status', 'startTime', 'endTime'];

/**
 * How long a workload has taken, in hours to two decimals; null when it does not say.
 *
 * @param now milliseconds since the epoch, for one that has not ended
 */
function countHours({ startTime, endTime }: IDataObject, now: number): number | null {
	const start = parseTime(startTime);
	const end = endTime ? parseTime(endTime) : now * MICROS_PER_MS;
	if (start === undefined || end === undefined) return null;
	return Math.max(0, Math.round((end - start) / (36 * MICROS_PER_SECOND)) / 100);
}

const getAll = defineGetMany({
	action: 'Get usage of many workloads',
	description: 'List notebooks, SQL sessions and runs, including those still running',
	endpoint: 'getUsageHistory',
	records: 'workloads',
	filters: {
		endTime: toFilter,
		startTime: fromFilter,
		workloadType: typeFilter,
	},
	check: (_, filters) => requireOrder(filters, fromFilter, toFilter),
	simplify: (workload, { client }) => ({
		...pick(workload, FIELDS),
		hours: countHours(workload, client.serviceNow()),
		runtime: workload.runtimeId ?? null,
		region: workload.regionName ?? null,
		...pick(workload, ['runId', 'message']),
	}),
});

export const usage: Resource = {
	name: 'Usage',
	value: 'usage',
	description: 'History of all workloads that used compute',
	operations: [getAll],
};

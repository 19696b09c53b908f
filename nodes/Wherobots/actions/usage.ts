import { choiceField, timeField } from '../form/declarations';
import { pick } from '../service/records';
import { getManyOperation } from './operations/declared';
import type { Resource } from './operations/operation';

const startFilter = timeField({
	displayName: 'Start Time',
	name: 'startTime',
	description: "Start of the range. Defaults to the service's own setting.",
});

const endFilter = timeField({
	displayName: 'End Time',
	name: 'endTime',
	description: 'End of the range',
});

const typeFilter = choiceField({
	displayName: 'Workload Type',
	name: 'workloadType',
	options: [
		{ name: 'Job Run', value: 'RUN' },
		{ name: 'Notebook', value: 'JUPYTER' },
		{ name: 'RasterFlow Run', value: 'RASTERFLOW_RUN' },
		{ name: 'SQL Session', value: 'SQL_SESSION' },
	],
	default: 'JUPYTER',
	description: 'Only include workloads of this type',
});

/** The fields of a workload that people need (public description of the service, `GET /usage/history`). */
const FIELDS = [
	...['id', 'name', 'workloadType', 'status', 'startTime', 'endTime', 'runtimeId', 'regionName'],
	...['runId', 'message'],
];

const getAll = getManyOperation({
	option: {
		action: 'Get usage of many workloads',
		description: 'List notebooks, SQL sessions and runs, including those still running',
	},
	endpoint: 'getUsageHistory',
	records: 'workloads',
	filters: {
		endTime: endFilter,
		startTime: startFilter,
		workloadType: typeFilter,
	},
	simplify: (workload) => pick(workload, FIELDS),
});

export const usage: Resource = {
	option: {
		name: 'Usage',
		value: 'usage',
		description: 'The history of everything that used compute',
	},
	operations: [getAll],
	defaultOperation: 'getAll',
};

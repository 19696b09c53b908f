import type { INodeProperties } from 'n8n-workflow';

import { simplifyWorkload } from '../service/workloads';
import { getManyOperation } from './declared';
import type { Resource } from './operation';

const timeFilter = (end: 'Start' | 'End', description: string): INodeProperties => ({
	displayName: `${end} Time`,
	name: `${end.toLowerCase()}Time`,
	type: 'dateTime',
	default: '',
	description,
});

const typeFilter: INodeProperties = {
	displayName: 'Workload Type',
	name: 'workloadType',
	type: 'options',
	options: [
		{ name: 'Job Run', value: 'RUN' },
		{ name: 'Notebook', value: 'JUPYTER' },
		{ name: 'RasterFlow Run', value: 'RASTERFLOW_RUN' },
		{ name: 'SQL Session', value: 'SQL_SESSION' },
	],
	default: 'JUPYTER',
	description: 'Only include workloads of this type',
};

const getAll = getManyOperation({
	option: {
		action: 'Get many workloads',
		description: 'List notebooks, SQL sessions and runs, those that still run included',
	},
	endpoint: 'getUsageHistory',
	records: 'workloads',
	filters: {
		endTime: timeFilter('End', 'The end of the range in which to look'),
		startTime: timeFilter(
			'Start',
			'The beginning of the range; the service has its own without it',
		),
		workloadType: typeFilter,
	},
	simplify: simplifyWorkload,
});

export const usage: Resource = {
	option: {
		name: 'Usage',
		value: 'usage',
		description: 'The history of everything that has used compute',
	},
	operations: [getAll],
	defaultOperation: 'getAll',
};

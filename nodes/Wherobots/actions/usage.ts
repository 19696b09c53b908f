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
		description: 'List notebooks, SQL sessions and runs, including those still running',
	},
	endpoint: 'getUsageHistory',
	records: 'workloads',
	filters: {
		endTime: timeFilter('End', 'End of the range'),
		startTime: timeFilter('Start', "Start of the range. Defaults to the service's own setting."),
		workloadType: typeFilter,
	},
	simplify: simplifyWorkload,
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

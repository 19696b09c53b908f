import type { INodeProperties } from 'n8n-workflow';

import { timeField } from '../../parameters/declarations';
import { runNameFilter, runRegionFilter, statusOptions } from '../../parameters/fields';
import { isRunMetrics, simplifyMetrics } from '../../service/jobRuns/metrics';
import type { Run } from '../../service/types';
import { readRecord, readRun, unexpected } from '../../transport/records';
import { getManyOperation, getOperation } from '../operations/declared';
import type { Resource } from '../operations/operation';
import { cancel } from './cancel.operation';
import { create } from './create.operation';
import { getCost } from './getCost.operation';
import { getLogs } from './getLogs.operation';
import { simplify } from './output';
import { waitForCompletion } from './waitForCompletion.operation';

const get = getOperation<Run>({
	option: {
		action: 'Get job run',
		description: 'Get the status and details of a job run',
	},
	endpoint: 'getRun',
	read: async (client, { run_id }) => await readRun(client, run_id),
	simplify,
});

const getMetrics = getOperation({
	option: {
		name: 'Get Metrics',
		value: 'getMetrics',
		action: 'Get job run metrics',
		description: 'Get the CPU, memory and GPU usage of a job run, and what it has consumed',
	},
	endpoint: 'getRunMetrics',
	async read(client, path) {
		const response = await readRecord(client, 'getRunMetrics', { path });
		if (isRunMetrics(response)) return response;
		throw unexpected('It does not contain metrics.', { path });
	},
	simplify: (metrics, _, { runId }) => simplifyMetrics(runId, metrics),
});

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: statusOptions,
	default: [],
	description: 'Only return runs with one of these statuses',
};

const createdAfterFilter = timeField({
	displayName: 'Created After',
	name: 'createdAfter',
	description: 'Only return runs created after this time',
});

const getAll = getManyOperation<Run>({
	option: {
		action: 'Get many job runs',
		description: 'List job runs, filtered by name, region, status or creation time',
	},
	endpoint: 'listRuns',
	records: 'job runs',
	filters: {
		name: runNameFilter,
		region: runRegionFilter,
		status: statusFilter,
		created_after: createdAfterFilter,
	},
	simplify,
});

export const jobRun: Resource = {
	option: {
		name: 'Job Run',
		value: 'jobRun',
		description: 'A Python file or JAR that runs on a Spark cluster',
	},
	operations: [cancel, create, get, getCost, getLogs, getAll, getMetrics, waitForCompletion],
	defaultOperation: 'create',
};

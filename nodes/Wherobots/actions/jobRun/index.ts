import type { Resource } from '../operation';
import { cancel } from './cancel.operation';
import { create } from './create.operation';
import { get } from './get.operation';
import { getCost } from './getCost.operation';
import { getMetrics } from './getMetrics.operation';
import { getAll } from './getAll.operation';
import { getLogs } from './getLogs.operation';
import { waitForCompletion } from './waitForCompletion.operation';

export const jobRun: Resource = {
	option: {
		name: 'Job Run',
		value: 'jobRun',
		description: 'A Python file or JAR that runs on a Spark cluster',
	},
	operations: [cancel, create, get, getCost, getLogs, getAll, getMetrics, waitForCompletion],
	defaultOperation: 'create',
};

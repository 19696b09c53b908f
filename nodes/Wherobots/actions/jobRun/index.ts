import type { Resource } from '../operation';
import { cancel } from './cancel.operation';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getLogs } from './getLogs.operation';
import { waitForCompletion } from './waitForCompletion.operation';

export const jobRun: Resource = {
	option: {
		name: 'Job Run',
		value: 'jobRun',
		description: 'A Python file or JAR that runs on a Spark cluster',
	},
	operations: [cancel, create, get, getLogs, getAll, waitForCompletion],
	defaultOperation: 'create',
};

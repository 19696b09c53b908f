import { runRegionFilter } from '../parameters/fields';
import { getManyOperation, getOperation } from './operations/declared';
import type { Resource } from './operations/operation';

const get = getOperation({
	option: {
		action: 'Get task',
		description: 'Get a task with its details, such as its inputs',
	},
	endpoint: 'getTask',
});

const getAll = getManyOperation({
	option: {
		action: 'Get many tasks',
		description: 'List the tasks that the organization can run',
	},
	endpoint: 'listTasks',
	records: 'tasks',
	filters: {
		regions: { ...runRegionFilter, description: 'Only include tasks that can run in this region' },
	},
});

export const task: Resource = {
	option: {
		name: 'Task',
		value: 'task',
		description: 'A named workload with inputs, such as a RasterFlow workflow',
	},
	operations: [get, getAll],
	defaultOperation: 'getAll',
};

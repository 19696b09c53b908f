import type { Resource } from '../operation';
import { deletePreset } from './delete.operation';
import { getAll } from './getAll.operation';
import { upsert } from './upsert.operation';

export const environmentOverridePreset: Resource = {
	option: {
		name: 'Environment Override Preset',
		value: 'environmentOverridePreset',
		description:
			'A named set of disk sizes and Spark properties that an organization can use in place of the defaults',
	},
	operations: [upsert, deletePreset, getAll],
	defaultOperation: 'getAll',
};

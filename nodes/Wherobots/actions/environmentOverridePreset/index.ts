import { presetPart } from '../../parameters/address';
import { simplifyPreset } from '../../service/presets';
import { commandOperation, getManyOperation } from '../declared';
import type { Resource } from '../operation';
import { upsert } from './upsert.operation';

const deletePreset = commandOperation({
	option: {
		action: 'Delete environment override preset',
		description: 'Permanently delete a preset. Existing job runs are not affected.',
	},
	endpoint: 'deletePreset',
	address: [presetPart],
	hint: 'This cannot be undone. Existing job runs are not affected.',
	done: { deleted: true },
});

const getAll = getManyOperation({
	option: {
		action: 'Get many environment override presets',
		description: 'List presets with their disk sizes and Spark configuration',
	},
	endpoint: 'listPresets',
	records: 'environment override presets',
	simplify: simplifyPreset,
});

export const environmentOverridePreset: Resource = {
	option: {
		name: 'Environment Override Preset',
		value: 'environmentOverridePreset',
		description:
			'A named set of disk sizes and Spark properties for notebooks and SQL sessions. Job runs cannot use one: set theirs under Options.',
	},
	operations: [upsert, deletePreset, getAll],
	defaultOperation: 'getAll',
};

import type { INodeProperties } from 'n8n-workflow';

import { choose } from '../../parameters/fields';
import { item } from '../../parameters/items';
import * as rules from '../../service/rules';
import type { Operation } from '../operation';

const presetField: INodeProperties = {
	displayName: 'Preset',
	name: 'presetId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The preset to delete',
	hint: 'This cannot be undone. Existing job runs are not affected.',
	...choose('searchPresets', 'ID', { placeholder: 'e.g. 5b1f0c9de2a4' }),
};

export const deletePreset: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete environment override preset',
		description: 'Permanently delete a preset. Existing job runs are not affected.',
	},
	fields: [presetField],
	kind: 'write',
	async execute({ client, input }) {
		const id = input.text(presetField, rules.pathValue);
		await client.call('deletePreset', { path: { environment_override_preset_id: id } });
		return [item({ deleted: true, id })];
	},
};

import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyPreset } from '../../service/presets';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many environment override presets',
		description: 'List presets with their disk sizes and Spark configuration',
	},
	fields: [...returnAllFields, ...shapeFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const limit = readLimit(input);
		const presets = await readList<IDataObject>(client, 'listPresets');
		if (presets.length === 0) hintNoResults(call, 'environment override presets');
		return shape(input, presets.slice(0, limit), simplifyPreset);
	},
};

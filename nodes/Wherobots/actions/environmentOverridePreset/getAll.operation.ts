import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { items } from '../../parameters/items';
import type { Operation } from '../operation';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many environment override presets',
		description: 'List presets with their disk sizes and Spark configuration',
	},
	fields: [...returnAllFields],
	kind: 'read',
	async execute({ client, input }) {
		const limit = readLimit(input);
		const presets = await readList<IDataObject>(client, 'listPresets');
		return items(presets.slice(0, limit));
	},
};

import type { IDataObject } from 'n8n-workflow';

import { readRecord } from '../../transport/records';
import { catalogField, namespaceField, readViewPath, viewField } from '../catalog/fields';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get view',
		description: 'Get the SQL definition and the columns of a view',
	},
	fields: [catalogField, namespaceField, viewField],
	kind: 'read',
	async execute({ client, input }) {
		const { address, path } = readViewPath(input);
		const view = await readRecord<IDataObject>(client, 'getView', { path });
		return [item({ ...address, ...view })];
	},
};

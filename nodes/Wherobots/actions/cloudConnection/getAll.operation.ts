import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { connectionItems } from './fields';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many cloud connections',
		description: 'List the connections to AWS accounts',
	},
	fields: [...returnAllFields, ...shapeFields],
	kind: 'read',
	async execute({ client, input }) {
		const limit = readLimit(input);
		const connections = await readList<IDataObject>(client, 'listCloudConnections');
		return connectionItems(input, connections.slice(0, limit));
	},
};

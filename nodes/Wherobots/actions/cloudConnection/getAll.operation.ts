import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import { hintNoResults } from '../hint';
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
	async execute(call) {
		const { client, input } = call;
		const limit = readLimit(input);
		const connections = await readList<IDataObject>(client, 'listCloudConnections');
		if (connections.length === 0) hintNoResults(call, 'cloud connections');
		return connectionItems(input, connections.slice(0, limit));
	},
};

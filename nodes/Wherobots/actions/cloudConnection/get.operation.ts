import type { IDataObject } from 'n8n-workflow';

import { readRecord } from '../../transport/records';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { connectionField, connectionItems, readConnectionPath } from './fields';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get cloud connection',
		description: 'Get a connection with its AWS account, role and bindings',
	},
	fields: [connectionField, ...shapeFields],
	kind: 'read',
	async execute({ client, input }) {
		const { path } = readConnectionPath(input);
		const connection = await readRecord<IDataObject>(client, 'getCloudConnection', { path });
		return connectionItems(input, [connection]);
	},
};

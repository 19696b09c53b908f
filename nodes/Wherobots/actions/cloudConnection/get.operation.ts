import type { IDataObject } from 'n8n-workflow';

import { readRecord } from '../../transport/records';
import { simplifyField } from '../fields';
import type { Operation } from '../operation';
import { connectionField, connectionItem, readConnectionPath } from './fields';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a cloud connection',
		description: 'Get a connection with its AWS account, role and bindings',
	},
	fields: [connectionField, simplifyField],
	kind: 'read',
	async execute({ client, input }) {
		const { path } = readConnectionPath(input);
		const connection = await readRecord<IDataObject>(client, 'getCloudConnection', { path });
		return [connectionItem(input, connection)];
	},
};

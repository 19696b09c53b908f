import type { IDataObject } from 'n8n-workflow';

import { STACK_ENDPOINTS } from '../../service/cloudConnections';
import { readRecord } from '../../transport/records';
import { item } from '../../parameters/items';
import { connectionPart, readAddress } from '../../parameters/address';
import type { Operation } from '../operation';
import { readStack, stackFields, stackRequestFields } from './stacks';

export const getCreateLink: Operation = {
	option: {
		name: 'Get CloudFormation Link',
		value: 'getCreateLink',
		action: 'Get cloud connection CloudFormation link',
		description:
			'Get a link that opens the AWS console with the stack ready to create, to send to the owner of the account',
	},
	fields: [connectionPart.field, ...stackFields],
	requestFields: stackRequestFields,
	kind: 'read',
	async execute({ client, input }) {
		const {
			path,
			names: { id: connectionId },
		} = readAddress(input, [connectionPart]);
		const { stack, query } = readStack(input);
		const link = await readRecord<IDataObject>(client, STACK_ENDPOINTS[stack].link, {
			path,
			query,
		});
		return [item({ connectionId, stack, ...link })];
	},
};

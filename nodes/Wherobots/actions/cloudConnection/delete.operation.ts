import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { connectionField, readConnectionPath } from './fields';

export const deleteConnection: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete cloud connection',
		description: 'Delete a connection. The stacks in the AWS account stay.',
	},
	fields: [connectionField],
	kind: 'write',
	async execute({ client, input }) {
		const { connectionId, path } = readConnectionPath(input);
		await client.call('deleteCloudConnection', { path });
		return [item({ deleted: true, id: connectionId })];
	},
};

import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { connectionField, readConnectionPath } from './fields';

export const deleteConnection: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete cloud connection',
		description: 'Permanently delete a connection. Its stacks in the AWS account are kept.',
	},
	fields: [
		{
			...connectionField,
			hint: 'This cannot be undone. What relies on the connection stops working; its stacks in the AWS account are kept.',
		},
	],
	kind: 'write',
	async execute({ client, input }) {
		const { connectionId, path } = readConnectionPath(input);
		await client.call('deleteCloudConnection', { path });
		return [item({ deleted: true, id: connectionId })];
	},
};

import { connectionPart } from '../../parameters/address';
import { simplifyConnection } from '../../service/cloudConnections';
import { commandOperation, getManyOperation, getOperation } from '../declared';
import type { Resource } from '../operation';
import { create } from './create.operation';
import { downloadTemplate } from './downloadTemplate.operation';
import { getCreateLink } from './getCreateLink.operation';
import { verify } from './verify.operation';

const deleteConnection = commandOperation({
	option: {
		action: 'Delete cloud connection',
		description: 'Permanently delete a connection. Its stacks in the AWS account are kept.',
	},
	endpoint: 'deleteCloudConnection',
	address: [connectionPart],
	hint: 'This cannot be undone. What relies on the connection stops working; its stacks in the AWS account are kept.',
	done: { deleted: true },
});

const get = getOperation({
	option: {
		action: 'Get cloud connection',
		description: 'Get a connection with its AWS account, role and bindings',
	},
	endpoint: 'getCloudConnection',
	address: [connectionPart],
	simplify: simplifyConnection,
});

const getAll = getManyOperation({
	option: {
		action: 'Get many cloud connections',
		description: 'List the connections to AWS accounts',
	},
	endpoint: 'listCloudConnections',
	records: 'cloud connections',
	simplify: simplifyConnection,
});

export const cloudConnection: Resource = {
	option: {
		name: 'Cloud Connection',
		value: 'cloudConnection',
		description: 'A connection to your own AWS account or that of a customer',
	},
	operations: [create, deleteConnection, downloadTemplate, get, getCreateLink, getAll, verify],
	defaultOperation: 'getAll',
};

import type { Resource } from '../operation';
import { create } from './create.operation';
import { deleteConnection } from './delete.operation';
import { downloadTemplate } from './downloadTemplate.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getCreateLink } from './getCreateLink.operation';
import { verify } from './verify.operation';

export const cloudConnection: Resource = {
	option: {
		name: 'Cloud Connection',
		value: 'cloudConnection',
		description: 'A connection to your own AWS account or that of a customer',
	},
	operations: [create, deleteConnection, downloadTemplate, get, getCreateLink, getAll, verify],
	defaultOperation: 'getAll',
};

import type { Resource } from '../operation';
import { deleteTable } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getCredentials } from './getCredentials.operation';

export const table: Resource = {
	option: {
		name: 'Table',
		value: 'table',
		description: 'A table in a catalog',
	},
	operations: [deleteTable, get, getCredentials, getAll],
	defaultOperation: 'getAll',
};

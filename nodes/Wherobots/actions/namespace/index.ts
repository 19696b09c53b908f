import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const namespace: Resource = {
	option: {
		name: 'Namespace',
		value: 'namespace',
		description: 'A namespace (database) in a catalog',
	},
	operations: [getAll],
	defaultOperation: 'getAll',
};

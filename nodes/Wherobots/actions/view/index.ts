import type { Resource } from '../operation';
import { get } from './get.operation';

export const view: Resource = {
	option: {
		name: 'View',
		value: 'view',
		description: 'A stored query in a catalog',
	},
	operations: [get],
	defaultOperation: 'get',
};

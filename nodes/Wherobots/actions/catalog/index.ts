import type { Resource } from '../operation';
import { create } from './create.operation';
import { getAll } from './getAll.operation';
import { getHierarchy } from './getHierarchy.operation';

export const catalog: Resource = {
	option: {
		name: 'Catalog',
		value: 'catalog',
		description: 'A managed or foreign collection of namespaces, tables and views',
	},
	operations: [create, getHierarchy, getAll],
	defaultOperation: 'getAll',
};

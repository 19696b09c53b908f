import type { Resource } from '../operation';
import { deleteSession } from './delete.operation';
import { getAll } from './getAll.operation';

export const sqlSession: Resource = {
	option: {
		name: 'SQL Session',
		value: 'sqlSession',
		description: 'Sessions that execute SQL, and cost until they shut down',
	},
	operations: [deleteSession, getAll],
	defaultOperation: 'getAll',
};

import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const auditLog: Resource = {
	option: {
		name: 'Audit Log',
		value: 'auditLog',
		description: 'Who did what in the organization, for the last 90 days',
	},
	operations: [getAll],
	defaultOperation: 'getAll',
};

import type { Resource } from '../operation';
import { exportOperation } from './export.operation';
import { getAll } from './getAll.operation';

export const auditLog: Resource = {
	option: {
		name: 'Audit Log',
		value: 'auditLog',
		description: 'Who did what in the organization during the last 90 days',
	},
	operations: [exportOperation, getAll],
	defaultOperation: 'export',
};

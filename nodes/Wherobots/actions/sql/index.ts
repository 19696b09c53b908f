import type { Resource } from '../operation';
import { executeQuery } from './executeQuery.operation';

export const sql: Resource = {
	option: {
		name: 'SQL',
		value: 'sql',
		description: 'Spatial SQL over the catalogs of the organization',
	},
	operations: [executeQuery],
	defaultOperation: 'executeQuery',
};

import type { Resource } from '../operation';
import { create } from './create.operation';
import { getAll } from './getAll.operation';
import { revoke } from './revoke.operation';
import { update } from './update.operation';

export const apiKey: Resource = {
	option: {
		name: 'API Key',
		value: 'apiKey',
		description: 'A key that lets a program act as a user or service principal',
	},
	operations: [create, getAll, revoke, update],
	defaultOperation: 'getAll',
};

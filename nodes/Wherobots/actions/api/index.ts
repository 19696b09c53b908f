import type { Resource } from '../operations/operation';
import { request } from './request.operation';

export const api: Resource = {
	option: {
		name: 'API',
		value: 'api',
		description: 'Any other request of the service, as this deployment describes it',
	},
	operations: [request],
	defaultOperation: 'request',
};

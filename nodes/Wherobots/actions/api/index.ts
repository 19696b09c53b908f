import type { Resource } from '../operations/operation';
import { request } from './request.operation';

export const api: Resource = {
	name: 'API',
	value: 'api',
	description: "Any other request to the service's API",
	operations: [request],
	defaultOperation: 'request',
};

import { catalogPart, namespacePart, viewPart } from '../parameters/address';
import { getOperation } from './declared';
import type { Resource } from './operation';

const get = getOperation({
	option: {
		action: 'Get view',
		description: 'Get the SQL definition and the columns of a view',
	},
	endpoint: 'getView',
	address: [catalogPart, namespacePart, viewPart],
});

export const view: Resource = {
	option: {
		name: 'View',
		value: 'view',
		description: 'A stored query in a catalog',
	},
	operations: [get],
	defaultOperation: 'get',
};

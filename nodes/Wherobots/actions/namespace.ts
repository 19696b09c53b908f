import { catalogPart } from '../parameters/address';
import { getManyOperation } from './declared';
import type { Resource } from './operation';

const getAll = getManyOperation({
	option: {
		action: 'Get many namespaces',
		description: 'List the namespaces of a catalog',
	},
	endpoint: 'listNamespaces',
	address: [catalogPart],
	key: 'namespaces',
	records: 'namespaces',
	where: 'in this catalog',
});

export const namespace: Resource = {
	option: {
		name: 'Namespace',
		value: 'namespace',
		description: 'A namespace (database) in a catalog',
	},
	operations: [getAll],
	defaultOperation: 'getAll',
};

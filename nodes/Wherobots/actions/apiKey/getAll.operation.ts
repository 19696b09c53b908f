import type { IDataObject } from 'n8n-workflow';

import { simplifyApiKey } from '../../service/apiKeys';
import { readList } from '../../transport/records';
import { readLimit, returnAllFields } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many API keys',
		description: 'List API keys with their owner and expiry, without their secrets',
	},
	fields: [
		...returnAllFields,
		...shapeFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Customer ID',
					name: 'customerId',
					type: 'string',
					default: '',
					placeholder: 'e.g. 5b2f8a31c7',
					description: 'Only keys of this user or service principal',
				},
			],
		},
	],
	kind: 'read',
	async execute({ client, input }) {
		const limit = readLimit(input);
		const customerId = input.optionalText('filters.customerId', 'Customer ID');
		const keys = await readList<IDataObject>(client, 'listApiKeys', { query: { customerId } });
		return shape(input, keys.slice(0, limit), simplifyApiKey);
	},
};

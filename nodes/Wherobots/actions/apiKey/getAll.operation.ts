import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { simplifyApiKey } from '../../service/apiKeys';
import { readList } from '../../transport/records';
import { filtersOf, readLimit, returnAllFields } from '../../parameters/fields';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';

const customerFilter: INodeProperties = {
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 5b2f8a31c7',
	description: 'Only return keys of this user or service principal',
};

const filtersField = filtersOf(customerFilter);

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many API keys',
		description: 'List API keys with their owner and expiry, but without their secrets',
	},
	fields: [...returnAllFields, ...shapeFields, filtersField],
	requestFields: { customerId: customerFilter },
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const limit = readLimit(input);
		const customerId = input.within(filtersField).optionalText(customerFilter);
		const keys = await readList<IDataObject>(client, 'listApiKeys', { query: { customerId } });
		if (keys.length === 0) hintNoResults(call, 'API keys', [[customerFilter, customerId]]);
		return shape(input, keys.slice(0, limit), simplifyApiKey);
	},
};

import type { IDataObject } from 'n8n-workflow';

import { simplifyApiKey } from '../../service/apiKeys';
import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';
import { expiryField, expiryFields, readExpiry } from './expiry';
import { apiKeyField } from './fields';

export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update API key',
		description: 'Change when an API key expires',
	},
	fields: [apiKeyField, ...expiryFields, ...shapeFields],
	requestFields: { expiresAt: expiryField },
	kind: 'write',
	async execute({ client, input }) {
		const apiKeyId = input.text(apiKeyField, rules.pathValue);
		const expiresAt = readExpiry(input);
		const record = await readRecord<IDataObject>(client, 'updateApiKey', {
			path: { api_key_id: apiKeyId },
			body: { expiresAt },
		});
		return shape(input, [record], simplifyApiKey);
	},
};

import type { IDataObject } from 'n8n-workflow';

import { simplifyApiKey } from '../../service/apiKeys';
import { readRecord } from '../../transport/records';
import { apiKeyPart, readAddress } from '../../parameters/address';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';
import { expiryField, expiryFields, readExpiry } from './expiry';

export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update API key',
		description: 'Change when an API key expires',
	},
	fields: [apiKeyPart.field, ...expiryFields, ...shapeFields],
	requestFields: { expiresAt: expiryField },
	kind: 'write',
	async execute({ client, input }) {
		const { path } = readAddress(input, [apiKeyPart]);
		const expiresAt = readExpiry(input);
		const record = await readRecord<IDataObject>(client, 'updateApiKey', {
			path,
			body: { expiresAt },
		});
		return shape(input, [record], simplifyApiKey);
	},
};

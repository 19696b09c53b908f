import * as rules from '../../service/rules';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { apiKeyField } from './fields';

export const revoke: Operation = {
	option: {
		name: 'Revoke',
		value: 'revoke',
		action: 'Revoke API key',
		description: 'Permanently revoke an API key. Whatever still uses it stops working.',
	},
	fields: [
		{
			...apiKeyField,
			hint: 'This cannot be undone. Whatever still uses the key stops working.',
		},
	],
	kind: 'write',
	async execute({ client, input }) {
		const id = input.text(apiKeyField, rules.pathValue);
		await client.call('revokeApiKey', { path: { api_key_id: id } });
		return [item({ deleted: true, id })];
	},
};

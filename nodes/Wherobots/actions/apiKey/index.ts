import { choiceField, textField } from '../../parameters/declarations';
import { apiKeyPart } from '../../parameters/address';
import { simplifyApiKey } from '../../service/apiKeys';
import { commandOperation, getManyOperation } from '../declared';
import type { Resource } from '../operation';
import { create } from './create.operation';
import { update } from './update.operation';

const ownerFilter = textField({
	displayName: 'Owner ID',
	name: 'customerId',
	placeholder: 'e.g. 5b2f8a31c7',
	description: 'Only return keys of this user or service principal',
});

const scopeField = choiceField({
	displayName: 'Scope',
	name: 'scope',
	options: [
		{
			name: 'All Keys of the Organization',
			value: 'organization',
			description: 'Needs the key of an organization admin',
		},
		{
			name: 'Keys of This Account',
			value: 'own',
			description: 'The keys that the service lists for this account, or for an owner',
		},
	],
	default: 'own',
	description: 'Which keys to return',
});

const getAll = getManyOperation({
	option: {
		action: 'Get many API keys',
		description: 'List API keys with their owner and expiry, but without their secrets',
	},
	endpoint: (input) =>
		input.choice(scopeField) === 'organization' ? 'listOrganizationApiKeys' : 'listApiKeys',
	fields: [scopeField],
	check({ input }, filters) {
		const isFiltered = filters.optionalText(ownerFilter) !== undefined;
		if (isFiltered && input.choice(scopeField) === 'organization') {
			throw input.problem(ownerFilter, 'must be empty for all keys of the organization');
		}
	},
	records: 'API keys',
	filters: { customerId: ownerFilter },
	simplify: simplifyApiKey,
});

const revoke = commandOperation({
	option: {
		name: 'Revoke',
		value: 'revoke',
		action: 'Revoke API key',
		description: 'Permanently revoke an API key. Whatever still uses it stops working.',
	},
	endpoint: 'revokeApiKey',
	address: [apiKeyPart],
	hint: 'This cannot be undone. Whatever still uses the key stops working.',
	done: { deleted: true },
});

export const apiKey: Resource = {
	option: {
		name: 'API Key',
		value: 'apiKey',
		description: 'A key that lets a program act as a user or service principal',
	},
	operations: [create, getAll, revoke, update],
	defaultOperation: 'getAll',
};

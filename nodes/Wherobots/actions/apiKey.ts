import {
	defineChoiceField,
	defineCountField,
	defineTextField,
	defineTimeField,
} from '../form/declarations';
import { defineSecretNotice } from '../form/fields';
import type { Input } from '../form/input';
import { MAX_API_KEY_NAME, simplifyApiKey } from '../service/records/apiKey';
import * as rules from '../service/rules';
import { formatTime, MICROS_PER_MS } from '../service/time';
import { clock } from '../transport/clock';
import { fetchList } from '../transport/records';
import { deduplicationKeyOption } from './operations/deduplicationKey';
import { defineDelete, defineGetMany, defineWrite, type Resource } from './operations/operation';

const DAY_MS = 86_400_000;
/** A hundred years: a longer expiry is a mistake, and JavaScript's dates have an end. */
const MAX_DAYS = 36_500;

const expiryField = defineChoiceField({
	displayName: 'Expires',
	name: 'expiry',
	options: { inDays: 'After a Number of Days', date: 'On a Date' },
	default: 'inDays',
	description: 'When the key stops working',
});

const daysField = defineCountField({
	displayName: 'Days',
	name: 'expiresInDays',
	typeOptions: { minValue: 1, maxValue: MAX_DAYS },
	default: 365,
	description: 'Number of days from now until the key expires',
	displayOptions: { show: { expiry: ['inDays'] } },
});

const dateField = defineTimeField({
	displayName: 'Expiry Date',
	name: 'expiresAt',
	required: true,
	description: 'When the key expires',
	displayOptions: { show: { expiry: ['date'] } },
});

const expiryFields = [expiryField, daysField, dateField];

/**
 * The expiry as the service takes it: ISO 8601 in UTC.
 *
 * @throws Failure when it is missing or not in the future
 */
function readExpiry(input: Input): string {
	if (input.choice(expiryField) === 'inDays') {
		const days = input.integer(daysField);
		return new Date(clock.now() + days * DAY_MS).toISOString().replace(/\.\d+/, '');
	}
	const time = input.time(dateField);
	if (time <= clock.now() * MICROS_PER_MS) {
		throw input.problem(dateField, `must be in the future, not ${formatTime(time)}`);
	}
	return formatTime(time);
}

const nameField = defineTextField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. nightly-etl-2026',
	description: `Name of the key, up to ${MAX_API_KEY_NAME} characters. It cannot be changed later.`,
	rule: rules.limitLength(MAX_API_KEY_NAME),
});

/** In the vendor's description, keys have an owner with an ID; no request of the interface lists users. */
const WHERE_IDS_ARE =
	"Get Many with 'Simplify' off returns the ID of each key's owner, in 'ownedBy'.";

const ofOwner = {
	displayName: 'Owner ID',
	placeholder: 'e.g. 5b2f8a31c7',
	rule: (id: string) => (id.includes('@') ? 'must be an ID, not an email address' : undefined),
};

const ownerField = defineTextField({
	...ofOwner,
	name: 'ownedById',
	description: `ID of the user or service principal that the key acts as. Leave empty to own the key yourself. Only an admin can create keys for others. ${WHERE_IDS_ARE}`,
});

const create = defineWrite({
	action: 'Create API key',
	description: 'Create an API key and output its secret, which cannot be read again',
	hint: 'Never show the secret to a model.',
	endpoint: 'createApiKey',
	fields: [
		defineSecretNotice(
			"The key's secret is output once, in the field 'key': store it in the next node.",
		),
		nameField,
		...expiryFields,
	],
	options: [deduplicationKeyOption, ownerField],
	requestFields: { expiresAt: expiryField },
	body: (input, options) => ({
		name: input.text(nameField),
		expiresAt: readExpiry(input),
		ownedById: options.optionalText(ownerField),
	}),
	recoveryHint: (name) =>
		`an API key named "${name}" (API Key: Get Many), and revoke it: its secret is lost`,
	// A secret somewhere else in the response would be lost if only known fields were kept.
	simplify: (key) => (key.key === undefined ? key : simplifyApiKey(key)),
});

const update = defineWrite({
	name: 'Update',
	value: 'update',
	action: 'Update API key',
	description: 'Change when an API key expires',
	endpoint: 'updateApiKey',
	fields: expiryFields,
	requestFields: { expiresAt: expiryField },
	body: (input) => ({ expiresAt: readExpiry(input) }),
	simplify: simplifyApiKey,
});

const ownerFilter = defineTextField({
	...ofOwner,
	name: 'customerId',
	description: `Only include keys of this user or service principal. ${WHERE_IDS_ARE}`,
});

const scopeField = defineChoiceField({
	displayName: 'Scope',
	name: 'scope',
	options: {
		organization: ['All Keys of the Organization', 'Needs the key of an organization admin'],
		own: [
			'Keys of This Account',
			`The keys of this account or, with the filter '${ofOwner.displayName}', of that owner`,
		],
	},
	default: 'own',
	description: 'Which keys to return',
});

const getAll = defineGetMany({
	action: 'Get many API keys',
	description: 'List API keys with their owner and expiry, but without their secrets',
	endpoint: 'listApiKeys',
	async read({ client, input }, options) {
		const isWhole = input.choice(scopeField) === 'organization';
		return await fetchList(client, isWhole ? 'listOrganizationApiKeys' : 'listApiKeys', options);
	},
	fields: [scopeField],
	check({ input }, filters) {
		const isFiltered = filters.optionalText(ownerFilter) !== undefined;
		if (isFiltered && input.choice(scopeField) === 'organization') {
			const what = `must be empty when '${scopeField.displayName}' is 'All Keys of the Organization'`;
			throw input.problem(ownerFilter, what);
		}
	},
	records: 'API keys',
	filters: { customerId: ownerFilter },
	simplify: simplifyApiKey,
});

const revoke = defineDelete({
	name: 'Revoke',
	value: 'revoke',
	action: 'Revoke API key',
	description: 'Permanently revoke an API key. Whatever still uses it stops working.',
	endpoint: 'revokeApiKey',
	picker: {
		description: 'The API key to revoke',
		hint: 'This cannot be undone. Whatever still uses the key stops working.',
	},
});

export const apiKey: Resource = {
	name: 'API Key',
	value: 'apiKey',
	description: 'A key that lets a program act as a user or service principal',
	operations: [create, getAll, revoke, update],
};

/** Interface, "API keys". */
import {
	filled,
	flag,
	listOf,
	nullable,
	object,
	text,
	textOf,
	time,
	utcTime,
	type Contracts,
} from './schema';
import { customer } from './shared';

const fields = {
	id: filled,
	createTime: time,
	updateTime: time,
	partialApiKey: text,
	preview: text,
	name: text,
	valid: flag,
	revoked: flag,
	expiresAt: time,
	createdById: nullable(text),
	createdBy: nullable(customer),
	'ownedBy?': nullable(customer),
};

/** Without a secret: only the creation gives one. */
const apiKey = object(fields);

export const apiKeyContracts = {
	listApiKeys: { query: { customerId: filled }, response: listOf(apiKey) },
	listOrganizationApiKeys: { response: listOf(apiKey) },
	createApiKey: {
		body: object({ name: textOf(1, 50), expiresAt: utcTime, 'ownedById?': filled }),
		response: object({ ...fields, key: filled }),
	},
	updateApiKey: { body: object({ expiresAt: utcTime }), response: apiKey },
	revokeApiKey: { response: 'none' },
} satisfies Contracts;

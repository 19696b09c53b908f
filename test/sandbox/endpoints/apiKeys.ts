/** API keys: interface.md "API keys". */
import { z } from 'zod/v4';

import type { ApiKeyRecord } from '../model/apiKeys';
import { customerById } from '../model/people';
import { found, invalid, notFound, ServiceError } from '../server/errors';
import { route, type Call } from '../server/route';
import { nullableText, time } from '../server/validation';

/** In milliseconds. */
function expiryAt(micros: number, now: number): number {
	if (micros <= now * 1000) throw invalid('body.expiresAt', 'Must lie in the future');
	return micros / 1000;
}

/** The key, if the caller may change it: an Admin may change any, everybody else only their own. */
function ownKey({ env, params, caller }: Call): ApiKeyRecord {
	const key = env.store.apiKeys.existing(params.api_key_id);
	if (caller.role === 'user' && key.ownedBy?.id !== caller.customerId) {
		throw new ServiceError(403, { details: 'Only an Admin may change the keys of others.' });
	}
	return key;
}

export const listApiKeys = route({
	at: 'GET /apikey',
	query: { customerId: z.string().optional() },
	handle({ env, query, caller }) {
		const { apiKeys } = env.store;
		const wanted = caller.role === 'user' ? caller.customerId : query.customerId;
		const keys = apiKeys.all().filter((key) => !wanted || key.ownedBy?.id === wanted);
		return { json: keys.map((key) => apiKeys.view(key)) };
	},
});

export const listOrganizationApiKeys = route({
	at: 'GET /organization/apikeys',
	adminOnly: true,
	handle: ({ env: { store } }) => ({
		json: store.apiKeys.all().map((key) => store.apiKeys.view(key)),
	}),
});

export const createApiKey = route({
	at: 'POST /apikey',
	body: z.strictObject({
		name: z.string().min(1).max(50),
		expiresAt: time,
		ownedById: nullableText,
	}),
	handle({ env, body, caller }) {
		const ownerId = body.ownedById ?? caller.customerId;
		const owner = found(customerById(ownerId), 'Owner', ownerId);
		if (caller.role === 'user' && ownerId !== caller.customerId) {
			throw new ServiceError(403, { details: 'Only an Admin may create keys for others.' });
		}
		const key = env.store.apiKeys.create({
			name: body.name,
			expiresAt: expiryAt(body.expiresAt, env.clock.now()),
			ownedBy: owner,
			createdBy: customerById(caller.customerId) ?? null,
		});
		return { json: { ...env.store.apiKeys.view(key), key: key.key } };
	},
});

export const updateApiKey = route({
	at: 'POST /apikey/{api_key_id}',
	body: z.strictObject({ expiresAt: time }),
	handle(call) {
		const key = ownKey(call);
		const { apiKeys } = call.env.store;
		if (key.revoked) throw new ServiceError(409, { details: 'The key has been revoked.' });
		apiKeys.update(key, expiryAt(call.body.expiresAt, call.env.clock.now()));
		return { json: apiKeys.view(key) };
	},
});

export const revokeApiKey = route({
	at: 'DELETE /apikey/{api_key_id}',
	handle(call) {
		const key = ownKey(call);
		if (key.revoked) throw notFound('API key', key.id);
		call.env.store.apiKeys.revoke(key);
		return { text: 'null' };
	},
});

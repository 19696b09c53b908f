import type { IDataObject } from 'n8n-workflow';

import { personName } from './people';

/** Longest name of an API key (public description of the service). */
export const MAX_API_KEY_NAME = 50;

/**
 * The fields of an API key that people need; `key`, the secret, only where the service gives it:
 * once, in the response to its creation.
 */
export function simplifyApiKey(record: IDataObject): IDataObject {
	return {
		id: record.id ?? null,
		name: record.name ?? null,
		...(record.key === undefined ? {} : { key: record.key }),
		preview: record.preview ?? record.partialApiKey ?? null,
		valid: record.valid ?? null,
		revoked: record.revoked ?? null,
		expiresAt: record.expiresAt ?? null,
		createTime: record.createTime ?? null,
		createdBy: personName(record.createdBy),
		ownedBy: personName(record.ownedBy),
	};
}

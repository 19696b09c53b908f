import type { IDataObject } from 'n8n-workflow';

import { personName, pick } from './types';

/** Longest name of an API key (public description of the service). */
export const MAX_API_KEY_NAME = 50;

/**
 * The fields of an API key that people need; the secret, `key`, only where the service sends it: once,
 * in the response to its creation.
 */
export function simplifyApiKey(record: IDataObject): IDataObject {
	return {
		...pick(record, ['id', 'name']),
		...(record.key === undefined ? {} : { key: record.key }),
		preview: record.preview ?? record.partialApiKey ?? null,
		...pick(record, ['valid', 'revoked', 'expiresAt', 'createTime']),
		createdBy: personName(record.createdBy),
		ownedBy: personName(record.ownedBy),
	};
}

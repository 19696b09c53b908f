import type { IDataObject } from 'n8n-workflow';

import { isRecord, pick } from './index';

/** The display name of an organization's customer: its email, or the name of a service user. */
export function getPersonName(person: unknown): string | null {
	if (!isRecord(person)) return null;
	const { email, name, id } = person;
	const known = [email, name, id].find((text) => typeof text === 'string' && text !== '');
	return (known as string | undefined) ?? null;
}

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
		createdBy: getPersonName(record.createdBy),
		ownedBy: getPersonName(record.ownedBy),
	};
}

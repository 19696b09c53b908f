import type { IDataObject } from 'n8n-workflow';

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

/** How people know an organization's customer: by email, a service user by its name. */
function personName(person: unknown): string | null {
	if (typeof person !== 'object' || person === null) return null;
	const { email, name, id } = person as IDataObject;
	const known = [email, name, id].find((text) => typeof text === 'string' && text !== '');
	return (known as string | undefined) ?? null;
}

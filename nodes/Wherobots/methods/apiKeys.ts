import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { simplifyApiKey } from '../service/apiKeys';
import { readList } from '../transport/records';
import { byName, matching, shortTime, toldApart } from './choices';
import { pickerClient } from './client';

/** API keys that have not been revoked, by name. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const keys = await readList<IDataObject>(client, 'listApiKeys');
	const choices = keys
		.filter((key) => typeof key.id === 'string' && key.revoked !== true)
		.map(simplifyApiKey)
		.map(({ id, name, preview, expiresAt, createTime }) => ({
			name: `${String(name ?? id)}${preview ? ` (${String(preview)})` : ''}`,
			value: String(id),
			description: expiresAt ? `Expires ${shortTime(expiresAt) ?? String(expiresAt)}` : undefined,
			created: createTime,
		}));
	return matching(byName(toldApart(choices)), filter);
}

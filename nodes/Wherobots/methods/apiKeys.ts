import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { simplifyApiKey } from '../service/apiKeys';
import { text } from '../transport/failures/plainText';
import { readList } from '../transport/records';
import { byName, choicesOf, matching, shortTime, disambiguated } from './choices';
import { pickerClient } from './client';

/** API keys that have not been revoked, by name. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const keys = await readList<IDataObject>(client, 'listApiKeys');
	const offers = keys
		.filter((key) => key.revoked !== true)
		.map(simplifyApiKey)
		.map(({ id, name, preview, expiresAt, createTime }) => {
			const expiry = shortTime(expiresAt) ?? text(expiresAt);
			return {
				id,
				name,
				detail: preview,
				description: expiry && `Expires ${expiry}`,
				created: createTime,
			};
		});
	return matching(byName(disambiguated(choicesOf(offers))), filter);
}

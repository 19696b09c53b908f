import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readList } from '../transport/records';
import { byName, choicesOf, matching, disambiguated } from './choices';
import { pickerClient } from './client';

/** Cloud connections by name, each with its AWS account. */
export async function searchCloudConnections(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const connections = await readList<IDataObject>(client, 'listCloudConnections');
	const offers = connections.map(({ id, name, awsAccountId, createdAt }) => ({
		id,
		name,
		detail: awsAccountId,
		created: createdAt,
	}));
	return matching(byName(disambiguated(choicesOf(offers))), filter);
}

import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readList } from '../transport/records';
import { byName, choicesOf, matching, disambiguated } from './choices';
import { pickerClient } from './client';

/** Environment override presets, by name. */
export async function searchPresets(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const presets = await readList<IDataObject>(client, 'listPresets');
	const offers = presets.map(({ id, name, protected: isProtected, createTime }) => ({
		id,
		name,
		description: isProtected === true ? 'Protected' : undefined,
		created: createTime,
	}));
	return matching(byName(disambiguated(choicesOf(offers))), filter);
}

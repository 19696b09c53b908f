import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readList } from '../transport/records';
import { byName, matching } from './choices';
import { pickerClient } from './client';

/** Environment override presets, by name. */
export async function searchPresets(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const presets = await readList<IDataObject>(client, 'listPresets');
	const choices = presets.map(({ id, name, protected: isProtected }) => ({
		name: String(name),
		value: String(id),
		description: isProtected === true ? 'Protected' : undefined,
	}));
	return matching(byName(choices), filter);
}

import { isRecord } from '../service/types';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { EndpointId } from '../service/endpoints';
import {
	KNOWN_REGIONS,
	KNOWN_RUNTIMES,
	ORGANIZATION_DEFAULT,
	runtimeName,
} from '../service/jobRuns/runtimes';
import type { Client } from '../transport/client';
import { hasStatus } from '../transport/failures/errors';
import { matching, type Choice } from './choices';
import { pickerClient } from './client';

const DEFAULT_CHOICE: Choice = {
	name: 'Organization Default',
	value: ORGANIZATION_DEFAULT,
	description: 'Use the default of your organization',
};

/** Runtimes of the organization where the account can read them, else the known ones. */
export async function searchRuntimes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const hint = await readable<ConfigHint>(await pickerClient(this), 'getConfigHint');
	const listed = listOf(hint?.runtimes?.hint)
		.filter((runtime) => runtime.id && runtime.enabled !== false)
		.map((runtime) => ({
			name: runtime.name ?? runtimeName(runtime.id),
			value: runtime.id,
			description: runtime.description,
		}));
	const known = KNOWN_RUNTIMES.map(({ id, name, family }) => ({
		name,
		value: id,
		description: family,
	}));
	return matching([DEFAULT_CHOICE, ...(listed.length > 0 ? listed : known)], filter);
}

/** Regions of the organization where the account can read them, else the known ones. */
export async function searchRegions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const hinted = hintedRegions(await readable<ConfigHint>(client, 'getConfigHint'));
	const listed = hinted.length > 0 ? hinted : await allowedRegions(client);
	const known = KNOWN_REGIONS.map((name) => ({ name, value: name }));
	return matching([DEFAULT_CHOICE, ...(listed.length > 0 ? listed : known)], filter);
}

interface ConfigHint {
	runtimes?: {
		hint?: Array<{ id: string; name?: string; description?: string; enabled?: boolean }>;
	};
	regions?: { hint?: Array<{ regionName: string; enabled?: boolean; availability?: string }> };
}

function hintedRegions(hint: ConfigHint | undefined): Choice[] {
	return listOf(hint?.regions?.hint)
		.filter((region) => region.regionName && region.enabled !== false)
		.map((region) => ({
			name: region.regionName,
			value: region.regionName,
			description: region.availability,
		}));
}

/** What is not documented may come in any shape. */
function listOf<T>(value: T[] | undefined): T[] {
	return Array.isArray(value) ? value.filter((entry) => isRecord(entry)) : [];
}

async function allowedRegions(client: Client): Promise<Choice[]> {
	const organization = await readable<{ allowedRegions?: unknown }>(client, 'getOrganization');
	const regions = organization?.allowedRegions;
	return Array.isArray(regions)
		? regions
				.filter((region): region is string => typeof region === 'string' && region !== '')
				.map((region) => ({ name: region, value: region }))
		: [];
}

/**
 * A response outside the documented interface; undefined when this account or deployment does not
 * have it. Credentials that are not accepted are nothing to pass over: they would fail later too.
 */
async function readable<T>(client: Client, id: EndpointId): Promise<T | undefined> {
	const seen = await client.call<T>(id).catch((error: Error) => error);
	if (!(seen instanceof Error)) return seen;
	if (hasStatus(seen, 401)) throw seen;
	return undefined;
}

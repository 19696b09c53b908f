import { isRecord } from '../service/types';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { EndpointId } from '../service/endpoints';
import {
	KNOWN_REGIONS,
	KNOWN_RUNTIMES,
	ORGANIZATION_DEFAULT,
	runtimeName,
} from '../service/jobRuns/runtimes';
import type { Client } from '../transport/client';
import { hasStatus } from '../transport/failures/errors';
import { text } from '../transport/failures/plainText';
import { choicesOf, matching, pickerClient, type Choice } from './choices';

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
	const runtimes = enabledOf(hint?.runtimes).map(({ id, name, description }) => ({
		id,
		name: text(name) || runtimeName(text(id)),
		description,
	}));
	const listed = choicesOf(runtimes);
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
	const hint = await readable<ConfigHint>(await pickerClient(this), 'getConfigHint');
	const regions = enabledOf(hint?.regions);
	const listed = choicesOf(
		regions.map(({ regionName, availability }) => ({ id: regionName, description: availability })),
	);
	const known = KNOWN_REGIONS.map((name) => ({ name, value: name }));
	return matching([DEFAULT_CHOICE, ...(listed.length > 0 ? listed : known)], filter);
}

/** Undocumented, so it may have any shape. */
interface ConfigHint {
	/** Each with `id`, `name`, `description`. */
	runtimes?: { hint?: unknown };
	/** Each with `regionName`, `availability`. */
	regions?: { hint?: unknown };
}

function enabledOf(group: { hint?: unknown } | undefined): IDataObject[] {
	const entries = group?.hint;
	return Array.isArray(entries)
		? entries.filter(isRecord).filter((entry) => entry.enabled !== false)
		: [];
}

/**
 * A response outside the documented interface; undefined when this account or deployment has no
 * access. Rejected credentials are an error: they would fail later, too.
 */
async function readable<T>(client: Client, id: EndpointId): Promise<T | undefined> {
	const seen = await client.call<T>(id).catch((error: Error) => error);
	if (!(seen instanceof Error)) return seen;
	if (hasStatus(seen, 401)) throw seen;
	return undefined;
}

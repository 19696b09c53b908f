import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { runNamePattern } from '../service/rules';
import { KNOWN_REGIONS, KNOWN_RUNTIMES, ORGANIZATION_DEFAULT } from '../service/runtimes';
import type { CursorPage, Run } from '../service/types';
import { Client } from '../transport/client';
import { MAX_PAGE_SIZE } from '../transport/pagination';

interface Choice {
	name: string;
	value: string;
	description?: string;
}

const DEFAULT_CHOICE: Choice = {
	name: 'Organization Default',
	value: ORGANIZATION_DEFAULT,
	description: 'Leaves the choice to the settings of your organization',
};

/** Job runs by the beginning of their name, a page at a time. */
export async function searchJobRuns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const name = nameFilter(filter);
	if (name === null) return { results: [] };
	const client = await Client.create(this);
	const page = await client.call<CursorPage<Run>>('listRuns', {
		query: { size: MAX_PAGE_SIZE, cursor: paginationToken, name },
	});
	return {
		results: page.items.map((run) => ({
			name: `${run.name} (${run.status})`,
			value: run.id,
			description: run.createTime,
		})),
		paginationToken: page.next_page ? String(page.next_page) : undefined,
	};
}

/**
 * What a person typed as the service's name filter, which knows one asterisk: the beginning of the
 * name, unless the asterisk is typed. Null when no name can match.
 */
function nameFilter(typed = ''): string | null | undefined {
	const text = typed.trim();
	if (text === '') return undefined;
	const pattern = text.includes('*') ? text : `${text}*`;
	return runNamePattern(pattern) === undefined ? pattern : null;
}

/** Runtimes of the organization where the account can read them, else the known ones. */
export async function searchRuntimes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const hint = await configHint(this);
	const listed = (hint?.runtimes?.hint ?? [])
		.filter((runtime) => runtime.id && runtime.enabled !== false)
		.map((runtime) => ({
			name: runtime.name ?? runtime.id,
			value: runtime.id,
			description: runtime.description,
		}));
	const known = KNOWN_RUNTIMES.map(({ id, family }) => ({
		name: id,
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
	const hint = await configHint(this);
	const listed = (hint?.regions?.hint ?? [])
		.filter((region) => region.regionName && region.enabled !== false)
		.map((region) => ({
			name: region.regionName,
			value: region.regionName,
			description: region.availability,
		}));
	const known = KNOWN_REGIONS.map((name) => ({ name, value: name }));
	return matching([DEFAULT_CHOICE, ...(listed.length > 0 ? listed : known)], filter);
}

interface ConfigHint {
	runtimes?: {
		hint?: Array<{ id: string; name?: string; description?: string; enabled?: boolean }>;
	};
	regions?: { hint?: Array<{ regionName: string; enabled?: boolean; availability?: string }> };
}

/** The service's own lists; undefined when this account or deployment does not have them. */
async function configHint(context: ILoadOptionsFunctions): Promise<ConfigHint | undefined> {
	const client = await Client.create(context);
	return await client.call<ConfigHint>('getConfigHint').catch(() => undefined);
}

function matching(choices: Choice[], filter = ''): INodeListSearchResult {
	const text = filter.trim().toLowerCase();
	return {
		results: choices.filter((choice) =>
			`${choice.name} ${choice.value}`.toLowerCase().includes(text),
		),
	};
}

/** Pickers of runtimes and regions: the organization's where the account can read them, else known ones. */
import type { IDataObject } from 'n8n-workflow';

import {
	KNOWN_REGIONS,
	KNOWN_RUNTIMES,
	ORGANIZATION_DEFAULT,
	runtimeName,
} from '../service/jobRuns/runtimes';
import { isRecord } from '../service/types';
import { hasStatus } from '../transport/failures/errors';
import { text } from '../transport/failures/plainText';
import {
	choicesOf,
	matching,
	pickerClient,
	type Choice,
	type ListSearch,
	type Offer,
} from './choices';

const DEFAULT_CHOICE: Choice = {
	name: 'Organization Default',
	value: ORGANIZATION_DEFAULT,
	description: 'Use the default of your organization',
};

/**
 * @param group its entries in an undocumented response, which may have any shape and is missing when
 *   the account or deployment has no access. Rejected credentials are an error: they would fail later,
 *   too.
 */
function computePicker(
	group: 'runtimes' | 'regions',
	offer: (entry: IDataObject) => Offer,
	known: Choice[],
): ListSearch {
	return async function (filter) {
		const client = await pickerClient(this);
		const response = await client.call<IDataObject>('getConfigHint').catch((error: Error) => {
			if (hasStatus(error, 401)) throw error;
			return undefined;
		});
		const entries = (response?.[group] as IDataObject | undefined)?.hint;
		const enabled = Array.isArray(entries)
			? (entries as unknown[]).filter(isRecord).filter((entry) => entry.enabled !== false)
			: [];
		const listed = choicesOf(enabled.map(offer));
		return matching([DEFAULT_CHOICE, ...(listed.length > 0 ? listed : known)], filter);
	};
}

export const searchRuntimes = computePicker(
	'runtimes',
	({ id, name, description }) => ({ id, name: text(name) || runtimeName(text(id)), description }),
	KNOWN_RUNTIMES.map(({ id, name, family }) => ({ name, value: id, description: family })),
);

export const searchRegions = computePicker(
	'regions',
	({ regionName, availability }) => ({ id: regionName, description: availability }),
	KNOWN_REGIONS.map((name) => ({ name, value: name })),
);

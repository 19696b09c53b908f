import type { INodeProperties } from 'n8n-workflow';

import { choose } from '../../parameters/fields';

/** Picks an API key from a list or takes its ID. */
export const apiKeyField: INodeProperties = {
	displayName: 'API Key',
	name: 'apiKeyId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The API key to use',
	...choose('searchApiKeys', 'ID', { placeholder: 'e.g. 7c9e6679f2b4' }),
};

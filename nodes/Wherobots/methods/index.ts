import type { NodeError } from 'n8n-workflow';

import { explanationOf } from '../transport/failures/errors';
import type { ListSearch } from './choices';
import { credentialTest } from './credentialTest';
import * as files from './files';
import * as lists from './lists';
import { getTaskInputs } from './taskInputs';

const searches = { ...files, ...lists };

/** A picker that explains its errors in plain text: unlike the error panel, it does not render HTML. */
function explained(search: ListSearch): ListSearch {
	return async function (...typed) {
		return await search.apply(this, typed).catch((error: NodeError) => {
			error.description = explanationOf(error);
			throw error;
		});
	};
}

/** The methods that the editor calls while the user fills in the form. */
export const methods = {
	credentialTest,
	listSearch: Object.fromEntries(
		Object.entries(searches).map(([name, search]) => [name, explained(search)]),
	) as Record<keyof typeof searches, ListSearch>,
	resourceMapping: { getTaskInputs },
};

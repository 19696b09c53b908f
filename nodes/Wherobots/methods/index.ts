import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { toFailure, toNodeError } from '../transport/failure';
import { credentialTest } from './credentialTest';
import * as files from './files';
import * as lists from './lists';
import {
	getApiParameters,
	getColumns,
	getTableColumns,
	getTaskInputs,
	searchApiRequests,
	searchVersions,
} from './mappers';

const { getActionNames, ...listSearches } = lists;
const searches = { ...files, ...listSearches, searchApiRequests, searchVersions };

/** A method whose errors are explained in plain text: unlike the error panel, the editor does not render HTML. */
function explainFailures<T, A extends unknown[]>(
	method: (this: ILoadOptionsFunctions, ...given: A) => Promise<T>,
): typeof method {
	return async function (...given) {
		return await method.apply(this, given).catch((error: unknown) => {
			const failure = toFailure(error);
			const { description } = failure;
			throw Object.assign(toNodeError(this.getNode(), failure), { description });
		});
	};
}

/** The methods that the editor calls while the user fills in the form. */
export const methods = {
	credentialTest,
	listSearch: Object.fromEntries(
		Object.entries(searches).map(([name, search]) => [name, explainFailures(search)]),
	) as typeof searches,
	loadOptions: {
		getActionNames: explainFailures(getActionNames),
		getColumns: explainFailures(getColumns),
	},
	resourceMapping: {
		getApiParameters: explainFailures(getApiParameters),
		getTableColumns: explainFailures(getTableColumns),
		getTaskInputs: explainFailures(getTaskInputs),
	},
};

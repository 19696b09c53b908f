import type { ILoadOptionsFunctions, INodeListSearchResult, NodeError } from 'n8n-workflow';

import { explanationOf } from '../transport/failures/errors';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A picker that says why it cannot load in plain text: unlike the error panel, it shows no HTML. */
export function explained(search: ListSearch): ListSearch {
	return async function (this: ILoadOptionsFunctions, ...typed) {
		return await search.apply(this, typed).catch((error: NodeError) => {
			error.description = explanationOf(error);
			throw error;
		});
	};
}

import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { runNamePattern } from '../service/rules';
import type { CursorPage, Run } from '../service/types';
import { MAX_PAGE_SIZE } from '../transport/pagination';
import { pickerClient } from './client';

/** Job runs by the beginning of their name, a page at a time. */
export async function searchJobRuns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const name = nameFilter(filter);
	if (name === null) return { results: [] };
	const client = await pickerClient(this);
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

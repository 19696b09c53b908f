import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { runNamePattern } from '../service/rules';
import type { Run } from '../service/types';
import { text } from '../transport/failures/plainText';
import { readPage } from '../transport/pagination';
import { CONSOLE_PAGES, consolePage } from '../service/baseUrl';
import { choicesOf, matching, shortTime } from './choices';
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
	const { items, next } = await readPage<Run>(client, 'listRuns', {
		query: { name },
		cursor: paginationToken,
	});
	const choices = choicesOf(
		items.map(({ id, name, status, createTime }) => ({
			id,
			name,
			detail: [text(status), shortTime(createTime)].filter(Boolean).join(', '),
		})),
	);
	const url = consolePage(client.baseUrl, CONSOLE_PAGES.jobRuns);
	return { ...matching(choices, '', url), paginationToken: next };
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

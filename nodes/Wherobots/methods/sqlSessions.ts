import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { simplifySession, type SqlSession } from '../service/sql/sessions';
import { text } from '../transport/failures/plainText';
import { readList } from '../transport/records';
import { choicesOf, matching, shortTime } from './choices';
import { pickerClient } from './client';

/** The SQL sessions of the caller, the newest first. */
export async function searchSqlSessions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const sessions = (await readList<SqlSession>(client, 'listSqlSessions')).map(simplifySession);
	const offers = sessions
		.sort((a, b) => text(b.createTime).localeCompare(text(a.createTime)))
		.map(({ id, status, runtime, region, createTime }) => ({
			id,
			name: [text(runtime) || 'Default runtime', text(region), shortTime(createTime) ?? text(id)]
				.filter(Boolean)
				.join(', '),
			description: status,
		}));
	return matching(choicesOf(offers), filter);
}

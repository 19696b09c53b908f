import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { simplifySession, type SqlSession } from '../service/sql/sessions';
import { readList } from '../transport/records';
import { matching, shortTime } from './choices';
import { pickerClient } from './client';

/** The SQL sessions of the caller, the newest first. */
export async function searchSqlSessions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await pickerClient(this);
	const sessions = (await readList<SqlSession>(client, 'listSqlSessions')).map(simplifySession);
	const choices = sessions
		.sort((a, b) => String(b.createTime ?? '').localeCompare(String(a.createTime ?? '')))
		.map(({ id, status, runtime, region, createTime }) => ({
			name: [runtime ?? 'Default runtime', region, shortTime(createTime) ?? id]
				.filter(Boolean)
				.join(', '),
			value: String(id),
			description: String(status),
		}));
	return matching(choices, filter);
}

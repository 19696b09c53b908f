/** Pickers of records, declared by their entries. */
import type { IDataObject } from 'n8n-workflow';

import { catalogPart, namespacePart, type AddressPart } from '../parameters/address';
import type { Rule } from '../parameters/declarations';
import { simplifyApiKey } from '../service/apiKeys';
import { CONSOLE_PAGES, consolePage } from '../service/baseUrl';
import { foreignKind, tableType, type TableListItem } from '../service/catalogs';
import type { EndpointId } from '../service/endpoints';
import { runNamePattern } from '../service/rules';
import { simplifySession, type SqlSession } from '../service/sql/sessions';
import { taskNamePattern, type TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import { text } from '../transport/failures/plainText';
import { collect, readPage } from '../transport/pagination';
import { readList } from '../transport/records';
import {
	choicesOf,
	chosen,
	disambiguated,
	matching,
	pickerClient,
	shortTime,
	type ListSearch,
	type Offer,
} from './choices';

interface Picker<T extends IDataObject> {
	endpoint: EndpointId;
	offer(record: T): Offer;
	/** Page of the records in the web console. */
	page?: string;
}

interface ListPicker<T extends IDataObject> extends Picker<T> {
	/** The key of the list in a response that is an object. */
	key?: string;
	/** It comes in pages. */
	inPages?: true;
	/** The fields that locate the records; they are chosen first. */
	address?: AddressPart[];
	/** Whether a record can be chosen. */
	only?(record: T): boolean;
	/** What the records are sorted by, newest first; by name otherwise. */
	newest?(record: T): unknown;
}

/** A picker that loads the whole list at once and searches it by name. */
function listPicker<T extends IDataObject = IDataObject>({
	endpoint,
	key,
	inPages,
	address = [],
	only = () => true,
	offer,
	newest,
	page,
}: ListPicker<T>): ListSearch {
	return async function (filter) {
		const path = Object.fromEntries(
			address.map(({ field, segment }) => [segment, chosen(this, field.name, field.displayName)]),
		);
		const client = await pickerClient(this);
		const records = inPages
			? await collect<T>(client, endpoint, { path })
			: await readList<T>(client, endpoint, { path, key });
		if (newest) records.sort((a, b) => text(newest(b)).localeCompare(text(newest(a))));
		const listed = disambiguated(choicesOf(records.filter(only).map(offer)));
		if (!newest) listed.sort((a, b) => a.name.localeCompare(b.name));
		return matching(listed, filter, page && consolePage(client.baseUrl, page));
	};
}

/**
 * A picker of runs by the beginning of a name, a page at a time. The service's name filter allows one
 * asterisk: what is typed is a prefix of the name, unless it contains the asterisk.
 *
 * @param filterName the filter by name in the query
 * @param rule the rule for it: no name can match what breaks it
 */
function runPicker<T extends IDataObject>(
	filterName: string,
	rule: Rule<string>,
	{ endpoint, offer, page }: Picker<T>,
): ListSearch {
	return async function (filter = '', paginationToken) {
		const typed = filter.trim();
		const pattern = typed === '' || typed.includes('*') ? typed : `${typed}*`;
		if (pattern !== '' && rule(pattern) !== undefined) return { results: [] };
		const client = await pickerClient(this);
		const { items, next } = await readPage<T>(client, endpoint, {
			query: { [filterName]: pattern || undefined },
			cursor: paginationToken,
		});
		const url = page && consolePage(client.baseUrl, page);
		return { ...matching(choicesOf(items.map(offer)), '', url), paginationToken: next };
	};
}

export const searchJobRuns = runPicker<Run>('name', runNamePattern, {
	endpoint: 'listRuns',
	offer: ({ id, name, status, createTime }) => ({
		id,
		name,
		detail: [text(status), shortTime(createTime)].filter(Boolean).join(', '),
	}),
	page: CONSOLE_PAGES.jobRuns,
});

/** Task runs by the beginning of their task's name. */
export const searchTaskRuns = runPicker<TaskRun>('taskName', taskNamePattern, {
	endpoint: 'listTaskRuns',
	offer: ({ taskRunId, name, taskName, state, submittedAt }) => ({
		id: taskRunId,
		name: text(name) || text(taskName),
		detail: [text(state), shortTime(submittedAt)].filter(Boolean).join(', '),
	}),
});

export const searchApiKeys = listPicker({
	endpoint: 'listApiKeys',
	only: ({ revoked }) => revoked !== true,
	offer(record) {
		const { id, name, preview, expiresAt } = simplifyApiKey(record);
		const expiry = shortTime(expiresAt) ?? text(expiresAt);
		const description = expiry && `Expires ${expiry}`;
		return { id, name, detail: preview, description };
	},
	page: CONSOLE_PAGES.apiKeys,
});

export const searchCatalogs = listPicker({
	endpoint: 'listCatalogs',
	key: 'catalogs',
	offer: ({ id, name, type }) => ({ id, name, description: foreignKind(type) ?? 'Managed' }),
});

export const searchCloudConnections = listPicker({
	endpoint: 'listCloudConnections',
	offer: ({ id, name, awsAccountId }) => ({ id, name, detail: awsAccountId }),
});

export const searchPresets = listPicker({
	endpoint: 'listPresets',
	offer: ({ id, name, protected: isProtected }) => ({
		id,
		name,
		description: isProtected === true ? 'Protected' : undefined,
	}),
});

/** Tasks by their display names; the field's value is the service's name. */
export const searchTasks = listPicker({
	endpoint: 'listTasks',
	inPages: true,
	offer: ({ name, displayName, description }) => ({ id: name, name: displayName, description }),
});

export const searchSqlSessions = listPicker<SqlSession>({
	endpoint: 'listSqlSessions',
	newest: (session) => simplifySession(session).createTime,
	offer(session) {
		const { id, status, runtime, region, createTime } = simplifySession(session);
		const facts = [text(runtime) || 'Default runtime', text(region), shortTime(createTime) ?? id];
		return { id, name: facts.filter(Boolean).join(', '), description: status };
	},
});

export const searchNamespaces = listPicker({
	endpoint: 'listNamespaces',
	key: 'namespaces',
	address: [catalogPart],
	offer: byOwnName,
});

export const searchTables = entryPicker('TABLE');

export const searchViews = entryPicker('VIEW');

function entryPicker(type: 'TABLE' | 'VIEW'): ListSearch {
	return listPicker<TableListItem>({
		endpoint: 'listTables',
		key: 'tables',
		address: [catalogPart, namespacePart],
		only: (entry) => tableType(entry) === type,
		offer: byOwnName,
	});
}

/** Namespaces, tables and views are identified by their name. */
function byOwnName({ name }: IDataObject): Offer {
	return { id: name };
}

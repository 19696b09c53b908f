/** Pickers that load the whole list at once, declared by their entries. */
import type { IDataObject } from 'n8n-workflow';

import { catalogPart, namespacePart, type AddressPart } from '../parameters/address';
import { simplifyApiKey } from '../service/apiKeys';
import { CONSOLE_PAGES, consolePage } from '../service/baseUrl';
import { foreignKind, tableType, type TableListItem } from '../service/catalogs';
import type { EndpointId } from '../service/endpoints';
import { simplifySession, type SqlSession } from '../service/sql/sessions';
import { text } from '../transport/failures/plainText';
import { collect } from '../transport/pagination';
import { readList } from '../transport/records';
import {
	sortedByName,
	choicesOf,
	chosen,
	disambiguated,
	matching,
	pickerClient,
	shortTime,
	type ListSearch,
	type Offer,
} from './choices';

interface ListPicker<T extends IDataObject> {
	endpoint: EndpointId;
	/** The key of the list in a response that is an object. */
	key?: string;
	/** It comes in pages. */
	inPages?: true;
	/** The fields that locate the records; they are chosen first. */
	address?: AddressPart[];
	/** Whether a record can be chosen. */
	only?(record: T): boolean;
	offer(record: T): Offer;
	/** What the records are sorted by, newest first; by name otherwise. */
	newest?(record: T): unknown;
	/** Page of the records in the web console. */
	page?: string;
}

/** A picker of the records of a list, by name. */
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
		const choices = newest ? listed : sortedByName(listed);
		return matching(choices, filter, page && consolePage(client.baseUrl, page));
	};
}

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

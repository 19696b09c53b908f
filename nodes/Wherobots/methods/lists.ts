/** Pickers of records, declared by their entries. */
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Rule } from '../form/declarations';
import { shownStatus } from '../service/jobRuns';
import { ACTION_NAME, isRecord, type Run, simplifyApiKey } from '../service/records';
import { foreignKind, tableType, type TableListItem } from '../service/catalogs';
import type { EndpointId } from '../service/endpoints';
import {
	KNOWN_REGIONS,
	KNOWN_RUNTIMES,
	ORGANIZATION_DEFAULT,
	runtimeName,
} from '../service/deployment';
import { runNamePattern } from '../service/rules';
import { simplifySession, type SqlSession } from '../service/sql/protocol';
import { taskNamePattern, type TaskRun } from '../service/taskRuns';
import { formatTime, MICROS_PER_MS } from '../service/time';
import { hasStatus } from '../transport/failure';
import { readList, readPage } from '../transport/records';
import { text } from '../transport/text';
import {
	choicesOf,
	chosenPath,
	disambiguated,
	matching,
	pickerClient,
	shortTime,
	type Choice,
	type ListSearch,
	type Option,
} from './choices';

interface ListPicker<T extends IDataObject> {
	endpoint: EndpointId;
	offer(record: T): Option;
	/** Whether a record can be chosen. */
	only?(record: T): boolean;
	/** What the records are sorted by, newest first; by name otherwise. */
	newest?(record: T): unknown;
}

/** A picker that loads the whole list at once and searches it by name. */
function listPicker<T extends IDataObject = IDataObject>({
	endpoint,
	only = () => true,
	offer,
	newest,
}: ListPicker<T>): ListSearch {
	return async function (filter) {
		const path = chosenPath(this, endpoint);
		const client = await pickerClient(this);
		const records = await readList<T>(client, endpoint, { path });
		if (newest) records.sort((a, b) => text(newest(b)).localeCompare(text(newest(a))));
		const listed = disambiguated(choicesOf(records.filter(only).map(offer)));
		if (!newest) listed.sort((a, b) => a.name.localeCompare(b.name));
		return matching(listed, filter);
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
	endpoint: EndpointId,
	filterName: string,
	rule: Rule<string>,
	offer: (run: T) => Option,
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
		return { results: choicesOf(items.map(offer)), paginationToken: next };
	};
}

export const searchJobRuns = runPicker<Run>('listRuns', 'name', runNamePattern, (run) => ({
	id: run.id,
	name: run.name,
	detail: [text(shownStatus(run)), shortTime(run.createTime)].filter(Boolean).join(', '),
}));

/** Task runs by the beginning of their task's name. */
export const searchTaskRuns = runPicker<TaskRun>(
	'listTaskRuns',
	'taskName',
	taskNamePattern,
	({ taskRunId, name, taskName, state, submittedAt }) => ({
		id: taskRunId,
		name: text(name) || text(taskName),
		detail: [text(state), shortTime(submittedAt)].filter(Boolean).join(', '),
	}),
);

export const searchApiKeys = listPicker({
	endpoint: 'listApiKeys',
	only: ({ revoked }) => revoked !== true,
	offer(record) {
		const { id, name, preview, expiresAt } = simplifyApiKey(record);
		const expiry = shortTime(expiresAt) ?? text(expiresAt);
		const description = expiry && `Expires ${expiry}`;
		return { id, name, detail: preview, description };
	},
});

export const searchCatalogs = listPicker({
	endpoint: 'listCatalogs',
	offer: ({ id, name, type }) => ({ id, name, description: foreignKind(type) ?? 'Managed' }),
});

export const searchCloudConnections = listPicker({
	endpoint: 'listCloudConnections',
	offer: ({ id, name, awsAccountId }) => ({ id, name, detail: awsAccountId }),
});

const presetOption = ({ id, name, protected: isProtected }: IDataObject) => ({
	id,
	name,
	description: isProtected === true ? 'Protected' : undefined,
});

export const searchPresets = listPicker({ endpoint: 'listPresets', offer: presetOption });

export const searchEnvironmentPresets = listPicker({
	endpoint: 'listEnvironmentPresets',
	offer: presetOption,
});

/** Tasks by their display names; the field's value is the service's name. */
export const searchTasks = listPicker({
	endpoint: 'listTasks',
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

export const searchNamespaces = listPicker({ endpoint: 'listNamespaces', offer: byOwnName });

export const searchTables = entryPicker('TABLE');

export const searchViews = entryPicker('VIEW');

function entryPicker(type: 'TABLE' | 'VIEW'): ListSearch {
	return listPicker<TableListItem>({
		endpoint: 'listTables',
		only: (entry) => tableType(entry) === type,
		offer: byOwnName,
	});
}

/** Namespaces, tables and views are identified by their name. */
function byOwnName({ name }: IDataObject): Option {
	return { id: name };
}

const DEFAULT_CHOICE: Choice = {
	name: 'Organization Default',
	value: ORGANIZATION_DEFAULT,
	description: 'Use the default of your organization',
};

/**
 * A picker of runtimes or regions: the organization's where the account can read them, else known ones.
 *
 * @param group its entries in an undocumented response, which may have any shape and is missing when
 *   the account or deployment has no access. Rejected credentials are an error: they would fail later,
 *   too.
 */
function computePicker(
	group: 'runtimes' | 'regions',
	offer: (entry: IDataObject) => Option,
	known: Choice[],
	also: Choice[] = [DEFAULT_CHOICE],
): ListSearch {
	return async function (filter) {
		const client = await pickerClient(this);
		const response = await client.call<IDataObject>('getConfigHint').catch((error: Error) => {
			if (hasStatus(error, 401)) throw error;
			return undefined;
		});
		const entries = (response?.[group] as IDataObject | undefined)?.hint;
		const enabled = Array.isArray(entries)
			? (entries as unknown[]).filter(isRecord).filter((entry) => entry.enabled !== false)
			: [];
		const listed = choicesOf(enabled.map(offer));
		return matching([...also, ...(listed.length > 0 ? listed : known)], filter);
	};
}

export const searchRuntimes = computePicker(
	'runtimes',
	({ id, name, description }) => ({ id, name: text(name) || runtimeName(text(id)), description }),
	KNOWN_RUNTIMES.map(({ id, name, family }) => ({ name, value: id, description: family })),
);

const regions = [
	'regions',
	({ regionName, availability }: IDataObject) => ({ id: regionName, description: availability }),
	KNOWN_REGIONS.map((name) => ({ name, value: name })),
] as const;

export const searchRegions = computePicker(...regions);

/** Regions to filter by: no run is in the organization's default as such. */
export const searchRunRegions = computePicker(...regions, []);

/** How many events are looked at for their actions, and how far back. */
const RECENT_EVENTS = 300;
const RECENT_MS = 30 * 86_400_000;

/** The actions of recent audit events. */
export async function getActionNames(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const client = await pickerClient(this);
	const startTime = formatTime(MICROS_PER_MS * (Math.trunc(client.serviceNow()) - RECENT_MS));
	const options = { query: { startTime }, limit: RECENT_EVENTS };
	const events = await readList<IDataObject>(client, 'queryAuditLog', options);
	const names = new Set(events.map((event) => text(event[ACTION_NAME])).filter(Boolean));
	return [...names].sort().map((name) => ({ name, value: name }));
}

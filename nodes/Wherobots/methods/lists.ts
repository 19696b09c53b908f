/** Pickers: of records, declared by their entries, and of the files and folders of a storage. */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Rule } from '../form/declarations';
import { isRecord } from '../service/records';
import { simplifyApiKey } from '../service/records/apiKey';
import { auditEvents } from '../service/records/auditEvent';
import { jobRuns } from '../service/records/jobRun';
import type { RunKind, RunRecord } from '../service/records/kind';
import { taskRuns } from '../service/records/taskRun';
import { detectForeignKind, getTableType, type TableListItem } from '../service/tables/catalogs';
import type { EndpointId } from '../service/endpoints';
import {
	KNOWN_REGIONS,
	KNOWN_RUNTIMES,
	ORGANIZATION_DEFAULT,
	formatRuntimeName,
} from '../service/deployment';
import {
	DEFAULT_FOLDER,
	isFolder,
	isMyFiles,
	toMyFilesId,
	getParent,
	type FileEntry,
	type Storage,
} from '../service/files';
import { checkPath, checkRunNamePattern, checkTaskNamePattern } from '../service/rules';
import { simplifySession, type SqlSession } from '../service/sql/protocol';
import { formatTime, MICROS_PER_MS } from '../service/time';
import type { Client } from '../transport/client';
import { hasStatus, settle } from '../transport/failure';
import { fetchList, fetchPage } from '../transport/records';
import { toText } from '../transport/text';
import { browse, fetchRoot } from '../useCases/files/files';
import {
	toChoices,
	readChosen,
	readChosenPath,
	disambiguate,
	filterChoices,
	createPickerClient,
	formatShortTime,
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
function createListPicker<T extends IDataObject = IDataObject>({
	endpoint,
	only = () => true,
	offer,
	newest,
}: ListPicker<T>): ListSearch {
	return async function (filter) {
		const path = readChosenPath(this, endpoint);
		const client = await createPickerClient(this);
		const records = await fetchList<T>(client, endpoint, { path });
		if (newest) records.sort((a, b) => toText(newest(b)).localeCompare(toText(newest(a))));
		const listed = disambiguate(toChoices(records.filter(only).map(offer)));
		if (!newest) listed.sort((a, b) => a.name.localeCompare(b.name));
		return filterChoices(listed, filter);
	};
}

/**
 * A picker of runs by the beginning of a name, a page at a time. The service's name filter allows one
 * asterisk: what is typed is a prefix of the name, unless it contains the asterisk.
 *
 * @param filterName the filter by name in the query
 * @param rule the rule for it: no name can match what breaks it
 */
function createRunPicker<R extends RunRecord>(
	kind: RunKind<R>,
	filterName: string,
	rule: Rule<string>,
): ListSearch {
	return async function (filter = '', paginationToken) {
		const typed = filter.trim();
		const pattern = typed === '' || typed.includes('*') ? typed : `${typed}*`;
		if (pattern !== '' && rule(pattern) !== undefined) return { results: [] };
		const client = await createPickerClient(this);
		const { items, next } = await fetchPage(client, kind, {
			query: { [filterName]: pattern || undefined },
			cursor: paginationToken,
		});
		const offer = ({ id, name, shownStatus, createTime }: R) => {
			const facts = [toText(shownStatus), formatShortTime(createTime)];
			return { id, name, detail: facts.filter(Boolean).join(', ') };
		};
		return { results: toChoices(items.map(offer)), paginationToken: next };
	};
}

export const searchJobRuns = createRunPicker(jobRuns, 'name', checkRunNamePattern);

/** Task runs by the beginning of their task's name. */
export const searchTaskRuns = createRunPicker(taskRuns, 'taskName', checkTaskNamePattern);

export const searchApiKeys = createListPicker({
	endpoint: 'listApiKeys',
	only: ({ revoked }) => revoked !== true,
	offer(record) {
		const { id, name, preview, expiresAt } = simplifyApiKey(record);
		const expiry = formatShortTime(expiresAt) ?? toText(expiresAt);
		const description = expiry && `Expires ${expiry}`;
		return { id, name, detail: preview, description };
	},
});

export const searchCatalogs = createListPicker({
	endpoint: 'listCatalogs',
	offer: ({ id, name, type }) => ({ id, name, description: detectForeignKind(type) ?? 'Managed' }),
});

export const searchCloudConnections = createListPicker({
	endpoint: 'listCloudConnections',
	offer: ({ id, name, awsAccountId }) => ({ id, name, detail: awsAccountId }),
});

const toPresetOption = ({ id, name, protected: isProtected }: IDataObject) => ({
	id,
	name,
	description: isProtected === true ? 'Protected' : undefined,
});

export const searchPresets = createListPicker({ endpoint: 'listPresets', offer: toPresetOption });

export const searchEnvironmentPresets = createListPicker({
	endpoint: 'listEnvironmentPresets',
	offer: toPresetOption,
});

/** Tasks by their display names; the field's value is the service's name. */
export const searchTasks = createListPicker({
	endpoint: 'listTasks',
	offer: ({ name, displayName, description }) => ({ id: name, name: displayName, description }),
});

export const searchSqlSessions = createListPicker<SqlSession>({
	endpoint: 'listSqlSessions',
	newest: (session) => simplifySession(session).createTime,
	offer(session) {
		const { id, status, runtime, region, createTime } = simplifySession(session);
		const facts = [
			toText(runtime) || 'Default runtime',
			toText(region),
			formatShortTime(createTime) ?? id,
		];
		return { id, name: facts.filter(Boolean).join(', '), description: status };
	},
});

export const searchNamespaces = createListPicker({
	endpoint: 'listNamespaces',
	offer: toNameOption,
});

export const searchTables = createEntryPicker('TABLE');

export const searchViews = createEntryPicker('VIEW');

function createEntryPicker(type: 'TABLE' | 'VIEW'): ListSearch {
	return createListPicker<TableListItem>({
		endpoint: 'listTables',
		only: (entry) => getTableType(entry) === type,
		offer: toNameOption,
	});
}

/** Namespaces, tables and views are identified by their name. */
function toNameOption({ name }: IDataObject): Option {
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
function createComputePicker(
	group: 'runtimes' | 'regions',
	offer: (entry: IDataObject) => Option,
	known: Choice[],
	also: Choice[] = [DEFAULT_CHOICE],
): ListSearch {
	return async function (filter) {
		const client = await createPickerClient(this);
		const response = await client.call<IDataObject>('getConfigHint').catch((error: Error) => {
			if (hasStatus(error, 401)) throw error;
			return undefined;
		});
		const entries = (response?.[group] as IDataObject | undefined)?.hint;
		const enabled = Array.isArray(entries)
			? (entries as unknown[]).filter(isRecord).filter((entry) => entry.enabled !== false)
			: [];
		const listed = toChoices(enabled.map(offer));
		return filterChoices([...also, ...(listed.length > 0 ? listed : known)], filter);
	};
}

export const searchRuntimes = createComputePicker(
	'runtimes',
	({ id, name, description }) => ({
		id,
		name: toText(name) || formatRuntimeName(toText(id)),
		description,
	}),
	KNOWN_RUNTIMES.map(({ id, name, family }) => ({ name, value: id, description: family })),
);

const regions = [
	'regions',
	({ regionName, availability }: IDataObject) => ({ id: regionName, description: availability }),
	KNOWN_REGIONS.map((name) => ({ name, value: name })),
] as const;

export const searchRegions = createComputePicker(...regions);

/** Regions to filter by: no run is in the organization's default as such. */
export const searchRunRegions = createComputePicker(...regions, []);

/** How many events are looked at for their actions, and how far back. */
const RECENT_EVENTS = 300;
const RECENT_MS = 30 * 86_400_000;

/** The actions of recent audit events. */
export async function getActionNames(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const client = await createPickerClient(this);
	const startTime = formatTime(MICROS_PER_MS * (Math.trunc(client.serviceNow()) - RECENT_MS));
	const options = { query: { startTime }, limit: RECENT_EVENTS };
	const events = await fetchList(client, auditEvents, options);
	const names = new Set(events.map(({ action }) => toText(action)).filter(Boolean));
	return [...names].sort().map((name) => ({ name, value: name }));
}

/** The field for the storage. */
const STORAGE = { name: 'storageId', displayName: 'Storage' };

/** The storages that job runs and SQL sessions can use: not the caller's own files, whose S3 path is unknown. */
export const searchSessionStorages: ListSearch = async function (filter) {
	const choices = await fetchStorages(await createPickerClient(this));
	return filterChoices(
		choices.filter(({ value }) => !isMyFiles(value)),
		filter,
	);
};

/** The storages of the organization, and the caller's own files where they are enabled. */
export const searchStorages: ListSearch = async function (filter) {
	const client = await createPickerClient(this);
	const choices = await fetchStorages(client);
	const own = await fetchMyFiles(client);
	const isListed = own && choices.some(({ value }) => value === own.value);
	return filterChoices(own && !isListed ? [...choices, own] : choices, filter);
};

async function fetchStorages(client: Client): Promise<Choice[]> {
	const storages = await fetchList<Storage>(client, 'listStorages');
	return toChoices(
		storages.map((storage) => ({
			id: storage.id,
			name: storage.name,
			description: describe(storage),
		})),
	);
}

function describe({ type, path, readOnly }: Storage): string {
	const kind =
		type === 'MANAGED' ? 'Managed' : type === 'INTEGRATION' ? 'Integration' : toText(type);
	return [kind, toText(path), readOnly === true && 'read-only'].filter(Boolean).join(' · ');
}

/** The caller's own files in the organization's default region; undefined where there are none. */
async function fetchMyFiles(client: Client): Promise<Choice | undefined> {
	const organization = await settle(client.call<IDataObject>('getOrganization'));
	const region =
		organization.ok && isRecord(organization.value) && organization.value.defaultRegion;
	if (typeof region !== 'string' || region === '') return undefined;
	const value = toMyFilesId(region);
	const root = await settle(fetchRoot(client, value));
	return root.ok
		? { name: `My Files (${region})`, value, description: 'Your own files' }
		: undefined;
}

/** The folders of the chosen storage; typed text up to its last slash is the folder to look in. */
export const searchFolders: ListSearch = async function (filter, paginationToken) {
	const found = await search(this, isFolder, filter, paginationToken);
	if (!isFirst(filter, paginationToken)) return found;
	const client = await createPickerClient(this);
	const root = await settle(fetchRoot(client, readChosen(this, STORAGE)));
	const isProtected = root.ok && isRecord(root.value) && root.value.upload_protected;
	const listed = toChoices([toFolderOption('/', isProtected)]);
	return { ...found, results: [...listed, ...found.results] };
};

/** A folder in the list, which says whether nothing can be uploaded to it. */
function toFolderOption(path: string, isProtected: unknown): Option {
	return { id: path, detail: isProtected === true ? 'read-only' : undefined };
}

/** The folders of a storage for an upload, with the storage's own place for it. */
export const searchUploadFolders: ListSearch = async function (filter, paginationToken) {
	const found = await searchFolders.call(this, filter, paginationToken);
	const own = {
		name: 'Default Folder',
		value: DEFAULT_FOLDER,
		description: 'The folder scripts/ in the default directory of the storage',
	};
	return isFirst(filter, paginationToken) ? { ...found, results: [own, ...found.results] } : found;
};

/** Whether this is the beginning of the whole list. */
function isFirst(filter = '', paginationToken?: string): boolean {
	return paginationToken === undefined && filter.trim() === '';
}

/** A picker of the files of the chosen storage, found in the same way. @param extension in lower case */
function createFilePicker(extension = ''): ListSearch {
	const isOffered = (entry: FileEntry) =>
		!isFolder(entry) && entry.path.toLowerCase().endsWith(extension);
	return async function (filter, paginationToken) {
		return await search(this, isOffered, filter, paginationToken);
	};
}

export const searchFiles = createFilePicker();

export const searchPythonFiles = createFilePicker('.py');

export const searchJARFiles = createFilePicker('.jar');

async function search(
	context: ILoadOptionsFunctions,
	wanted: (entry: FileEntry) => boolean,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const storageId = readChosen(context, STORAGE);
	const typed = filter.trim().replace(/^\/+/, '');
	const path = getParent(`${typed}x`);
	// A folder whose path is invalid, such as one that begins with s3://, has no entries.
	if (checkPath(path) !== undefined) return { results: [] };
	const client = await createPickerClient(context);
	const isMatch = (entry: FileEntry) => entry.path.toLowerCase().includes(typed.toLowerCase());
	const { entries, token } = await browse(
		client,
		{ storageId, path },
		paginationToken,
		(entry) => wanted(entry) && isMatch(entry),
	);
	const results = toChoices(
		entries.map((entry) => toFolderOption(entry.path, isFolder(entry) && entry.protected)),
	);
	return { results, paginationToken: token };
}

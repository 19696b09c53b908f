/**
 * Every endpoint that the package calls, and all there is to know of it. Requests, lists, pickers and
 * declared operations are made from these rows.
 *
 * Source: the endpoint tables of the service's interface description ("Endpoints").
 */

import type { IDataObject } from 'n8n-workflow';

import { checkPath, checkPathValue } from './rules';

/** Whether a request may be sent again when it is unclear whether it was handled. */
export type RetryClass =
	/** A read, or an idempotent change. */
	| 'repeatable'
	/** Sent again only when it certainly was not handled (rate limited, never connected). */
	| 'once';

/** What a page was asked for, and how many records came. */
interface AskedPage {
	/** Where it begins; undefined for the first one. */
	cursor?: string;
	size: number;
	count: number;
}

/** How the pages of a list follow each other: whoever reads pages knows no kind of it. */
export interface Paging {
	/** The query parameter for where a page begins, for its size, and its maximum size. */
	cursorName: string;
	sizeName: string;
	maxSize: number;
	/** Whether the list seems to go on after this page, even if it names no other. */
	suggestsMore(page: IDataObject, asked: AskedPage): boolean;
	/** Where the next page begins; undefined when there is none. */
	findNext(page: IDataObject, asked: AskedPage): string | undefined;
}

/** Each page names the next one. Zero is the start of a list (interface, "logs": default cursor 0). */
const defineCursorPaging = (sizeName: string, maxSize: number): Paging => ({
	...{ cursorName: 'cursor', sizeName, maxSize },
	suggestsMore: (_, { cursor, size, count }) =>
		count === 0 ? cursor !== undefined : count >= size,
	findNext({ next_page: next = null }) {
		return next === null || ['', '0'].includes(String(next)) ? undefined : String(next);
	},
});

/** Pages begin after a number of records. The total may count other things, so it can only make the list longer. */
const defineOffsetPaging = (sizeName: string, maxSize: number): Paging => {
	const suggestsMore: Paging['suggestsMore'] = ({ limit, total }, { cursor = 0, size, count }) =>
		count >= Math.min(size, Number(limit) || size) ||
		(Number.isSafeInteger(total) && Number(cursor) + count < Number(total));
	return {
		...{ cursorName: 'offset', sizeName, maxSize, suggestsMore },
		findNext: (page, asked) =>
			asked.count > 0 && suggestsMore(page, asked)
				? String(Number(asked.cursor ?? 0) + asked.count)
				: undefined,
	};
};

/** How the records of a list arrive. */
interface List {
	/** The key of the list in the response; without it, the response is the list, and a page has `items`. */
	key?: string;
	/** How pages follow each other; without it, all records come in one response. */
	pages?: Paging;
}

interface EndpointRow {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path below the base URL, with `{name}` for a value, and `{path}` for one with several segments. */
	path: string;
	retry: RetryClass;
	/**
	 * Status of the response to a repeated request when an earlier attempt, whose response was lost, had
	 * already done the work: a delete that finds nothing left, a cancel of a cancelled run.
	 */
	doneBefore?: number;
	/** Title of the error for status 403, where the interface says more than "insufficient permission". */
	permission?: string;
	/** The response has a secret, so no error quotes it. */
	secret?: true;
	/** Success is a redirect to a presigned URL. No redirect is followed. */
	redirects?: true;
}

/**
 * The `id` names the field that identifies a record of its response, or the fields that do so together.
 * Without the right one, a list would repeat records whenever its pages shift.
 */
export type Endpoint = EndpointRow &
	({ list?: undefined; id?: string } | { list: List; id: string | string[] });

const ADMIN_ONLY = 'This needs the key of an organization admin';
const EDITION = 'an organization on the Professional, Innovation or Enterprise Edition';

const TABLE = '/catalogs/{catalog_id}/namespaces/{namespace_name}/tables/{table_name}';
const CONNECTION = '/cloud-connections/{connection_id}';
const STORAGE = '/storage/{storage_id}';

const defineRead = (path: string, permission?: string) => ({
	...({ method: 'GET', retry: 'repeatable' } as const),
	path,
	permission,
});

/** A deletion that finds nothing was already done. */
const defineRemoval = (path: string, permission?: string): Endpoint => ({
	...defineRead(path, permission),
	method: 'DELETE',
	doneBefore: 404,
});

/** All records in one response. */
const defineList = (path: string, id: string, key?: string) => ({
	...defineRead(path),
	list: { key },
	id,
});

/** Pages of at most a hundred (interface, "Limits"). */
const defineCursorList = (path: string, id: string, permission?: string) => ({
	...defineRead(path, permission),
	list: { pages: defineCursorPaging('size', 100) },
	id,
});

/** Tasks and their runs; the size limit is documented for runs only, and used for tasks, too. */
const defineOffsetList = (path: string, id: string) => ({
	...defineRead(path),
	list: { pages: defineOffsetPaging('limit', 100) },
	id,
});

const post = (path: string): Endpoint => ({ ...defineRead(path), method: 'POST' });

/** Creates a record each time it is sent. */
const create = (path: string, permission?: string): Endpoint => ({
	method: 'POST',
	path,
	retry: 'once',
	permission,
});

const endpointTable = {
	// Job runs
	createRun: create('/runs', `This needs ${EDITION}`),
	getRun: defineRead('/runs/{run_id}'),
	listRuns: defineCursorList('/runs', 'id'),
	cancelRun: { ...post('/runs/{run_id}/cancel'), doneBefore: 409 },
	getRunLogs: defineRead('/runs/{run_id}/logs'),

	// Audit log. The export has two documented paths; the second is tried when the first does not exist.
	queryAuditLog: defineCursorList('/audit-log', 'event_id', ADMIN_ONLY),
	exportAuditLog: defineRead('/audit-log/export', `${ADMIN_ONLY}, and ${EDITION}`),
	exportAuditLogByGuidePath: defineRead('/audit-logs/export', `${ADMIN_ONLY}, and ${EDITION}`),

	// API keys
	listApiKeys: defineList('/apikey', 'id'),
	createApiKey: { ...create('/apikey'), secret: true },
	updateApiKey: post('/apikey/{api_key_id}'),
	revokeApiKey: defineRemoval(
		'/apikey/{api_key_id}',
		"Revoking someone else's key needs the key of an organization admin",
	),

	// Catalogs
	listCatalogs: defineList('/catalogs', 'id', 'catalogs'),
	createCatalog: create('/catalogs'),
	getCatalogHierarchy: defineList('/catalogs/hierarchy', 'id', 'catalogs'),
	listNamespaces: defineList('/catalogs/{catalog_id}/namespaces', 'name', 'namespaces'),
	listTables: defineList(
		'/catalogs/{catalog_id}/namespaces/{namespace_name}/tables',
		'name',
		'tables',
	),
	getTable: defineRead(TABLE),
	deleteTable: defineRemoval(TABLE, ADMIN_ONLY),
	getTableCredentials: { ...post(`${TABLE}/credentials`), secret: true },
	getView: defineRead('/catalogs/{catalog_id}/namespaces/{namespace_name}/views/{view_name}'),

	// Cloud connections
	listCloudConnections: defineList('/cloud-connections', 'id'),
	createCloudConnection: create('/cloud-connections'),
	getCloudConnection: defineRead(CONNECTION),
	deleteCloudConnection: defineRemoval(CONNECTION),
	verifyCloudConnection: post(`${CONNECTION}/verify`),
	getConnectionCreateLink: defineRead(`${CONNECTION}/create-link/connection`),
	getConnectionTemplate: defineRead(`${CONNECTION}/cft/connection`),
	getStorageCreateLink: defineRead(`${CONNECTION}/create-link/storage`),
	getStorageTemplate: defineRead(`${CONNECTION}/cft/storage`),
	getGlueCreateLink: defineRead(`${CONNECTION}/create-link/glue`),
	getGlueTemplate: defineRead(`${CONNECTION}/cft/glue`),
	getS3TablesCreateLink: defineRead(`${CONNECTION}/create-link/s3tables`),
	getS3TablesTemplate: defineRead(`${CONNECTION}/cft/s3tables`),

	// Environment override presets
	listPresets: defineList('/environment-override-preset', 'id'),
	upsertPreset: { method: 'PUT', path: '/environment-override-preset', retry: 'repeatable' },
	// Outside the documented interface; from the public description of the service.
	deletePreset: defineRemoval('/environment-override-preset/{environment_override_preset_id}'),
	listEnvironmentPresets: defineList('/environment-preset', 'id'),

	// Files. Outside the documented interface; from the public description of the service, and from
	// the service's published clients (docs/files.md says what is known from where).
	listStorages: defineList('/storage', 'id'),
	// The service's own clients request a thousand entries; more is an error, and no size returns all at once.
	listDirectory: {
		...defineRead(`${STORAGE}/directories/{path}`),
		list: { pages: defineCursorPaging('limit', 1_000) },
		id: ['type', 'path', 'name'],
	},
	createDirectory: { ...post(`${STORAGE}/directories/{path}`), method: 'PUT', doneBefore: 409 },
	deleteDirectory: defineRemoval(`${STORAGE}/directories/{path}`),
	// Only creates a URL.
	createUploadUrl: post(`${STORAGE}/file-upload-url/{path}`),
	downloadFile: { ...defineRead(`${STORAGE}/files/{path}`), redirects: true },
	createDownloadUrl: defineRead(`${STORAGE}/file-download-url/{path}`),
	// A second try would not find the file any more, or rename another.
	renameFile: create(`${STORAGE}/file-rename/{path}`),
	deleteFile: defineRemoval(`${STORAGE}/files/{path}`),

	// Outside the documented interface: the lists behind the region and runtime pickers.
	// Pickers fall back to the known values when an account or a deployment has no access.
	getOrganization: defineRead('/organization'),
	getConfigHint: defineRead('/me/jupyter/lab/config-hint'),

	// Outside the documented interface; from the public description of the service. Costs are read with
	// a POST because of the list of IDs.
	getRunMetrics: { ...defineRead('/runs/{run_id}/metrics'), id: 'runId' },
	getCosts: post('/usage/costs'),

	// Outside the documented interface; from the public description of the service.
	getUsageHistory: defineList('/usage/history', 'id'),
	listOrganizationApiKeys: { ...defineList('/organization/apikeys', 'id'), permission: ADMIN_ONLY },

	// Tasks and their runs. Outside the documented interface; from the vendor's pages on them.
	listTasks: defineOffsetList('/tasks', 'taskId'),
	getTask: defineRead('/tasks/{taskName}'),
	// The path is the most likely one; the description says the actual one.
	runTask: create('/tasks/{taskName}/runs'),
	getDescription: defineRead('/openapi.json'),
	listTaskRuns: defineOffsetList('/task-runs', 'taskRunId'),
	getTaskRun: { ...defineRead('/task-runs/{taskRunId}'), id: 'taskRunId' },
	getTaskRunLogs: defineRead('/task-runs/{taskRunId}/logs'),
	getTaskRunCost: defineRead('/task-runs/{taskRunId}/cost'),
	// Can be repeated; 409 only for a run that had already ended.
	cancelTaskRun: { method: 'POST', path: '/task-runs/{taskRunId}/cancel', retry: 'repeatable' },

	// SQL sessions. Outside the documented interface; from the public description of the service, and
	// from the service's published clients (docs/sql.md). Requesting a shared session again returns the
	// same one, so that request may be repeated.
	createSqlSession: { ...create('/sql/session'), redirects: true },
	getSqlSession: defineRead('/sql/session/{session_id}'),
	listSqlSessions: defineList('/sql/sessions', 'id'),
	deleteSqlSession: defineRemoval('/sql/session/{session_id}'),

	// Any request, by its method: the path is that of the deployment's own description.
	apiGET: defineRead('/'),
	apiPOST: create('/'),
	apiPUT: { method: 'PUT', path: '/', retry: 'repeatable' },
	apiPATCH: { method: 'PATCH', path: '/', retry: 'once' },
	apiDELETE: defineRemoval('/'),
} satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpointTable;

export const endpoints: Record<EndpointId, Endpoint> = endpointTable;

/** What is known of a request of this method and path, whatever its values are called. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
	const toShape = (each: string) => each.replace(PATH_NAME, '{}').replace(/\/$/, '');
	return Object.values(endpoints).find(
		(each) => each.method === method && toShape(each.path) === toShape(path),
	);
}

/** The names of the fields that identify a record: `id` unless the row of its endpoint says otherwise. */
export function listIdNames(id: EndpointId): string[] {
	return [endpoints[id].id ?? 'id'].flat();
}

/** Values for the `{name}` parts of a path, by name. */
export type PathValues = Record<string, string>;

/** The names of the values in the path of an endpoint, in their order. */
export function listPathNames(id: EndpointId): string[] {
	return listNames(endpoints[id].path);
}

/** A name in braces in a path. */
export const PATH_NAME = /\{([\w.-]+)\}/g;

/** The names in braces in a path, in their order. */
export function listNames(path: string): string[] {
	return [...path.matchAll(PATH_NAME)].map(([, name]) => name);
}

/** The title where nothing is at the path of a file or folder. */
export const NOTHING_THERE = 'There is nothing at this path';

const CHECK_PATH =
	'Choose it from the list, or check the path: it is relative to the storage, and case-sensitive.';

/** What the values of paths identify. */
const RECORDS: Record<string, string> = {
	api_key_id: 'API key',
	catalog_id: 'catalog',
	connection_id: 'cloud connection',
	environment_override_preset_id: 'preset',
	namespace_name: 'namespace',
	run_id: 'job run',
	session_id: 'SQL session',
	storage_id: 'storage',
	table_name: 'table',
	taskName: 'task',
	taskRunId: 'task run',
	view_name: 'view',
};

/** What else the ID of a record may be the ID of. */
const MISTAKEN: Record<string, string> = {
	api_key_id:
		'It is not the key itself. A key that API Key: Get Many still lists may have been revoked.',
	run_id: 'If it is the ID of a task run, use the resource Task Run.',
	table_name: 'Views are read with View: Get or SQL: Execute Query.',
	taskRunId: 'If it is the ID of a job run, use the resource Job Run.',
	view_name: 'Tables are read with Table: Get.',
};

/**
 * The title of the error that a record in a path does not exist, and what to do: of the one that the
 * service names, otherwise of the last one.
 */
export function findMissingRecord(
	path: string,
	message: string,
	values: PathValues = {},
): { title: string; advice: string } | undefined {
	const names = listNames(path);
	const isNamed = (name: string) => message.toLowerCase().includes(RECORDS[name]?.toLowerCase());
	const name = names.find(isNamed) ?? names.at(-1) ?? '';
	if (name === 'path') return { title: NOTHING_THERE, advice: CHECK_PATH };
	if (!Object.hasOwn(RECORDS, name)) return undefined;
	const key = /id$/i.test(name) ? 'ID' : 'name';
	// Someone may have pasted the key itself.
	const value = name === 'api_key_id' ? '' : values[name]?.slice(0, 100);
	const mistaken = MISTAKEN[name] ?? '';
	const how = key === 'ID' ? 'its ID, not its name' : 'its name alone, exactly as listed';
	const choose = `Choose one from the list, or enter ${how}.`;
	return {
		title: `There is no ${RECORDS[name]} with ${value ? `the ${key} "${value}"` : `this ${key}`}`,
		advice: `${choose} ${mistaken}`.trimEnd(),
	};
}

/** Any number of segments goes where a path is called that. */
function hasSegments(name: string): boolean {
	return name === 'path';
}

/** Why a value cannot be sent in the place of its name in a path; undefined when it can. */
export function checkNamedValue(name: string, value: string): string | undefined {
	return hasSegments(name) ? checkPath(value) : checkPathValue(value);
}

/**
 * The path of an endpoint with its values inserted, each percent-encoded as one segment (interface,
 * "Catalogs": names must be URL-encoded); of `path` each segment by itself.
 *
 * @throws RangeError when a value is missing or invalid in a path; the message names it
 */
export function buildPath(endpoint: Pick<Endpoint, 'path'>, values: PathValues = {}): string {
	return endpoint.path.replace(PATH_NAME, (_, name: string) => {
		// Records are passed on as they came, and an ID may be a number.
		const value = String(values[name] ?? '');
		const problem = checkNamedValue(name, value);
		if (problem) throw new RangeError(`The path value '${name}' ${problem}`);
		return hasSegments(name)
			? value.split('/').map(encodeURIComponent).join('/')
			: encodeURIComponent(value);
	});
}

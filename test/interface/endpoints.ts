/**
 * The endpoints of the service, written from its interface: what the sandbox serves. The package has a table of its own (nodes/Wherobots/service/endpoints.ts),
 * on purpose: a path that is wrong there gets a 404 here.
 */
export interface EndpointAddress {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Below the base URL, as the interface writes them: `/runs/{run_id}`. `{path}` may have slashes, or be empty. */
	paths: string[];
}

const NAMESPACE = '/catalogs/{catalog_id}/namespaces/{namespace_name}';
const TABLE = `${NAMESPACE}/tables/{table_name}`;
const CONNECTION = '/cloud-connections/{connection_id}';
const STORAGE = '/storage/{storage_id}';

const at = (method: EndpointAddress['method'], ...paths: string[]): EndpointAddress => ({
	method,
	paths,
});

/** The tables of the interface. */
export const interfaceEndpoints = {
	// Job runs
	createRun: at('POST', '/runs'),
	getRun: at('GET', '/runs/{run_id}'),
	cancelRun: at('POST', '/runs/{run_id}/cancel'),
	getRunLogs: at('GET', '/runs/{run_id}/logs'),
	listRuns: at('GET', '/runs'),
	// Audit log. The export has two paths; it counts once.
	exportAuditLog: at('GET', '/audit-log/export', '/audit-logs/export'),
	queryAuditLog: at('GET', '/audit-log'),
	// API keys
	listApiKeys: at('GET', '/apikey'),
	createApiKey: at('POST', '/apikey'),
	updateApiKey: at('POST', '/apikey/{api_key_id}'),
	revokeApiKey: at('DELETE', '/apikey/{api_key_id}'),
	// Catalogs
	listCatalogs: at('GET', '/catalogs'),
	createCatalog: at('POST', '/catalogs'),
	getCatalogHierarchy: at('GET', '/catalogs/hierarchy'),
	listNamespaces: at('GET', '/catalogs/{catalog_id}/namespaces'),
	listTables: at('GET', `${NAMESPACE}/tables`),
	getTable: at('GET', TABLE),
	deleteTable: at('DELETE', TABLE),
	getTableCredentials: at('POST', `${TABLE}/credentials`),
	getView: at('GET', `${NAMESPACE}/views/{view_name}`),
	// Cloud connections
	listCloudConnections: at('GET', '/cloud-connections'),
	createCloudConnection: at('POST', '/cloud-connections'),
	getCloudConnection: at('GET', CONNECTION),
	deleteCloudConnection: at('DELETE', CONNECTION),
	verifyCloudConnection: at('POST', `${CONNECTION}/verify`),
	getConnectionCreateLink: at('GET', `${CONNECTION}/create-link/connection`),
	getConnectionTemplate: at('GET', `${CONNECTION}/cft/connection`),
	getStorageCreateLink: at('GET', `${CONNECTION}/create-link/storage`),
	getStorageTemplate: at('GET', `${CONNECTION}/cft/storage`),
	getGlueCreateLink: at('GET', `${CONNECTION}/create-link/glue`),
	getGlueTemplate: at('GET', `${CONNECTION}/cft/glue`),
	getS3TablesCreateLink: at('GET', `${CONNECTION}/create-link/s3tables`),
	getS3TablesTemplate: at('GET', `${CONNECTION}/cft/s3tables`),
	// Environment override presets
	listPresets: at('GET', '/environment-override-preset'),
	upsertPreset: at('PUT', '/environment-override-preset'),
} satisfies Record<string, EndpointAddress>;

/** Outside those tables, from the public description of the service. */
export const furtherEndpoints = {
	deletePreset: at('DELETE', '/environment-override-preset/{environment_override_preset_id}'),
	// Files
	listStorages: at('GET', '/storage'),
	listDirectory: at('GET', `${STORAGE}/directories/{path}`),
	createDirectory: at('PUT', `${STORAGE}/directories/{path}`),
	deleteDirectory: at('DELETE', `${STORAGE}/directories/{path}`),
	createUploadUrl: at('POST', `${STORAGE}/file-upload-url/{path}`),
	downloadFile: at('GET', `${STORAGE}/files/{path}`),
	createDownloadUrl: at('GET', `${STORAGE}/file-download-url/{path}`),
	renameFile: at('POST', `${STORAGE}/file-rename/{path}`),
	deleteFile: at('DELETE', `${STORAGE}/files/{path}`),
	// Only other clients ask
	getStorageCredentials: at('POST', '/storage/credentials'),
	// What runs use and cost
	getRunMetrics: at('GET', '/runs/{run_id}/metrics'),
	getCosts: at('POST', '/usage/costs'),
	getUsageHistory: at('GET', '/usage/history'),
	listOrganizationApiKeys: at('GET', '/organization/apikeys'),
	// Tasks and their runs; from the vendor's pages on them
	listTasks: at('GET', '/tasks'),
	getTask: at('GET', '/tasks/{taskName}'),
	// Which of them it is is in a deployment's own description only.
	runTask: at('POST', '/tasks/{taskName}/runs', '/tasks/{taskName}/run'),
	getDescription: at('GET', '/openapi.json'),
	listTaskRuns: at('GET', '/task-runs'),
	getTaskRun: at('GET', '/task-runs/{taskRunId}'),
	getTaskRunLogs: at('GET', '/task-runs/{taskRunId}/logs'),
	getTaskRunCost: at('GET', '/task-runs/{taskRunId}/cost'),
	cancelTaskRun: at('POST', '/task-runs/{taskRunId}/cancel'),
	// SQL sessions
	createSqlSession: at('POST', '/sql/session'),
	getSqlSession: at('GET', '/sql/session/{session_id}'),
	listSqlSessions: at('GET', '/sql/sessions'),
	deleteSqlSession: at('DELETE', '/sql/session/{session_id}'),
	// The lists behind the region and runtime pickers
	getOrganization: at('GET', '/organization'),
	getConfigHint: at('GET', '/me/jupyter/lab/config-hint'),
} satisfies Record<string, EndpointAddress>;

/** What only other clients of the service ask for. */
const othersEndpoints = {
	getMe: at('GET', '/users/me'),
} satisfies Record<string, EndpointAddress>;

const all = { ...interfaceEndpoints, ...furtherEndpoints, ...othersEndpoints };

export type EndpointId = keyof typeof all;

export const endpoints: Record<EndpointId, EndpointAddress> = all;

/** Whether a request as it was sent (path still encoded) belongs to an endpoint. */
export function isRequestOf(endpoint: EndpointAddress, method: string, path: string): boolean {
	return (
		method === endpoint.method &&
		endpoint.paths.some((template) => {
			const pattern = template.replace('{path}', '.*').replace(/\{\w+\}/g, '[^/]+');
			return new RegExp(`^${pattern}$`).test(path);
		})
	);
}

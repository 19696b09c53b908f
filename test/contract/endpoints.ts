/** The endpoints of the interface, as its tables list them. */
export interface InterfaceEndpoint {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** The export of the audit log has two; it counts once. */
	paths: string[];
}

const TABLES = '/catalogs/{catalog_id}/namespaces/{namespace_name}/tables';
const CONNECTION = '/cloud-connections/{connection_id}';

const at = (method: InterfaceEndpoint['method'], ...paths: string[]): InterfaceEndpoint => ({
	method,
	paths,
});

export const interfaceEndpoints: InterfaceEndpoint[] = [
	// Job runs
	at('POST', '/runs'),
	at('GET', '/runs/{run_id}'),
	at('POST', '/runs/{run_id}/cancel'),
	at('GET', '/runs/{run_id}/logs'),
	at('GET', '/runs'),
	// Audit log
	at('GET', '/audit-log/export', '/audit-logs/export'),
	at('GET', '/audit-log'),
	// API keys
	at('GET', '/apikey'),
	at('POST', '/apikey'),
	at('POST', '/apikey/{api_key_id}'),
	at('DELETE', '/apikey/{api_key_id}'),
	// Catalogs
	at('GET', '/catalogs'),
	at('POST', '/catalogs'),
	at('GET', '/catalogs/hierarchy'),
	at('GET', '/catalogs/{catalog_id}/namespaces'),
	at('GET', TABLES),
	at('GET', `${TABLES}/{table_name}`),
	at('DELETE', `${TABLES}/{table_name}`),
	at('POST', `${TABLES}/{table_name}/credentials`),
	at('GET', '/catalogs/{catalog_id}/namespaces/{namespace_name}/views/{view_name}'),
	// Cloud connections
	at('GET', '/cloud-connections'),
	at('POST', '/cloud-connections'),
	at('GET', CONNECTION),
	at('DELETE', CONNECTION),
	at('POST', `${CONNECTION}/verify`),
	at('GET', `${CONNECTION}/create-link/connection`),
	at('GET', `${CONNECTION}/cft/connection`),
	at('GET', `${CONNECTION}/create-link/storage`),
	at('GET', `${CONNECTION}/cft/storage`),
	at('GET', `${CONNECTION}/create-link/glue`),
	at('GET', `${CONNECTION}/cft/glue`),
	at('GET', `${CONNECTION}/create-link/s3tables`),
	at('GET', `${CONNECTION}/cft/s3tables`),
	// Environment override presets
	at('GET', '/environment-override-preset'),
	at('PUT', '/environment-override-preset'),
];

/** Whether a request as it was sent (path still encoded) belongs to an endpoint. */
export function isRequestOf(endpoint: InterfaceEndpoint, method: string, path: string): boolean {
	return (
		method === endpoint.method &&
		endpoint.paths.some((template) => {
			const pattern = template.replace(/\{\w+\}/g, '[^/]+');
			return new RegExp(`^${pattern}$`).test(path);
		})
	);
}

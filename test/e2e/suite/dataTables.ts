/** n8n's data tables, over its public API. */

import type { N8nApi } from '../n8n/api';

export async function createTable(n8n: N8nApi, name: string, columns: string[]): Promise<string> {
	const { id } = await n8n.request<{ id: string }>('POST', '/api/v1/data-tables', {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	return id;
}

/** That of another test, emptied, or a new one. */
export async function tableNamed(n8n: N8nApi, name: string, columns: string[]): Promise<string> {
	const { data } = await n8n.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		'/api/v1/data-tables',
	);
	return data.find((table) => table.name === name)?.id ?? (await createTable(n8n, name, columns));
}

export async function addRow(
	n8n: N8nApi,
	table: string,
	row: Record<string, string>,
): Promise<void> {
	await n8n.request('POST', `/api/v1/data-tables/${table}/rows`, { data: [row] });
}

export async function rowsOf(n8n: N8nApi, table: string): Promise<Array<Record<string, unknown>>> {
	const url = `/api/v1/data-tables/${table}/rows`;
	return (await n8n.request<{ data: Array<Record<string, unknown>> }>('GET', url)).data;
}

/** n8n's data tables, over its public API. */

import type { N8nApi } from '../n8n/api';

/**
 * The table that a workflow has created.
 *
 * @throws Error when there is none of that name
 */
export async function tableNamed(n8n: N8nApi, name: string): Promise<string> {
	const { data } = await n8n.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		'/api/v1/data-tables',
	);
	const found = data.filter((table) => table.name === name);
	if (found.length !== 1) throw new Error(`There are ${found.length} data tables ${name}`);
	return found[0].id;
}

export async function addRow(
	n8n: N8nApi,
	table: string,
	row: Record<string, string>,
): Promise<void> {
	await n8n.request('POST', `/api/v1/data-tables/${table}/rows`, { data: [row] });
}

export async function rowsOf(n8n: N8nApi, table: string): Promise<Array<Record<string, unknown>>> {
	const url = `/api/v1/data-tables/${table}/rows?limit=250`;
	return (await n8n.request<{ data: Array<Record<string, unknown>> }>('GET', url)).data;
}

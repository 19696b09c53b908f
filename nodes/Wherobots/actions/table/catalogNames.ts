import type { IExecuteFunctions } from 'n8n-workflow';

import type { Catalog } from '../../service/catalogs';
import type { Client } from '../../transport/client';
import { readList } from '../../transport/records';

/** The catalogs that the account can see; empty when they cannot be read. */
export async function listedCatalogs(client: Client): Promise<Catalog[]> {
	return await readList<Catalog>(client, 'listCatalogs', { key: 'catalogs' }).catch(() => []);
}

/** By execution of a node: its items share one request. */
const listed = new WeakMap<IExecuteFunctions, Promise<Catalog[]>>();

/** The name of a catalog, which SQL uses and paths do not have; undefined when it cannot be read. */
export async function catalogName(
	context: IExecuteFunctions,
	client: Client,
	catalogId: string,
): Promise<string | undefined> {
	const list = listed.get(context) ?? listedCatalogs(client);
	listed.set(context, list);
	return (await list).find(({ id }) => String(id) === catalogId)?.name;
}

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Catalog } from '../../service/catalogs';
import type { Client } from '../../transport/client';
import { readList } from '../../transport/records';
import { toResult } from '../../transport/toResult';

/** By execution of a node: its items ask once together. */
const listed = new WeakMap<IExecuteFunctions, Promise<Catalog[]>>();

/**
 * The name of a catalog, which SQL uses and paths do not have; undefined when it cannot be read. A
 * table that is there is worth more than its name in SQL.
 */
export async function catalogName(
	context: IExecuteFunctions,
	client: Client,
	catalogId: string,
): Promise<string | undefined> {
	const list =
		listed.get(context) ?? readList<Catalog>(client, 'listCatalogs', { key: 'catalogs' });
	listed.set(context, list);
	const catalogs = await toResult(list);
	return catalogs.ok ? catalogs.value.find(({ id }) => String(id) === catalogId)?.name : undefined;
}

import { NodeApiError } from 'n8n-workflow';

import { switchField } from '../../parameters/declarations';
import { foreignKind } from '../../service/catalogs';
import type { Client } from '../../transport/client';
import { amend } from '../../transport/failures/errors';
import {
	catalogPart,
	namespacePart,
	readAddress,
	tableAddress,
	tablePart,
} from '../../parameters/address';
import { optionsOf } from '../../parameters/fields';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { listedCatalogs } from './catalogNames';

const forceField = switchField({
	displayName: 'Force Delete Catalog Entry',
	name: 'force',
	description:
		"Whether to remove the catalog entry even when the table's metadata file is broken or missing",
});

const optionsField = optionsOf(forceField);

export const deleteTable: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete table',
		description:
			'Remove a table from a managed catalog. Its data files are kept in storage. Requires an admin.',
	},
	fields: [
		catalogPart.field,
		namespacePart.field,
		{
			...tablePart.field,
			hint: 'Only the catalog entry is removed, for good. The data files stay where they are.',
		},
		optionsField,
	],
	kind: 'write',
	async execute({ client, input }) {
		const { names, path } = readAddress(input, tableAddress);
		const force = input.within(optionsField).flag(forceField);
		await client
			.call('deleteTable', { path, query: { force_delete_catalog_entry: force || undefined } })
			.catch(async (error: Error) => {
				await explain(client, error, names.catalogId, force);
				throw error;
			});
		return [item({ deleted: true, ...names, dataFilesKept: true })];
	},
};

/** Statuses that reject the request; others say nothing about the table. */
const REFUSALS = new Set(['400', '403', '409', '422']);

/** Adds the likely reason to a rejected deletion (interface, "Table deletion rules"). */
async function explain(
	client: Client,
	error: Error,
	catalogId: string,
	force: boolean,
): Promise<void> {
	if (!(error instanceof NodeApiError) || !REFUSALS.has(error.httpCode ?? '')) return;
	const catalog = (await listedCatalogs(client)).find(({ id }) => String(id) === catalogId);
	const kind = foreignKind(catalog?.type);
	const reason = kind
		? `"${String(catalog?.name)}" is a foreign catalog (${kind}). Tables of foreign catalogs cannot be deleted here. Delete the table in the system that owns the catalog.`
		: !force && error.httpCode !== '403'
			? "If the table's metadata file is broken or missing, turn on 'Force Delete Catalog Entry' to remove the entry anyway."
			: undefined;
	if (reason) amend(error, { before: reason });
}

import {
	catalogPart,
	namespacePart,
	readAddress,
	tableAddress,
	tablePart,
} from '../../form/address';
import { defineChoiceField, defineSwitchField } from '../../form/declarations';
import { defineOptions, defineSecretNotice } from '../../form/fields';
import { isRaw, toItem, shapeItems, shapeFields } from '../../form/output';
import {
	detectForeignKind,
	simplifyTable,
	simplifyView,
	type TableListItem,
	getTableType,
} from '../../service/tables/catalogs';
import { Failure, type FailureParts, hasStatus } from '../../transport/failure';
import {
	type Call,
	defineGet,
	defineGetMany,
	type Operation,
	type Resource,
} from '../operations/operation';
import { create } from './create.operation';
import { deleteRows } from './deleteRows.operation';
import { getRows } from './getRows.operation';
import { loadFile } from './loadFile.operation';
import { fetchListedCatalog, fetchTable, removeFlag } from './sqlTable';
import { insertRows, upsertRows } from './writeRows.operation';

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get table',
	description: 'Get the columns, location, row count and snapshots of a table',
	fields: [...tableAddress.map(({ field }) => field), ...shapeFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const {
			path,
			names: { catalogId, namespace, name },
		} = readAddress(input, tableAddress);
		const details = await fetchTable(client, path);
		const catalog = isRaw(input)
			? undefined
			: await fetchListedCatalog(call, catalogId).catch(() => undefined);
		return shapeItems(input, 'getTable', [details], (record) =>
			simplifyTable({ catalogId, namespace, name }, record, catalog?.name),
		);
	},
};

const includeField = defineChoiceField({
	displayName: 'Include',
	name: 'include',
	options: { all: 'Tables and Views', TABLE: 'Tables Only', VIEW: 'Views Only' },
	default: 'all',
	description: 'What to list',
});

const INCLUDED = { all: 'tables or views', TABLE: 'tables', VIEW: 'views' };

const getAll = defineGetMany<TableListItem>({
	action: 'Get many tables',
	description: "List the tables and views of a namespace; the field 'tableType' distinguishes them",
	endpoint: 'listTables',
	fields: [includeField],
	records: (input) => INCLUDED[input.choice(includeField)],
	where: 'in this namespace',
	select(entries, input) {
		const include = input.choice(includeField);
		return entries
			.map(({ table_type, ...entry }) => ({ ...entry, tableType: getTableType({ table_type }) }))
			.filter((entry) => include === 'all' || entry.tableType === include);
	},
});

const getCredentials = defineGet({
	name: 'Get Credentials',
	value: 'getCredentials',
	action: 'Get table credentials',
	description: 'Get temporary storage credentials for the data files of a table',
	endpoint: 'getTableCredentials',
	fields: [defineSecretNotice('The output contains temporary credentials, which are secret.')],
});

const forceField = defineSwitchField({
	displayName: 'Force Delete',
	name: 'force',
	description:
		"Whether to remove the catalog entry even when the table's metadata file is broken or missing",
});

const optionsField = defineOptions(forceField);

const deleteTable: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete table',
	description:
		'Remove a table from a managed catalog. Its data files are kept in storage. Needs the key of an organization admin.',
	fields: [
		catalogPart.field,
		namespacePart.field,
		{
			...tablePart.field,
			description: 'The table to delete',
			hint: 'The catalog entry is removed permanently. The data files stay where they are.',
		},
		optionsField,
	],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const { names, path } = readAddress(input, tableAddress);
		const force = input.within(optionsField).flag(forceField);
		const query = { force_delete_catalog_entry: force || undefined };
		await client.call('deleteTable', { path, query }).catch(async (error: unknown) => {
			if (!(error instanceof Failure)) throw error;
			throw removeFlag(error).with(await findReason(call, error, names.catalogId, force));
		});
		return [toItem({ deleted: true, ...names, dataFilesKept: true })];
	},
};

/** The likely reason for a rejected deletion (interface, "Table deletion rules"). */
async function findReason(
	call: Call,
	error: Failure,
	catalogId: string,
	force: boolean,
): Promise<Partial<FailureParts>> {
	// Other statuses say nothing about the table.
	if (!hasStatus(error, 400, 403, 409, 422)) return {};
	const catalog = await fetchListedCatalog(call, catalogId).catch(() => undefined);
	const kind = detectForeignKind(catalog?.type);
	if (kind) {
		return {
			before: `"${String(catalog?.name)}" is a foreign catalog (${kind}).`,
			nextStep: 'Delete the table in the system that owns the catalog.',
		};
	}
	const before =
		"If the table's metadata file is broken or missing, turn on 'Force Delete' to remove the entry anyway.";
	return force || hasStatus(error, 403) ? {} : { before };
}

export const table: Resource = {
	name: 'Table',
	value: 'table',
	description: 'A table in a catalog',
	operations: [
		...[create, deleteTable, deleteRows, get, getCredentials, getAll, getRows],
		...[upsertRows, insertRows, loadFile],
	],
};

const getView = defineGet({
	action: 'Get view',
	description: 'Get the SQL definition and the columns of a view',
	endpoint: 'getView',
	simplify: (details, _call, address) => simplifyView(address, details),
});

export const view: Resource = {
	name: 'View',
	value: 'view',
	description: 'A stored query in a catalog',
	operations: [getView],
	defaultOperation: getView,
};

import { choiceField } from '../../parameters/declarations';
import { catalogPart, namespacePart, tableAddress } from '../../parameters/address';
import { secretNotice } from '../../parameters/fields';
import { tableType, type TableListItem } from '../../service/catalogs';
import { getManyOperation, getOperation } from '../declared';
import type { Resource } from '../operation';
import { deleteTable } from './delete.operation';
import { get } from './get.operation';

const includeField = choiceField({
	displayName: 'Include',
	name: 'include',
	options: [
		{ name: 'Tables and Views', value: 'all' },
		{ name: 'Tables Only', value: 'TABLE' },
		{ name: 'Views Only', value: 'VIEW' },
	],
	default: 'all',
	description: 'What to list',
});

const INCLUDED = { all: 'tables or views', TABLE: 'tables', VIEW: 'views' };

const getAll = getManyOperation<TableListItem>({
	option: {
		action: 'Get many tables',
		description:
			"List the tables and views of a namespace; the field 'table_type' distinguishes them",
	},
	endpoint: 'listTables',
	address: [catalogPart, namespacePart],
	key: 'tables',
	fields: [includeField],
	records: (input) => INCLUDED[input.choice(includeField)],
	where: 'in this namespace',
	select(entries, input) {
		const include = input.choice(includeField);
		return entries
			.map((entry) => ({ ...entry, table_type: tableType(entry) }))
			.filter(({ table_type }) => include === 'all' || table_type === include);
	},
});

const getCredentials = getOperation({
	option: {
		name: 'Get Credentials',
		value: 'getCredentials',
		action: 'Get table credentials',
		description: 'Get temporary storage credentials for the data files of a table',
	},
	endpoint: 'getTableCredentials',
	address: tableAddress,
	fields: [secretNotice('The output contains temporary credentials, which are secret.')],
});

export const table: Resource = {
	option: {
		name: 'Table',
		value: 'table',
		description: 'A table in a catalog',
	},
	operations: [deleteTable, get, getCredentials, getAll],
	defaultOperation: 'getAll',
};

import { tableType, type TableListItem } from '../../service/catalogs';
import { readList } from '../../transport/records';
import { catalogField, namespaceField, readNamespacePath } from '../catalog/fields';
import { readLimit, returnAllFields } from '../../parameters/fields';
import type { ChoiceField } from '../../parameters/declarations';
import { items } from '../../parameters/items';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

const includeField: ChoiceField<'all' | 'TABLE' | 'VIEW'> = {
	displayName: 'Include',
	name: 'include',
	type: 'options',
	options: [
		{ name: 'Tables and Views', value: 'all' },
		{ name: 'Tables Only', value: 'TABLE' },
		{ name: 'Views Only', value: 'VIEW' },
	],
	default: 'all',
	description: 'What to list',
};

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many tables',
		description:
			"List the tables and views of a namespace; the field 'table_type' tells them apart",
	},
	fields: [catalogField, namespaceField, includeField, ...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const { address, path } = readNamespacePath(input);
		const include = input.choice(includeField);
		const limit = readLimit(input);
		const entries = await readList<TableListItem>(client, 'listTables', { path, key: 'tables' });
		const included = entries.filter((entry) => include === 'all' || tableType(entry) === include);
		if (included.length === 0) {
			const what =
				include === 'VIEW' ? 'views' : include === 'TABLE' ? 'tables' : 'tables or views';
			hintNoResults(call, what, [], 'in this namespace');
		}
		return items(
			included
				.slice(0, limit)
				.map((entry) => ({ ...address, ...entry, table_type: tableType(entry) })),
		);
	},
};

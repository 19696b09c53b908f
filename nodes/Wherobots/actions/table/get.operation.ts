import type { IDataObject } from 'n8n-workflow';

import { simplifyTable } from '../../service/catalogs';
import { readRecord } from '../../transport/records';
import { catalogField, namespaceField, readTablePath, tableField } from '../catalog/fields';
import { simplifyField } from '../fields';
import { item } from '../items';
import type { Operation } from '../operation';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a table',
		description: 'Get columns, location, row count and snapshots of a table',
	},
	fields: [catalogField, namespaceField, tableField, simplifyField],
	kind: 'read',
	async execute({ client, input }) {
		const { address, path } = readTablePath(input);
		const table = await readRecord<IDataObject>(client, 'getTable', { path });
		return [item(input.flag('simplify', true) ? simplifyTable(address, table) : table)];
	},
};

import type { IDataObject } from 'n8n-workflow';

import { simplifyTable } from '../../service/catalogs';
import { readRecord } from '../../transport/records';
import { catalogField, namespaceField, readTablePath, tableField } from '../catalog/fields';
import type { Operation } from '../operation';
import { isRaw, shape, shapeFields } from '../../parameters/shape';
import { catalogName } from './catalogNames';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get table',
		description: 'Get the columns, location, row count and snapshots of a table',
	},
	fields: [catalogField, namespaceField, tableField, ...shapeFields],
	kind: 'read',
	async execute({ client, context, input }) {
		const { address, path } = readTablePath(input);
		const table = await readRecord<IDataObject>(client, 'getTable', { path });
		const catalog = isRaw(input)
			? undefined
			: await catalogName(context, client, address.catalogId);
		return shape(input, [table], (record) => simplifyTable(address, record, catalog));
	},
};

import type { IDataObject } from 'n8n-workflow';

import { simplifyTable } from '../../service/catalogs';
import { readRecord } from '../../transport/records';
import { readAddress, tableAddress } from '../../parameters/address';
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
	fields: [...tableAddress.map(({ field }) => field), ...shapeFields],
	kind: 'read',
	async execute({ client, context, input }) {
		const {
			path,
			names: { catalogId, namespace, name },
		} = readAddress(input, tableAddress);
		const table = await readRecord<IDataObject>(client, 'getTable', { path });
		const catalog = isRaw(input) ? undefined : await catalogName(context, client, catalogId);
		return shape(input, [table], (record) =>
			simplifyTable({ catalogId, namespace, name }, record, catalog),
		);
	},
};

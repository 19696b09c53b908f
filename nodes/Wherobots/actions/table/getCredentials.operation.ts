import type { IDataObject } from 'n8n-workflow';

import { readRecord } from '../../transport/records';
import { catalogField, namespaceField, readTablePath, tableField } from '../catalog/fields';
import { secretNotice } from '../../parameters/fields';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';

export const getCredentials: Operation = {
	option: {
		name: 'Get Credentials',
		value: 'getCredentials',
		action: 'Get table credentials',
		description: 'Get temporary storage credentials for the data files of a table',
	},
	fields: [
		secretNotice('The output contains temporary credentials, a secret.'),
		catalogField,
		namespaceField,
		tableField,
	],
	kind: 'read',
	async execute({ client, input }) {
		const { path } = readTablePath(input);
		return [item(await readRecord<IDataObject>(client, 'getTableCredentials', { path }))];
	},
};

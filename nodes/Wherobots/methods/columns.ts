/** The columns and the snapshots of the chosen table. */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { tableAddress } from '../parameters/address';
import { snapshotsOf } from '../service/snapshots';
import { columnsOf } from '../service/sql/columns';
import { isRecord } from '../service/types';
import { readRecord } from '../transport/records';
import { choicesOf, chosen, matching, pickerClient, shortTime, type ListSearch } from './choices';

async function chosenTable(context: ILoadOptionsFunctions): Promise<IDataObject> {
	const path = Object.fromEntries(
		tableAddress.map(({ field, name }) => [name, chosen(context, field.name, field.displayName)]),
	);
	return await readRecord(await pickerClient(context), 'getTable', { path });
}

export async function getColumns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const columns = columnsOf(await chosenTable(this));
	return columns.map(({ name, type }) => ({ name, value: name, description: type }));
}

/** The form for a row of the chosen table. Values have no type here: n8n would round long numbers. */
export async function getTableColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const columns = columnsOf(await chosenTable(this));
	const fields = columns.map(({ name, type, isRequired }) => ({
		id: name,
		displayName: `${name} (${type})`,
		required: isRequired,
		defaultMatch: false,
		display: true,
	}));
	return { fields };
}

/** Tags by their names, then snapshots, newest first. */
export const searchVersions: ListSearch = async function (filter) {
	const table = await chosenTable(this);
	const refs = isRecord(table.refs) ? Object.entries(table.refs) : [];
	const tags = refs.filter(([, ref]) => isRecord(ref) && ref.type === 'tag');
	const snapshots = snapshotsOf(table).map((snapshot) => ({
		id: snapshot['snapshot-id'],
		detail: [shortTime(snapshot['timestamp-ms']), snapshot.summary?.operation]
			.filter(Boolean)
			.join(', '),
	}));
	const options = [...tags.map(([name]) => ({ id: name, detail: 'tag' })), ...snapshots.reverse()];
	return matching(choicesOf(options), filter);
};

/** Delete Rows: the rows that match conditions go, or are counted. */
import type { IDataObject } from 'n8n-workflow';

import { readAddress, tableAddress, type Address } from '../../form/address';
import { defineSwitchField } from '../../form/declarations';
import { toItem } from '../../form/output';
import { getCurrentId, findDeletion } from '../../service/tables/catalogs';
import { toFilterText } from '../../service/tables/selectRows';
import { settle } from '../../transport/failure';
import { fetchRecord } from '../../transport/records';
import { addHint, type Call } from '../operations/operation';
import { defineSettings } from '../sql/fields';
import { executeWritten, isPossiblyDone } from '../sql/execution';
import { readSettings } from '../sql/query';
import { completeRowFilter, conditionsField, defineRowFilter, readRowFilter } from './rowFilter';
import { defineTableStatement, fetchSqlTableAnew } from './sqlTable';

const onlyCountField = defineSwitchField({
	displayName: 'Count Only',
	name: 'onlyCount',
	description:
		'Whether to only return how many rows match, without deleting any. Use it to test the conditions.',
});

export const deleteRows = defineTableStatement({
	name: 'Delete Rows',
	value: 'deleteRows',
	action: 'Delete rows from table',
	description: 'Delete the rows of a table that match conditions, without SQL',
	hint: "Turn on 'Count Only' first to see how many rows match. The output names the snapshot to go back to.",
	fields: [onlyCountField, ...defineRowFilter('Which rows to delete', 'unsorted')],
	options: defineSettings(),
	async execute(call) {
		const { input, memory } = call;
		const address = readAddress(input, tableAddress);
		const settings = readSettings(input);
		const onlyReads = input.flag(onlyCountField);
		const wanted = readRowFilter(input, 'unsorted');
		if (wanted.conditions.length === 0 && !wanted.spatial) {
			const advice = 'To delete all rows, use SQL: Execute Query with DELETE FROM.';
			throw input.problem(conditionsField, "must not be empty without a 'Spatial Filter'", advice);
		}
		const submit = async () => {
			const table = await fetchSqlTableAnew(call, address);
			const filter = toFilterText(completeRowFilter(call, table, wanted));
			if (filter === undefined) throw new RangeError('There is no condition');
			const what = onlyReads ? 'SELECT count(*) AS `rows`' : 'DELETE';
			const text = `${what} FROM ${table.name} WHERE ${filter}`;
			const send = async (): Promise<IDataObject> => {
				const { done, rows } = await executeWritten(call, settings, { text, onlyReads });
				if (onlyReads) return { ...rows[0], table: table.name };
				const before = getCurrentId(table.details);
				return { ...done, table: table.name, ...(await describeDeletion(call, address, before)) };
			};
			const work = memory.item<IDataObject>('delete', text);
			return [toItem({ ...(await work.once(send, isPossiblyDone(onlyReads))) })];
		};
		return { submit };
	},
});

/** What has happened since a snapshot. Nothing here fails: the rows are gone. */
async function describeDeletion({ client, context }: Call, { path }: Address, before?: string) {
	const after = await settle(fetchRecord(client, 'getTable', { path }));
	const unknown = { rows: undefined, snapshotId: undefined, previousSnapshotId: before };
	const found = (after.ok && findDeletion(after.value, before)) || unknown;
	if (found.rows === undefined) {
		const message =
			"The rows were deleted, but it is not certain how many: the table's snapshots do not show it, for example because others deleted rows at the same time.";
		addHint(context, { message, type: 'warning' });
	}
	const { rows = null, snapshotId = null, previousSnapshotId = null } = found;
	return { deletedRows: rows, snapshotId, previousSnapshotId };
}

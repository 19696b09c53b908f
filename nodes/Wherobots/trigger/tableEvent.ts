import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { catalogPart, namespacePart, readAddress, tablePart } from '../form/address';
import { defineChoiceField } from '../form/declarations';
import { toItem } from '../form/output';
import type { PathValues } from '../service/endpoints';
import {
	type Catalog,
	getTableType,
	getTags,
	type TableListItem,
} from '../service/tables/catalogs';
import { toSqlName } from '../service/tables/names';
import { formatTime } from '../service/time';
import type { Client } from '../transport/client';
import { settle } from '../transport/failure';
import { fetchList, fetchRecord, refuseErrors, toUnexpectedFailure } from '../transport/records';
import { toEventId, type TableState } from './core/cursor';
import {
	findNewestChange,
	getTime,
	pollTables,
	type TableChange,
	type TableSource,
} from './core/tables';
import { createTimeSource, type TriggerEvent } from './event';

const watchField = defineChoiceField({
	displayName: 'Watch',
	name: 'watch',
	options: { namespace: 'Any Table in a Namespace', table: 'One Table' },
	default: 'table',
	description: 'Which tables start the workflow when they change',
});

const TOO_MANY = `Set '${watchField.displayName}' to 'One Table', and use one trigger for each table that you want to watch.`;

const tableField = { ...tablePart.field, displayOptions: { show: { watch: ['table'] } } };

const namespaceAddress = [catalogPart, namespacePart];

export const tableChanged: TriggerEvent = {
	name: 'Table Changed',
	description:
		'Starts the workflow for each new snapshot of a table, or of any table in a namespace',
	record: 'table change',
	fields: [watchField, ...namespaceAddress.map(({ field }) => field), tableField],
	read(input) {
		const { path, names } = readAddress(input, namespaceAddress);
		const isOne = input.choice(watchField) === 'table';
		const table = isOne ? input.text(tableField) : undefined;
		return {
			scope: { ...names, table },
			async poll(client, { scope, state, since }, budget) {
				const source = createTableSource(client, path, table);
				if (since !== undefined) {
					const newest = await findNewestChange(source);
					const items = await toTableItems(client, newest ? [newest] : [], names);
					return { items, state: { scope }, notes: [] };
				}
				const known = state as TableState | undefined;
				const { changes, ...result } = await pollTables(known, scope, source, budget, TOO_MANY);
				return { ...result, items: await toTableItems(client, changes, names) };
			},
		};
	},
};

/**
 * The items of changes. What SQL calls a table takes the list of catalogs, without which it is null.
 *
 * @param names of catalog and namespace, as they are called in items
 */
async function toTableItems(
	client: Client,
	changes: TableChange[],
	names: Record<string, string>,
): Promise<INodeExecutionData[]> {
	if (changes.length === 0) return [];
	const catalogs = await settle(fetchList<Catalog>(client, 'listCatalogs'));
	const listed = catalogs.ok ? catalogs.value : [];
	const found = listed.find(({ id }) => String(id) === names.catalogId);
	const catalog = found ? String(found.name) : null;
	return changes.map((change) => {
		const sqlName = catalog === null ? null : toSqlName(catalog, names.namespace, change.name);
		return toTableItem(change, { namespace: names.namespace, catalog, sqlName, ...names });
	});
}

function toTableItem(change: TableChange, names: IDataObject): INodeExecutionData {
	const { name, details, snapshot, previousId, isRollback, missedSince } = change;
	const place = [names.catalogId, names.namespace, name].map(String);
	const time = change.time ?? getTime(snapshot);
	const id = snapshot && String(snapshot['snapshot-id']);
	const summary = snapshot?.summary ?? {};
	// Iceberg leaves out counts of zero.
	const count = (of: string, missing: number | null = summary.operation ? 0 : null) => {
		const value = Number(summary[of]);
		if (!(of in summary)) return missing;
		return Number.isFinite(value) ? value : null;
	};
	const happened = id ?? formatTime(time ?? 0);
	return toItem({
		table: name,
		operation: isRollback ? 'rollback' : (summary.operation ?? null),
		committedAt: time === undefined ? null : formatTime(time),
		addedRecords: count('added-records'),
		deletedRecords: count('deleted-records'),
		totalRecords: count('total-records', null),
		...names,
		snapshotId: id ?? null,
		previousSnapshotId: previousId ?? null,
		tags: id === undefined ? [] : getTags(details, id),
		missedSince: missedSince ?? null,
		eventId: toEventId(
			'table',
			...place,
			happened,
			...(isRollback ? ['rollback', String(previousId)] : []),
		),
	});
}

/**
 * Tables of the service (interface, "Catalogs").
 *
 * @param path of the namespace
 * @param name of the only table that is watched; all of the namespace without one
 */
function createTableSource(client: Client, path: PathValues, name?: string): TableSource {
	return {
		...createTimeSource(client),
		async tables() {
			if (name !== undefined) return [{ name }];
			const listed = await fetchList<TableListItem>(client, 'listTables', { path });
			// Without its name, a table would be new once it has one again.
			if (listed.some(({ name: each }) => typeof each !== 'string' || each === '')) {
				throw toUnexpectedFailure('A table in the list has no name.', { path });
			}
			return listed.filter((each) => getTableType(each) === 'TABLE');
		},
		async table(table) {
			const values = { ...path, table_name: table };
			const details = await fetchRecord(client, 'getTable', { path: values });
			refuseErrors(client, 'getTable', details);
			return details;
		},
	};
}

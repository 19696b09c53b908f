import type { INodeProperties } from 'n8n-workflow';

import { readAddress, tableAddress } from '../../form/address';
import { readLimit, returnAllFields } from '../../form/fields';
import { show } from '../../form/values';
import {
	findAppendsBetween,
	getCurrentId,
	findSnapshotId,
	indexSnapshots,
} from '../../service/tables/catalogs';
import { selectStatement, type RowsWanted, type Version } from '../../service/tables/selectRows';
import { explainReading } from '../../transport/failure';
import { truncate } from '../../transport/text';
import { addHint, addHintOnce, type Call } from '../operations/operation';
import { requireSockets, runOnce } from '../sql/execution';
import { geometryField, rowsOptionsField } from '../sql/fields';
import { addStatement, ownAdvice, readOutput, readSettings } from '../sql/query';
import * as form from './getRowsFields';
import { completeRowFilter, defineRowFilter, readRowFilter } from './rowFilter';
import { defineTableStatement, fetchSqlTable, requireColumn, type SqlTable } from './sqlTable';

export const getRows = defineTableStatement({
	name: 'Get Rows',
	value: 'getRows',
	action: 'Get rows from table',
	description:
		'Get the rows of a table that match conditions, as items or as a file, without SQL',
	hint:
		'For joins and aggregates use SQL: Execute Query. A session costs money until it has been idle for a while.',
	fields: [
		form.readField,
		form.atField,
		form.sinceField,
		form.untilField,
		form.columnsField,
		...defineRowFilter('Which rows to return; all when there are none', 'sorted'),
		form.sortField,
		...returnAllFields,
		form.outputField,
		geometryField,
	],
	options: rowsOptionsField,
	async execute(call) {
		const address = readAddress(call.input, tableAddress);
		const settings = { ...readSettings(call.input), ...readOutput(call.input, address.names.name) };
		const wanted = readForm(call);
		requireSockets();
		const submit = async () => {
			const table = await fetchSqlTable(call, address);
			const asText = settings.output === 'csv';
			const text = selectStatement(completeForTable(call, table, wanted, asText));
			const statement = { text, onlyReads: true, mayReturnRows: true, advice: ownAdvice };
			const running = runOnce(call, addStatement(settings, statement));
			const items = await explainReading(running, { facts: { statement: text } });
			const message = `Statement: ${truncate(text, 300)}`;
			addHintOnce(call, 'statement', { message, type: 'info' });
			return items;
		};
		return { submit };
	},
});

/** What the form says, as far as it can be checked without knowing the table. */
function readForm({ input }: Call) {
	const read = input.choice(form.readField);
	const limit = readLimit(input);
	return {
		at: read === 'at' ? input.text(form.atField) : undefined,
		since: read === 'added' ? input.text(form.sinceField) : undefined,
		until: read === 'added' ? input.optionalText(form.untilField) : undefined,
		columns: input.list(form.columnsField),
		filter: readRowFilter(input, 'sorted'),
		sort: input.rows(form.sortField),
		limit: limit === Infinity ? undefined : limit,
	};
}

type Form = ReturnType<typeof readForm>;

/** What the form says, with the columns of the table. */
function completeForTable(call: Call, table: SqlTable, wanted: Form, asText: boolean): RowsWanted {
	const named = requireColumn.bind(undefined, call);
	const columns = wanted.columns.map((name) => named(form.columnsField, table, name));
	const { filter, ...rest } = wanted;
	return {
		...rest,
		...completeRowFilter(call, table, filter),
		table: table.name,
		versions: readVersions(call, table, wanted),
		asText,
		columns: asText && columns.length === 0 ? table.columns : columns,
		sort: wanted.sort.map(({ column, direction }) => ({
			column: named(form.sortField, table, column),
			isDescending: direction === 'desc',
		})),
	};
}

/** @throws Failure when the table does not show which rows were added */
function readVersions(
	{ context, input }: Call,
	table: SqlTable,
	wanted: Form,
): Version[] | undefined {
	const { details } = table;
	const byId = indexSnapshots(details);
	const unknown = (field: INodeProperties, what: string, version: string) =>
		input.problem(
			field,
			`must be a snapshot ${what} of this table, not ${show(version)}`,
			'It may have expired, or the table was rolled back to an earlier one. Table: Get (with Simplify off) lists the snapshots. To start afresh, read the current rows.',
		);
	if (wanted.at !== undefined) {
		const id = findSnapshotId(details, wanted.at);
		if (byId.size > 0 && !byId.has(id)) throw unknown(form.atField, 'or tag', wanted.at);
		// Spark takes a tag of digits alone for a snapshot.
		return [{ at: /^\d+$/.test(wanted.at) ? id : wanted.at }];
	}
	if (wanted.since === undefined) return undefined;
	const since = findSnapshotId(details, wanted.since);
	const until = findSnapshotId(details, wanted.until ?? getCurrentId(details) ?? 'main');
	if (!byId.has(until)) throw unknown(form.untilField, 'or tag', until);
	const appends = findAppendsBetween(details, since, until);
	if (!appends) throw unknown(form.sinceField, `before ${show(until)} in the history`, since);
	if (appends.readableUntil !== undefined) {
		throw input.problem(
			form.sinceField,
			`is ${show(since)}, after which the table has more snapshots than one statement can read`,
			`Set 'Until Snapshot' to ${appends.readableUntil}, and read on from there; or read the current rows.`,
		);
	}
	if (appends.others.length > 0) {
		const message = `Rows that these snapshots wrote are not included, because they also changed earlier ones: ${appends.others.join(', ')}.`;
		addHint(context, { message, type: 'warning' });
	}
	return appends.versions;
}

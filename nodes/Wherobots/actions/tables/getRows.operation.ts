/** Get Rows: the rows of a table that match conditions, now, at a snapshot or added since one. */
import type { INodeProperties } from 'n8n-workflow';

import { readAddress, tableAddress } from '../../form/address';
import { defineChoiceField, definePicker, defineRowsField } from '../../form/declarations';
import { readLimit, returnAllFields } from '../../form/fields';
import { show } from '../../form/values';
import {
	findAppendsBetween,
	getCurrentId,
	findSnapshotId,
	indexSnapshots,
} from '../../service/tables/catalogs';
import {
	isVersion,
	selectStatement,
	type RowsWanted,
	type Version,
} from '../../service/tables/selectRows';
import { type Column, isGeometry } from '../../service/sql/columns';
import { explainReading } from '../../transport/failure';
import { truncate } from '../../transport/text';
import { addHint, addHintOnce, type Call } from '../operations/operation';
import { runOnce } from '../sql/execution';
import {
	defineOutput,
	drawMapField,
	geometryField,
	mapOptionsField,
	rowsOptionsField,
} from '../sql/fields';
import { addStatement, ownAdvice, readOutput, readSettings } from '../sql/query';
import {
	columnField,
	completeRowFilter,
	defineColumns,
	defineRowFilter,
	readRowFilter,
} from './rowFilter';
import {
	defineTableStatement,
	fetchSqlTable,
	listColumns,
	requireColumn,
	type SqlTable,
} from './sqlTable';

const readField = defineChoiceField<'current' | 'at' | 'added'>({
	displayName: 'Read',
	name: 'read',
	options: {
		current: 'Current Rows',
		added: [
			'Only Rows Added Since a Snapshot',
			'Rows added by inserts, without rows written by an update or a merge',
		],
		at: 'Rows at a Tag or Snapshot',
	},
	default: 'current',
	description: 'Which state of the table to read',
});

const byVersion = {
	placeholder: 'e.g. 3051729675574597004',
	hint: 'The ID of a snapshot, or the name of a tag',
	rule: (text: string) =>
		isVersion(text)
			? undefined
			: 'must be the ID of a snapshot, or the name of a tag without quotes, backslashes and $',
};

const atField = definePicker('searchVersions', 'Name', {
	displayName: 'Tag or Snapshot',
	name: 'at',
	required: true,
	description: 'The state of the table to read',
	displayOptions: { show: { read: ['at'] } },
	...byVersion,
});

const sinceField = definePicker('searchVersions', 'Name', {
	displayName: 'Since Snapshot',
	name: 'since',
	required: true,
	description: 'The snapshot after which the rows were added',
	displayOptions: { show: { read: ['added'] } },
	...byVersion,
});

const untilField = definePicker('searchVersions', 'Name', {
	displayName: 'Until Snapshot',
	name: 'until',
	description: 'The last snapshot whose rows are read. Defaults to the current one.',
	displayOptions: { show: { read: ['added'] } },
	...byVersion,
});

const columnsField = defineColumns('multiOptions', {
	displayName: 'Column Names or IDs',
	name: 'columns',
	default: [],
	hint: 'Leave empty for all columns',
});

const sortField = defineRowsField({
	displayName: 'Sort',
	name: 'sort',
	placeholder: 'Add column',
	description: 'The order of the rows. With Nearest to Point, rows are sorted by distance first.',
	row: {
		displayName: 'Column',
		name: 'by',
		values: [
			columnField,
			defineChoiceField({
				displayName: 'Direction',
				name: 'direction',
				options: { asc: 'Ascending', desc: 'Descending' },
				default: 'asc',
				description: 'Which rows come first',
			}),
		],
	},
});

const outputField = defineOutput(
	"The rows in one file, up to 'Limit' unless 'Return All' is on",
	"choose a file, and turn on 'Return All'",
	'Geometries become WKT',
	'The table must have a geometry column',
);

export const getRows = defineTableStatement({
	name: 'Get Rows',
	value: 'getRows',
	action: 'Get rows from table',
	description: 'Get the rows of a table that match conditions, as items or as a file, without SQL',
	hint: 'For joins and aggregates use SQL: Execute Query. A session costs money until it has been idle for a while.',
	fields: [
		readField,
		atField,
		sinceField,
		untilField,
		columnsField,
		...defineRowFilter(
			'Conditions that rows must meet. Without conditions, all rows match.',
			'sorted',
		),
		sortField,
		...returnAllFields,
		outputField,
		drawMapField,
		mapOptionsField,
		geometryField,
	],
	options: rowsOptionsField,
	async execute(call) {
		const address = readAddress(call.input, tableAddress);
		const settings = { ...readSettings(call.input), ...readOutput(call.input, address.names.name) };
		const wanted = readForm(call);
		const submit = async () => {
			const table = await fetchSqlTable(call, address);
			const asText = settings.output === 'csv';
			const complete = completeForTable(call, table, wanted, asText);
			if (settings.output === 'geojson') requireGeometry(call, table, complete.columns);
			const text = selectStatement(complete);
			const statement = { text, onlyReads: true, mayReturnRows: true, advice: ownAdvice };
			const running = runOnce(call, addStatement(settings, statement));
			const items = await explainReading(running, { facts: { statement: text } });
			const atMost = `The file has at most ${complete.limit} rows: for all of them, turn on 'Return All'. `;
			const isLimited = settings.file !== undefined && complete.limit !== undefined;
			const message = `${isLimited ? atMost : ''}Statement: ${truncate(text, 300)}`;
			addHintOnce(call, 'statement', { message, type: 'info' });
			return items;
		};
		return { submit };
	},
});

/** What the form says, as far as it can be checked without knowing the table. */
function readForm({ input }: Call) {
	const read = input.choice(readField);
	const limit = readLimit(input);
	return {
		at: read === 'at' ? input.text(atField) : undefined,
		since: read === 'added' ? input.text(sinceField) : undefined,
		until: read === 'added' ? input.optionalText(untilField) : undefined,
		columns: input.list(columnsField),
		filter: readRowFilter(input, 'sorted'),
		sort: input.rows(sortField),
		limit: limit === Infinity ? undefined : limit,
	};
}

type Form = ReturnType<typeof readForm>;

/** @throws Failure when columns are chosen, and none of them can be the geometry of GeoJSON */
function requireGeometry({ input }: Call, table: SqlTable, chosen: Column[]): void {
	const isPossible = (column: Column) => isGeometry(column) || column.sqlType === undefined;
	if (chosen.length === 0 || chosen.some(isPossible)) return;
	const geometries = listColumns(table.columns.filter(isPossible), 'geometry columns');
	throw input.problem(columnsField, 'must have a geometry column for GeoJSON', geometries);
}

/** What the form says, with the columns of the table. */
function completeForTable(call: Call, table: SqlTable, wanted: Form, asText: boolean): RowsWanted {
	const named = requireColumn.bind(undefined, call);
	const columns = wanted.columns.map((name) => named(columnsField, table, name));
	const { filter, ...rest } = wanted;
	return {
		...rest,
		...completeRowFilter(call, table, filter),
		table: table.name,
		versions: readVersions(call, table, wanted),
		asText,
		columns: asText && columns.length === 0 ? table.columns : columns,
		sort: wanted.sort.map(({ column: name, direction }) => {
			const column = named(sortField, table, name);
			if (!isGeometry(column)) return { column, isDescending: direction === 'desc' };
			const what = `has ${name}, which is a geometry: geometries have no order`;
			throw call.input.problem(sortField, what, "Use 'Nearest to Point' in 'Spatial Filter'.");
		}),
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
		if (byId.size > 0 && !byId.has(id)) throw unknown(atField, 'or tag', wanted.at);
		// Spark takes a tag of digits alone for a snapshot.
		return [{ at: /^\d+$/.test(wanted.at) ? id : wanted.at }];
	}
	if (wanted.since === undefined) return undefined;
	const since = findSnapshotId(details, wanted.since);
	const until = findSnapshotId(details, wanted.until ?? getCurrentId(details) ?? 'main');
	if (!byId.has(until)) throw unknown(untilField, 'or tag', until);
	const appends = findAppendsBetween(details, since, until);
	if (!appends) throw unknown(sinceField, `before ${show(until)} in the history`, since);
	if (appends.readableUntil !== undefined) {
		throw input.problem(
			sinceField,
			`is ${show(since)}, after which the table has more snapshots than one statement can read`,
			`Set 'Until Snapshot' to ${appends.readableUntil}, and read on from there; or read the current rows.`,
		);
	}
	if (appends.others.length > 0) {
		const message = `Rows from these snapshots are not included, because the snapshots also changed earlier rows: ${appends.others.join(', ')}.`;
		addHint(context, { message, type: 'warning' });
	}
	return appends.versions;
}

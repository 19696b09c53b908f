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
import {
	isGeometry,
	isNested,
	toTextFor,
	type Column,
	describeValues,
} from '../../service/sql/columns';
import { DEGREES, describeMisfit, parseGeometry, type Geometry } from '../../service/sql/geometry';
import { examine } from '../../service/sql/statements';
import { type Box, type Condition, type Spatial } from '../../service/tables/conditions';
import { selectStatement, type RowsWanted, type Version } from '../../service/tables/selectRows';
import { addHint, type Call, type Operation } from '../operations/operation';
import { requireSockets, runOnce } from '../sql/index';
import {
	geometryField,
	rowsOptionsField,
	sessionRegionField,
	sessionRuntimeField,
} from '../sql/fields';
import { readOutput, readSettings, addStatement } from '../sql/query';
import * as form from './getRowsFields';
import {
	requireColumn,
	requireGeometryColumn,
	fetchSqlTable,
	showStatement,
	type SqlTable,
} from './sqlTable';

export const getRows: Operation = {
	option: {
		name: 'Get Rows',
		value: 'getRows',
		action: 'Get rows of table',
		description:
			'Get the rows of a table that match conditions, as items or as a file, without SQL',
	},
	fields: [
		...tableAddress.map(({ field }) => field),
		form.readField,
		form.atField,
		form.sinceField,
		form.untilField,
		form.columnsField,
		form.conditionsField,
		form.matchField,
		form.spatialField,
		form.geometryColumnField,
		form.boxField,
		form.shapeField,
		form.latitudeField,
		form.longitudeField,
		form.distanceField,
		form.sortField,
		...returnAllFields,
		form.outputField,
		geometryField,
		sessionRuntimeField,
		sessionRegionField,
		rowsOptionsField,
	],
	requestFields: { runtimeId: sessionRuntimeField },
	kind: 'write',
	async execute(call) {
		const address = readAddress(call.input, tableAddress);
		const settings = { ...readSettings(call.input), ...readOutput(call.input) };
		const wanted = readForm(call);
		requireSockets();
		const submit = async () => {
			const table = await fetchSqlTable(call, address);
			const asText = settings.output === 'csv';
			const text = selectStatement({ ...completeForTable(call, table, wanted, asText), asText });
			const { onlyReads } = examine(text);
			if (!onlyReads) throw new RangeError('The generated statement is not read-only');
			showStatement(call, text);
			return await runOnce(call, addStatement(settings, { text, onlyReads, mayReturnRows: true }));
		};
		return { submit };
	},
};

/** What the form says, as far as it can be checked without knowing the table. */
function readForm({ input }: Call) {
	const read = input.choice(form.readField);
	const limit = readLimit(input);
	return {
		at: read === 'at' ? input.text(form.atField) : undefined,
		since: read === 'added' ? input.text(form.sinceField) : undefined,
		until: read === 'added' ? input.optionalText(form.untilField) : undefined,
		columns: input.list(form.columnsField),
		conditions: input.rows(form.conditionsField),
		isAny: input.choice(form.matchField) === 'any',
		spatial: readSpatial(input),
		sort: input.rows(form.sortField),
		limit: limit === Infinity ? undefined : limit,
	};
}

type Form = ReturnType<typeof readForm>;

/** As the form has it: the shape with its coordinate system, and perhaps the name of the column. */
type SpatialForm = Omit<Spatial, 'column' | 'shape'> & { named?: string; shape?: Geometry };

function readSpatial(input: Call['input']): SpatialForm | undefined {
	const filter = input.choice(form.spatialField);
	if (filter === 'none') return undefined;
	const named = input.optionalText(form.geometryColumnField);
	if (filter === 'box') return { named, box: readBox(input) };
	if (filter === 'intersects') {
		const given = input.raw(form.shapeField, '');
		const text = typeof given === 'object' ? JSON.stringify(given) : input.text(form.shapeField);
		const shape = parseGeometry(text);
		if (shape.problem === undefined) return { named, shape };
		throw input.problem(
			form.shapeField,
			`must be WKT or GeoJSON, not ${show(given)}`,
			`${shape.problem}. Longitude comes first, and a polygon ends where it begins: POLYGON ((7 50, 8 50, 8 51, 7 50)).`,
		);
	}
	const place = {
		latitude: Number(input.text(form.latitudeField)),
		longitude: Number(input.text(form.longitudeField)),
	};
	const isSorted = filter === 'nearest';
	const meters = isSorted ? input.optionalText(form.distanceField) : input.text(form.distanceField);
	return { named, place, isSorted, meters: meters === undefined ? undefined : Number(meters) };
}

function readBox(input: Call['input']): Box {
	const given = input.list(form.boxField);
	const [west, south, east, north] = given.map(Number);
	const isBox =
		given.length === 4 &&
		[west, east].every((each) => Math.abs(each) <= 180) &&
		south >= -90 &&
		south <= north &&
		north <= 90;
	if (isBox) return [west, south, east, north];
	throw input.problem(
		form.boxField,
		`must be west, south, east and north in degrees, not ${show(input.text(form.boxField))}`,
		'Longitudes (west, east) go from -180 to 180, latitudes (south, north) from -90 to 90, and south is below north. Separate the four with commas, and write decimals with a period.',
	);
}

/** What the form says, with the columns of the table. */
function completeForTable(
	call: Call,
	table: SqlTable,
	wanted: Form,
	isCsv: boolean,
): Omit<RowsWanted, 'asText'> {
	const named = requireColumn.bind(undefined, call);
	const columns = wanted.columns.map((name) => named(form.columnsField, table, name));
	const { spatial } = wanted;
	return {
		...wanted,
		table: table.name,
		versions: readVersions(call, table, wanted),
		columns: isCsv && columns.length === 0 ? table.columns : columns,
		conditions: wanted.conditions.map((row) => {
			const column = named(form.conditionsField, table, row.column);
			return toCondition(call, column, row.operator as Condition['operator'], row.value);
		}),
		spatial: spatial && buildSpatial(call, table, spatial),
		sort: wanted.sort.map(({ column, direction }) => ({
			column: named(form.sortField, table, column),
			isDescending: direction === 'desc',
		})),
	};
}

/** @throws Failure when the form has another coordinate system than the column */
function buildSpatial(call: Call, table: SqlTable, spatial: SpatialForm): Spatial {
	const { named, shape } = spatial;
	const column = requireGeometryColumn(call, form.geometryColumnField, table, named);
	const misfit = describeMisfit({ ...shape, srid: shape?.srid ?? DEGREES }, column.srid);
	if (!misfit) return { ...spatial, column, shape: shape?.wkt };
	const isInDegrees = shape?.srid === undefined && (column.srid ?? DEGREES) !== DEGREES;
	throw call.input.problem(
		shape ? form.shapeField : form.spatialField,
		`has ${misfit.what} for ${column.name}, which is of the type ${column.type}`,
		isInDegrees
			? `Choose 'Intersects Geometry' with EWKT that begins with SRID=${column.srid}; or write the query yourself (SQL: Execute Query).`
			: misfit.advice,
	);
}

function toCondition(
	{ context, input }: Call,
	column: Column,
	operator: Condition['operator'],
	value: string,
): Condition {
	const refused = (what: string, advice: string) =>
		input.problem(
			form.conditionsField,
			`has ${what} for ${column.name}, which is of the type ${column.type}`,
			advice,
		);
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return { column, operator, text: '' };
	const isForText = operator === 'contains' || operator === 'startsWith';
	const isUsable = isForText ? column.sqlType === 'STRING' : column.sqlType && !isNested(column);
	if (!isUsable || isGeometry(column)) {
		const advice = isGeometry(column)
			? `Compare geometries with '${form.spatialField.displayName}'.`
			: 'Contains and Starts With are for texts, and lists and structures can only be empty or not.';
		throw refused(`the condition ${show(operator)}`, advice);
	}
	const text = isForText ? value : toTextFor(column, value, context.getTimezone());
	if (text === undefined)
		throw refused(`the value ${show(value)}`, `It takes ${describeValues(column)}.`);
	return { column, operator, text };
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

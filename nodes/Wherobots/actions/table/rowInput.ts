/** An input item as a row of a table, checked before anything is sent. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { tablePart } from '../../parameters/address';
import { countField, switchField, textField } from '../../parameters/declarations';
import {
	asText,
	isNothing,
	isPlainObject,
	kindOf,
	mayBeRounded,
	show,
} from '../../parameters/values';
import { isGeometry, isNested, textFor, type Column } from '../../service/sql/columns';
import type { Cells } from '../../service/sql/tableWriter';
import { sridIn } from '../../service/sql/wkt';
import type { Call } from '../operations/operation';
import { settingsOptions } from '../sql/fields';
import { geometryColumn, type SqlTable } from './sqlTable';

export const rowField: INodeProperties = {
	displayName: 'Columns',
	name: 'row',
	type: 'resourceMapper',
	noDataExpression: true,
	description:
		'The values of each row. A geometry is WKT or GeoJSON; bytes are Base64; lists and structures are JSON. A column without a value is NULL.',
	default: { mappingMode: 'autoMapInputData', value: null },
	typeOptions: {
		loadOptionsDependsOn: [`${tablePart.field.name}.value`],
		resourceMapper: {
			resourceMapperMethod: 'getTableColumns',
			mode: 'add',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
};

const ignoreOption = switchField({
	displayName: 'Ignore Unknown Fields',
	name: 'ignoreUnknownFields',
	description:
		'Whether to leave out fields of the input items that are no columns of the table, instead of failing',
});

const latitudeOption = textField({
	displayName: 'Latitude Field',
	name: 'latitudeField',
	exact: true,
	placeholder: 'e.g. lat',
	description:
		"The field of the input items whose value, together with that of 'Longitude Field', is the point for the geometry column",
});

const longitudeOption = textField({
	displayName: 'Longitude Field',
	name: 'longitudeField',
	exact: true,
	placeholder: 'e.g. lon',
	description: 'The field of the input items with the longitude of the point',
});

export const sridOption = countField({
	displayName: 'SRID',
	name: 'srid',
	default: 4326,
	description:
		'Coordinate system of the geometries. Defaults to the one that the column declares; older tables declare none.',
});

export const optionsField = settingsOptions(
	...[ignoreOption, latitudeOption, longitudeOption, sridOption],
);

/** The columns of a table, with the coordinate system that geometries get. */
export function columnsFor(
	{ input }: Pick<Call, 'input'>,
	{ columns }: SqlTable,
	srid: number | undefined,
): Column[] {
	const other = columns.find(
		(column) => srid !== undefined && ![undefined, srid].includes(column.srid),
	);
	if (other)
		throw input.problem(
			sridOption,
			`must be ${other.srid}, as ${other.name} declares, not ${srid}`,
		);
	return columns.map((column) => (isGeometry(column) ? { srid, ...column } : column));
}

/**
 * The values of an item's row, in the order of the columns.
 *
 * @throws Failure that names the column and what is wrong with its value
 */
export function readRow(call: Call, table: SqlTable, columns: Column[]): Cells {
	const { context, input, itemIndex } = call;
	const options = input.within(optionsField);
	const item = context.getInputData()[itemIndex].json;
	const isAutomatic =
		context.getNodeParameter(`${rowField.name}.mappingMode`, itemIndex, '') === 'autoMapInputData';
	const values = isAutomatic
		? item
		: context.getNodeParameter(`${rowField.name}.value`, itemIndex, {});
	if (!isPlainObject(values))
		throw input.problem(rowField, `must have values, not ${show(values)}`);
	const point = pointIn(call, item);
	const known = new Set([...columns.map(({ name }) => name), ...(point?.fields ?? [])]);
	const unknown = Object.keys(values).find((name) => !known.has(name));
	const ignoresUnknown = options.flag(ignoreOption);
	if (unknown !== undefined && !ignoresUnknown) {
		throw input.problem(
			rowField,
			`has "${unknown}", which is no column of this table`,
			`Its columns are ${columns.map(({ name }) => name).join(', ')}. Rename the field, map each column, or turn on 'Ignore Unknown Fields'.`,
		);
	}
	const pointColumn = point && geometryColumn(call, rowField, table).name;
	return columns.map((column) => {
		const value = column.name === pointColumn ? point?.wkt : valueOf(values, column.name);
		return cellOf(call, column, value);
	});
}

const valueOf = (values: IDataObject, name: string): unknown =>
	Object.hasOwn(values, name) ? values[name] : undefined;

/** The point in two fields of the item, and their names; without coordinates it is none. */
function pointIn({ input }: Call, item: IDataObject) {
	const options = input.within(optionsField);
	const fields = [latitudeOption, longitudeOption];
	const names = fields.map((field) => options.optionalText(field));
	if (names.every((name) => name === undefined)) return undefined;
	const [latitude, longitude] = names.map((name, at) => {
		if (name === undefined) throw input.problem(fields[at], 'must not be empty');
		const value = valueOf(item, name);
		if (isNothing(value) || value === '') return undefined;
		const number = Number(asText(value));
		const most = at === 0 ? 90 : 180;
		if (Math.abs(number) <= most) return number;
		throw input.problem(fields[at], `has ${show(value)}, which is not from -${most} to ${most}`);
	});
	if ((latitude === undefined) !== (longitude === undefined)) {
		throw input.problem(fields[latitude === undefined ? 0 : 1], 'has no value');
	}
	return { fields: names, wkt: latitude === undefined ? null : `POINT (${longitude} ${latitude})` };
}

function cellOf({ context, input }: Call, column: Column, value: unknown): string | null {
	const { name, type, sqlType, isRequired, srid } = column;
	const refused = (what: string) =>
		input.problem(rowField, `has ${what} for ${name}, which is of the type ${type}`);
	if (isNothing(value) || (value === '' && sqlType !== 'STRING')) {
		if (isRequired) throw input.problem(rowField, `has no value for ${name}, which must have one`);
		return null;
	}
	if (mayBeRounded(value) && !/^(FLOAT|DOUBLE)$/.test(sqlType ?? '')) {
		throw input.problem(
			rowField,
			`has a number for ${name} that n8n cannot hold exactly: give it as text`,
		);
	}
	const isJson = (isNested(column) || isGeometry(column)) && typeof value === 'object';
	const given = isJson ? JSON.stringify(value) : asText(value);
	if (given === undefined) throw refused(kindOf(value));
	const own = isGeometry(column) ? sridIn(given) : undefined;
	if (own !== undefined && own !== srid) throw refused(`a geometry with the SRID ${own}`);
	const text = textFor(column, given, context.getTimezone());
	if (text === undefined || !text.isWellFormed()) throw refused(`the value ${show(value)}`);
	return text;
}

/** Which rows of a table are meant: the fields of the form, and what they say. */
import type { INodeProperties } from 'n8n-workflow';

import { tablePart } from '../../form/address';
import { defineChoiceField, defineRowsField, defineTextField } from '../../form/declarations';
import { isPlainObject, show } from '../../form/values';
import { requireNumberFrom } from '../../service/rules';
import {
	isGeometry,
	isNested,
	toTextFor,
	type Column,
	describeValues,
	describeExactType,
} from '../../service/sql/columns';
import { DEGREES, describeMisfit, parseGeometry, type Geometry } from '../../service/sql/geometry';
import type { Box, Condition, Operator, RowFilter, Spatial } from '../../service/tables/selectRows';
import type { Call } from '../operations/operation';
import { requireColumn, requireGeometryColumn, type SqlTable } from './sqlTable';

/** A field for the names of columns, which the editor lists; label and description are n8n's. */
export const defineColumns = (
	type: 'options' | 'multiOptions',
	field: Omit<INodeProperties, 'type'>,
) => ({
	type,
	...field,
	description: `Choose from the list, or specify ${type === 'options' ? 'an ID' : 'IDs'} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>`,
	typeOptions: {
		loadOptionsMethod: 'getColumns',
		loadOptionsDependsOn: [`${tablePart.field.name}.value`],
	},
});

export const columnField = defineColumns('options', {
	displayName: 'Column Name or ID',
	name: 'column',
	default: '',
});

const operatorField = defineChoiceField<Operator>({
	displayName: 'Condition',
	name: 'operator',
	options: {
		contains: 'Contains',
		equals: 'Equals',
		greater: 'Greater Than',
		greaterOrEqual: 'Greater Than or Equal',
		isEmpty: 'Is Empty',
		isNotEmpty: 'Is Not Empty',
		less: 'Less Than',
		lessOrEqual: 'Less Than or Equal',
		notEquals: ['Not Equals', 'Rows without a value also match'],
		startsWith: 'Starts With',
	},
	default: 'equals',
	description: 'The condition that the column must meet. Comparisons are case-sensitive.',
});

export const conditionsField = defineRowsField({
	displayName: 'Conditions',
	name: 'conditions',
	placeholder: 'Add condition',
	row: {
		displayName: 'Condition',
		name: 'condition',
		values: [
			columnField,
			operatorField,
			defineTextField({
				displayName: 'Value',
				name: 'value',
				placeholder: 'e.g. 50',
				description: 'Value to compare the column with. It must fit the type of the column.',
				displayOptions: { hide: { operator: ['isEmpty', 'isNotEmpty'] } },
			}),
		],
	},
});

const matchField = defineChoiceField<'all' | 'any'>({
	displayName: 'Must Match',
	name: 'match',
	options: { all: 'All Conditions', any: 'Any Condition' },
	default: 'all',
	description:
		'How many of the conditions a row must meet. It must always meet the spatial filter.',
});

const spatialField = defineChoiceField<'none' | 'box' | 'intersects' | 'nearest' | 'within'>({
	displayName: 'Spatial Filter',
	name: 'spatialFilter',
	options: {
		box: ['In Bounding Box', 'Geometries that touch a box'],
		intersects: ['Intersects Geometry', 'Given as WKT or GeoJSON'],
		nearest: ['Nearest to Point', 'Nearest rows first, optionally up to a maximum distance'],
		none: 'None',
		within: ['Within Distance of Point', 'All rows up to a maximum distance'],
	},
	default: 'none',
	description: "Where a row's geometry must be",
});

/** No two places on earth are farther apart, in meters. */
const FARTHEST = 20_100_000;

const showWhenSpatial = (...values: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { spatialFilter: values } },
});

const geometryColumnField = {
	...defineColumns('options', {
		displayName: 'Geometry Column Name or ID',
		name: 'geometryColumn',
		default: '',
		hint: 'Defaults to the only geometry column. Its coordinates are longitude and latitude.',
		// Else, the editor would mark an empty field as wrong.
		allowArbitraryValues: true,
	}),
	...showWhenSpatial('box', 'intersects', 'nearest', 'within'),
};

const boxField = defineTextField({
	displayName: 'Bounding Box',
	name: 'boundingBox',
	required: true,
	placeholder: 'e.g. 7.0, 50.6, 7.3, 50.8',
	description:
		'West, south, east and north in degrees. If west is greater than east, the box crosses the date line.',
	...showWhenSpatial('box'),
});

const shapeField = defineTextField({
	displayName: 'Geometry',
	name: 'shape',
	required: true,
	typeOptions: { rows: 3 },
	placeholder: 'e.g. POLYGON ((7 50, 8 50, 8 51, 7 50))',
	description: 'WKT or GeoJSON, in longitude and latitude',
	...showWhenSpatial('intersects'),
});

const defineDegreesField = (displayName: string, most: number, example: string) =>
	defineTextField({
		displayName,
		name: displayName.toLowerCase(),
		rule: requireNumberFrom(-most, most),
		required: true,
		placeholder: `e.g. ${example}`,
		description: 'In degrees',
		...showWhenSpatial('within', 'nearest'),
	});

const latitudeField = defineDegreesField('Latitude', 90, '50.7374');

const longitudeField = defineDegreesField('Longitude', 180, '7.0982');

const distanceField = defineTextField({
	displayName: 'Distance (Meters)',
	name: 'distance',
	rule: requireNumberFrom(0, FARTHEST),
	placeholder: 'e.g. 500',
	description: 'Maximum distance from the point',
	...showWhenSpatial('nearest'),
});

const requiredDistance = { ...distanceField, required: true, ...showWhenSpatial('within') };

/** Rows without an order have no nearest ones. */
const SPATIAL_FIELDS = {
	sorted: spatialField,
	unsorted: {
		...spatialField,
		options: spatialField.options.filter(({ value }) => value !== 'nearest'),
	},
};

type Order = keyof typeof SPATIAL_FIELDS;

/** @param description of the conditions */
export const defineRowFilter = (description: string, order: Order): INodeProperties[] => [
	...[matchField, { ...conditionsField, description }, SPATIAL_FIELDS[order]],
	...[geometryColumnField, boxField, shapeField, latitudeField, longitudeField],
	...[requiredDistance, ...(order === 'sorted' ? [distanceField] : [])],
];

/** As the form has it: the shape with its coordinate system, and perhaps the name of the column. */
type SpatialForm = Omit<Spatial, 'column' | 'shape'> & { named?: string; shape?: Geometry };

/** What the form says, as far as it can be checked without knowing the table. */
export const readRowFilter = (input: Call['input'], order: Order) => ({
	conditions: input.rows(conditionsField),
	isAny: input.choice(matchField) === 'any',
	spatial: readSpatial(input, input.choice(SPATIAL_FIELDS[order])),
});

/** What the form says, with the columns of the table. @throws Failure that names what does not fit */
export function completeRowFilter(
	call: Call,
	table: SqlTable,
	{ conditions, isAny, spatial }: ReturnType<typeof readRowFilter>,
): RowFilter {
	return {
		isAny,
		conditions: conditions.map((row) => {
			const column = requireColumn(call, conditionsField, table, row.column);
			return toCondition(call, column, row.operator as Operator, row.value);
		}),
		spatial: spatial && buildSpatial(call, table, spatial),
	};
}

function readSpatial(
	input: Call['input'],
	filter: (typeof spatialField)['default'],
): SpatialForm | undefined {
	if (filter === 'none') return undefined;
	const named = input.optionalText(geometryColumnField);
	if (filter === 'box') return { named, box: readBox(input) };
	if (filter === 'intersects') {
		const given = input.raw(shapeField, '');
		const text = typeof given === 'object' ? JSON.stringify(given) : input.text(shapeField);
		const shape = parseGeometry(text);
		if (shape.problem === undefined) return { named, shape };
		throw input.problem(
			shapeField,
			`must be valid WKT or GeoJSON, not ${show(given)}`,
			`${shape.problem}. Longitude comes first, and a polygon ends where it begins: POLYGON ((7 50, 8 50, 8 51, 7 50)).`,
		);
	}
	const place = {
		latitude: Number(input.text(latitudeField)),
		longitude: Number(input.text(longitudeField)),
	};
	const isSorted = filter === 'nearest';
	const meters = isSorted ? input.optionalText(distanceField) : input.text(distanceField);
	return { named, place, isSorted, meters: meters === undefined ? undefined : Number(meters) };
}

const SIDES = 'west, south, east and north';

function readBox(input: Call['input']): Box {
	const raw = input.raw(boxField, '');
	const given = isPlainObject(raw) ? [] : input.list(boxField);
	const [west, south, east, north] = given.map(Number);
	const refused = (what: string, advice?: string) =>
		input.problem(boxField, `must be ${what}`, advice);
	if (given.length !== 4) {
		const advice = 'Separate them with commas, and write decimals with a period.';
		throw refused(`four numbers: ${SIDES}, not ${show(raw || input.text(boxField))}`, advice);
	}
	for (const [at, side] of ['west', 'south', 'east', 'north'].entries()) {
		const most = at % 2 === 0 ? 180 : 90;
		const what = requireNumberFrom(-most, most)(given[at]);
		if (what) throw refused(`${SIDES}: ${side} ${what}`);
	}
	if (south <= north) return [west, south, east, north];
	throw refused(`${SIDES}: south is ${south}, above north (${north})`);
}

/** @throws Failure when the form has another coordinate system than the column */
function buildSpatial(call: Call, table: SqlTable, spatial: SpatialForm): Spatial {
	const { named, shape } = spatial;
	const column = requireGeometryColumn(call, geometryColumnField, table, named ?? '');
	const misfit = describeMisfit({ ...shape, srid: shape?.srid ?? DEGREES }, column.srid);
	if (!misfit) return { ...spatial, column, shape: shape?.wkt };
	const isInDegrees = shape?.srid === undefined && (column.srid ?? DEGREES) !== DEGREES;
	throw call.input.problem(
		shape ? shapeField : spatialField,
		`has ${misfit.what} for ${column.name}, whose type is ${describeExactType(column)}`,
		isInDegrees
			? `Choose 'Intersects Geometry' with EWKT that begins with SRID=${column.srid}; or write the query yourself (SQL: Execute Query).`
			: misfit.advice,
	);
}

function toCondition(
	{ context, input }: Call,
	column: Column,
	operator: Operator,
	value: string,
): Condition {
	const refused = (what: string, advice: string) =>
		input.problem(
			conditionsField,
			`has ${what} for ${column.name}, whose type is ${describeExactType(column)}`,
			advice,
		);
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return { column, operator, text: '' };
	const isForText = operator === 'contains' || operator === 'startsWith';
	const isUsable = isForText ? column.sqlType === 'STRING' : column.sqlType && !isNested(column);
	if (!isUsable || isGeometry(column)) {
		const advice = isGeometry(column)
			? `Compare geometries with '${spatialField.displayName}'.`
			: 'Contains and Starts With work only on text. For lists and structures, use Is Empty or Is Not Empty.';
		const chosen = operatorField.options.find(({ value: each }) => each === operator);
		throw refused(`the condition '${chosen?.name}'`, advice);
	}
	// An empty text is part of every other: Delete Rows would delete them all.
	if (isForText && value === '') {
		throw input.problem(
			conditionsField,
			`has no value for ${column.name}`,
			'Every text contains an empty one and starts with it. To find rows that have a value, use Is Not Empty.',
		);
	}
	const text = isForText ? value : toTextFor(column, value, context.getTimezone());
	if (text === undefined)
		throw refused(`the value ${show(value)}`, `It takes ${describeValues(column)}.`);
	return { column, operator, text };
}

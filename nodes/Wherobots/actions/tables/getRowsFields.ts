/** The form of Get Rows. */
import type { INodeProperties } from 'n8n-workflow';

import { tablePart } from '../../form/address';
import {
	defineChoiceField,
	defineRecordField,
	defineRowsField,
	defineTextField,
	type Rule,
} from '../../form/declarations';
import { choose, definePicker } from '../../form/fields';
import { requireNumberFrom } from '../../service/rules';
import { type Operator } from '../../service/tables/conditions';
import { isVersion } from '../../service/tables/selectRows';
import { defineOutput } from '../sql/fields';

/** A field for the names of columns, which the editor lists; label and description are n8n's. */
const defineColumns = (type: 'options' | 'multiOptions', field: Omit<INodeProperties, 'type'>) => ({
	type,
	...field,
	description: `Choose from the list, or specify ${type === 'options' ? 'an ID' : 'IDs'} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>`,
	typeOptions: {
		loadOptionsMethod: 'getColumns',
		loadOptionsDependsOn: [`${tablePart.field.name}.value`],
	},
});

const columnField = defineColumns('options', {
	displayName: 'Column Name or ID',
	name: 'column',
	default: '',
});

export const readField = defineChoiceField<'current' | 'at' | 'added'>({
	displayName: 'Read',
	name: 'read',
	options: {
		current: 'Current Rows',
		added: [
			'Only Rows Added Since a Snapshot',
			'Rows of inserts, without those that an update or a merge has written',
		],
		at: 'Rows at a Tag or Snapshot',
	},
	default: 'current',
	description: 'Which state of the table to read',
});

const defineVersion: Rule<string> = (text) =>
	isVersion(text) ? undefined : 'must be the ID of a snapshot, or a name without quotes and signs';

const byVersion = {
	placeholder: 'e.g. 3051729675574597004',
	hint: 'The ID of a snapshot, or the name of a tag',
};

export const atField = definePicker('searchVersions', 'Name', {
	displayName: 'Tag or Snapshot',
	name: 'at',
	description: 'The state of the table to read',
	displayOptions: { show: { read: ['at'] } },
	rule: defineVersion,
	...byVersion,
});

export const sinceField = definePicker('searchVersions', 'Name', {
	displayName: 'Since Snapshot',
	name: 'since',
	description: 'The snapshot after which the rows were added',
	displayOptions: { show: { read: ['added'] } },
	rule: defineVersion,
	...byVersion,
});

export const untilField = defineRecordField({
	displayName: 'Until Snapshot',
	name: 'until',
	description: 'The last snapshot whose rows are read. Defaults to the current one.',
	...choose('searchVersions', 'Name', byVersion),
	displayOptions: { show: { read: ['added'] } },
});

export const columnsField = defineColumns('multiOptions', {
	displayName: 'Column Names or IDs',
	name: 'columns',
	default: [],
	hint: 'All columns when none is chosen',
});

const operatorField = defineChoiceField<Operator>({
	displayName: 'Condition',
	name: 'operator',
	options: {
		contains: 'Contains',
		equals: 'Equals',
		greaterOrEqual: 'Greater or Equal',
		greater: 'Greater Than',
		isEmpty: 'Is Empty',
		isNotEmpty: 'Is Not Empty',
		lessOrEqual: 'Less or Equal',
		less: 'Less Than',
		notEquals: ['Not Equal', 'Rows without a value match, too'],
		startsWith: 'Starts With',
	},
	default: 'equals',
	description: 'What has to be true of the column. Upper and lower case differ.',
});

export const conditionsField = defineRowsField({
	displayName: 'Conditions',
	name: 'conditions',
	placeholder: 'Add condition',
	description: 'Which rows to return; all when there are none',
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
				description: 'Checked against the type of the column',
				displayOptions: { hide: { operator: ['isEmpty', 'isNotEmpty'] } },
			}),
		],
	},
});

export const matchField = defineChoiceField<'all' | 'any'>({
	displayName: 'Must Match',
	name: 'match',
	options: { all: 'All Conditions', any: 'Any Condition' },
	default: 'all',
	description: 'How many of the conditions have to be true. The spatial filter always has to be.',
});

export const spatialField = defineChoiceField<'none' | 'box' | 'intersects' | 'nearest' | 'within'>(
	{
		displayName: 'Spatial Filter',
		name: 'spatialFilter',
		options: {
			box: ['In Bounding Box', 'Geometries that touch a box'],
			intersects: ['Intersects Geometry', 'Given as WKT or GeoJSON'],
			nearest: ['Nearest to Point', 'Sorted by distance'],
			none: 'None',
			within: ['Within Distance of Point', 'In any order'],
		},
		default: 'none',
		description: 'Where the geometries of the rows have to be',
	},
);

/** No two places on earth are farther apart, in meters. */
const FARTHEST = 20_100_000;

const showWhenSpatial = (...values: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { spatialFilter: values } },
});

export const geometryColumnField = {
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

export const boxField = defineTextField({
	displayName: 'Bounding Box',
	name: 'boundingBox',
	required: true,
	placeholder: 'e.g. 7.0, 50.6, 7.3, 50.8',
	description:
		'West, south, east and north in degrees. A west above the east crosses the date line.',
	...showWhenSpatial('box'),
});

export const shapeField = defineTextField({
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
		...showWhenSpatial('nearest', 'within'),
	});

export const latitudeField = defineDegreesField('Latitude', 90, '50.7374');

export const longitudeField = defineDegreesField('Longitude', 180, '7.0982');

export const distanceField = defineTextField({
	displayName: 'Distance (Meters)',
	name: 'distance',
	rule: requireNumberFrom(0, FARTHEST),
	placeholder: 'e.g. 500',
	description:
		'Farthest distance from the point to the nearest part of a geometry. Optional for Nearest to Point.',
	...showWhenSpatial('nearest', 'within'),
});

export const sortField = defineRowsField({
	displayName: 'Sort',
	name: 'sort',
	placeholder: 'Add column',
	description: 'The order of the rows. Nearest to Point comes first.',
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

export const outputField = defineOutput(
	'Geometries become WKT',
	'The table must have a geometry column',
);

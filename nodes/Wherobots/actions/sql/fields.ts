import type { INodeProperties } from 'n8n-workflow';

import { choiceField, countField, switchField, textField } from '../../parameters/declarations';
import { binaryFieldOption, optionsOf } from '../../parameters/fields';
import { mapOptions } from '../mapOutput';
import type { Geometry } from '../../service/sql/messages';
import {
	maxSessionsOption,
	sessionRequestFields as session,
	sessionWaitOption,
	startNewOption,
} from './sessionFields';

export const queryField = textField({
	displayName: 'Query',
	name: 'query',
	typeOptions: { editor: 'sqlEditor', sqlDialect: 'StandardSQL', rows: 5 },
	required: true,
	placeholder: 'e.g. SELECT name, geometry FROM org_catalog.noaa.hail WHERE size > :size LIMIT 100',
	description: 'One Spark SQL statement; spatial functions such as ST_Area are available',
	hint: 'Write :name where the value of a query parameter goes. Parameters are safe from SQL injection, expressions are not.',
});

export const readOnlyField = switchField({
	displayName: 'Read Only',
	name: 'readOnly',
	description:
		'Whether to refuse everything but SELECT, WITH, VALUES, SHOW, DESCRIBE and EXPLAIN before it is sent',
	displayOptions: { hide: { '@tool': [true] } },
});

/** An agent writes its own statements, so it may only change data where the user allows it. */
export const readOnlyToolField: INodeProperties = {
	...readOnlyField,
	default: true,
	displayOptions: { show: { '@tool': [true] } },
};

export const AUTOMATIC = 'automatic';

export type ParameterType = 'text' | 'number' | 'boolean' | 'timestamp' | 'list' | 'null';

export const queryParametersField: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add parameter',
	default: {},
	description: 'Values for the names in the query that begin with a colon',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. size',
					description: 'The name in the query, without the colon',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{
							name: 'Automatic',
							value: AUTOMATIC,
							description:
								'The type that an expression returns: number, boolean, date or list; otherwise text',
						},
						{ name: 'Boolean', value: 'boolean' },
						{ name: 'List (JSON)', value: 'list', description: 'For IN: ["a", "b"] or [1, 2]' },
						{ name: 'Null', value: 'null' },
						{ name: 'Number', value: 'number' },
						{ name: 'Text', value: 'text' },
						{ name: 'Timestamp', value: 'timestamp' },
					],
					default: AUTOMATIC,
					description: 'SQL type of the value',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. 2.5',
				},
			],
		},
	],
};

export const outputField = choiceField({
	displayName: 'Output',
	name: 'output',
	options: [
		{
			name: 'CSV File',
			value: 'csv',
			description: 'All rows in one file. Geometries need ST_AsText in the query.',
		},
		{
			name: 'GeoJSON File',
			value: 'geojson',
			description: 'All rows in one file. The query must return a geometry column.',
		},
		{
			name: 'Items',
			value: 'items',
			description: 'One item for each row. The service sends at most 1,000 rows.',
		},
		{
			name: 'Parquet File',
			value: 'parquet',
			description: 'All rows in one file, with their types',
		},
	],
	default: 'items',
	description: 'How to return the result',
});

export const geometryField = choiceField<Geometry>({
	displayName: 'Geometry Format',
	name: 'geometryFormat',
	options: [
		{ name: 'GeoJSON', value: 'geojson', description: 'Geometries are objects' },
		{ name: 'WKT', value: 'wkt', description: 'Geometries are text such as POINT (7.1 50.7)' },
	],
	default: 'wkt',
	description: 'How to return the columns that hold geometries',
	displayOptions: { show: { output: ['items'] } },
});

const inFile: INodeProperties['displayOptions'] = { hide: { '/output': ['items'] } };
const asItems: INodeProperties['displayOptions'] = { show: { '/output': ['items'] } };

export const fileNameOption = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. hail.csv',
	description: 'Name of the file in n8n. Defaults to query-result and the extension of the format.',
	displayOptions: inFile,
});

export const maxRowsOption = countField({
	displayName: 'Max Rows',
	name: 'maxRows',
	default: 1000,
	description:
		'Maximum number of rows to return. The whole query is still executed: a LIMIT in it saves work.',
	displayOptions: asItems,
});

export const fileFieldOption: INodeProperties = { ...binaryFieldOption, displayOptions: inFile };

export const queryTimeoutOption = countField({
	displayName: 'Query Timeout (Seconds)',
	name: 'queryTimeoutSeconds',
	default: 3600,
	description: 'How long the statement may take before it is cancelled',
});

const [drawMap, mapColumn, mapTitle] = mapOptions.map((option) => ({
	...option,
	displayOptions: { show: { '/output': ['geojson'] } },
}));

export const optionsField = optionsOf(
	drawMap,
	session.environmentOverridePresetId,
	session.environmentPresetId,
	fileNameOption,
	session.idleTimeoutMinutes,
	mapColumn,
	mapTitle,
	maxRowsOption,
	maxSessionsOption,
	fileFieldOption,
	queryTimeoutOption,
	session.sessionType,
	sessionWaitOption,
	session.shutdownAfterInactiveSeconds,
	startNewOption,
	session.version,
);

import type { INodeProperties } from 'n8n-workflow';

import { binaryFieldOption, optionsOf, regionField, runtimeField } from '../../parameters/fields';
import type { ChoiceField } from '../../parameters/declarations';
import { mapOptions } from '../mapOutput';
import { ORGANIZATION_DEFAULT } from '../../service/jobRuns/runtimes';
import type { FileFormat, Geometry } from '../../service/sql/messages';
import type { SessionType } from '../../service/sql/sessions';

export const queryField: INodeProperties = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	typeOptions: { editor: 'sqlEditor', sqlDialect: 'StandardSQL', rows: 5 },
	default: '',
	required: true,
	placeholder: 'e.g. SELECT name, geometry FROM org_catalog.noaa.hail WHERE size > :size LIMIT 100',
	description: 'One statement of Spark SQL; spatial functions such as ST_Area are available',
	hint: 'Write :name where the value of a query parameter goes. Parameters are safe from SQL injection, expressions are not.',
};

export const readOnlyField: INodeProperties = {
	displayName: 'Read Only',
	name: 'readOnly',
	type: 'boolean',
	default: false,
	description:
		'Whether to refuse everything but SELECT, WITH, VALUES, SHOW, DESCRIBE and EXPLAIN before it is sent',
	displayOptions: { hide: { '@tool': [true] } },
};

/** An agent writes its statements itself, so it changes nothing unless somebody allows it. */
export const readOnlyToolField: INodeProperties = {
	...readOnlyField,
	default: true,
	displayOptions: { show: { '@tool': [true] } },
};

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
						{ name: 'Boolean', value: 'boolean' },
						{ name: 'List (JSON)', value: 'list', description: 'For IN: ["a", "b"] or [1, 2]' },
						{ name: 'Null', value: 'null' },
						{ name: 'Number', value: 'number' },
						{ name: 'Text', value: 'text' },
						{ name: 'Timestamp', value: 'timestamp' },
					],
					default: 'text',
					description: 'What the value is in SQL',
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

export const outputField: ChoiceField<'items' | FileFormat> = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'CSV File',
			value: 'csv',
			description: 'All rows in one file. Geometries need ST_AsText in the query.',
		},
		{
			name: 'GeoJSON File',
			value: 'geojson',
			description: 'All rows in one file. The query has to give a geometry column.',
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
};

export const geometryField: ChoiceField<Geometry> = {
	displayName: 'Geometry Format',
	name: 'geometryFormat',
	type: 'options',
	options: [
		{ name: 'GeoJSON', value: 'geojson', description: 'Geometries are objects' },
		{ name: 'WKT', value: 'wkt', description: 'Geometries are text such as POINT (7.1 50.7)' },
	],
	default: 'wkt',
	description: 'How to return the columns that hold geometries',
	displayOptions: { show: { output: ['items'] } },
};

const organizationDefault = {
	mode: 'list',
	value: ORGANIZATION_DEFAULT,
	cachedResultName: 'Organization Default',
};

export const sessionRuntimeField: INodeProperties = {
	...runtimeField,
	default: organizationDefault,
	description:
		'Size and type of the compute that the session gets. A session costs from its start until it shuts down.',
	hint: 'Without a running session, one is started. It costs money, also while it is idle, until it has been idle for long enough.',
};

export const sessionRegionField: INodeProperties = {
	...regionField,
	default: organizationDefault,
	description: 'Compute region of the session',
};

const inFile: INodeProperties['displayOptions'] = { hide: { '/output': ['items'] } };
const asItems: INodeProperties['displayOptions'] = { show: { '/output': ['items'] } };

export const fileNameOption: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. hail.csv',
	description: 'Name of the file in n8n. Defaults to query-result and the extension of the format.',
	displayOptions: inFile,
};

export const environmentOverridePresetOption: INodeProperties = {
	displayName: 'Environment Override Preset ID',
	name: 'environmentOverridePresetId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7d4e2a60-51c3-4b8f-a2d9-90be1f3c6a54',
	description: 'The preset with resources and dependencies that the session is started with',
};

export const environmentPresetOption: INodeProperties = {
	...environmentOverridePresetOption,
	displayName: 'Environment Preset ID',
	name: 'environmentPresetId',
	description: 'The environment preset of your organization that the session is started with',
};

export const idleTimeoutOption: INodeProperties = {
	displayName: 'Idle Timeout (Minutes)',
	name: 'idleTimeoutMinutes',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'How long a session that is started stays when it executes nothing. The service has a default of its own.',
};

export const maxRowsOption: INodeProperties = {
	displayName: 'Max Rows',
	name: 'maxRows',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1000,
	description:
		'How many rows to return at most. The whole query is executed nevertheless: a LIMIT in it saves work.',
	displayOptions: asItems,
};

export const fileFieldOption: INodeProperties = { ...binaryFieldOption, displayOptions: inFile };

export const queryTimeoutOption: INodeProperties = {
	displayName: 'Query Timeout (Seconds)',
	name: 'queryTimeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 3600,
	description: 'How long the statement may take before it is cancelled',
};

export const sessionTypeOption: ChoiceField<SessionType> = {
	displayName: 'Session Type',
	name: 'sessionType',
	type: 'options',
	options: [
		{
			name: 'Shared',
			value: 'multi',
			description: 'Use a running session of the same settings, or start one that others may use',
		},
		{
			name: 'Single',
			value: 'single',
			description: 'Start a session that nothing else uses, once for each workflow execution',
		},
	],
	default: 'multi',
	description: 'Which session executes the query',
};

export const sessionWaitOption: INodeProperties = {
	displayName: 'Session Wait (Seconds)',
	name: 'sessionWaitSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 900,
	description: 'How long to wait until the session is ready. A new one takes one to two minutes.',
};

export const shutdownOption: INodeProperties = {
	displayName: 'Shut Down After Inactivity (Seconds)',
	name: 'shutdownAfterInactiveSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 900,
	description:
		'How long a session that is started stays when nothing is connected to it. The service has a default of its own.',
};

export const startNewOption: INodeProperties = {
	displayName: 'Start New Session',
	name: 'startNewSession',
	type: 'boolean',
	default: false,
	description:
		'Whether to start a session even if one of the same settings is running, once for each workflow execution',
};

export const versionOption: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'string',
	default: '',
	placeholder: 'e.g. preview',
	description: 'Platform version of the session. Defaults to that of the service.',
};

const map = mapOptions({ show: { '/output': ['geojson'] } });

export const optionsField = optionsOf(
	map.draw,
	environmentOverridePresetOption,
	environmentPresetOption,
	fileNameOption,
	idleTimeoutOption,
	map.column,
	map.title,
	maxRowsOption,
	fileFieldOption,
	queryTimeoutOption,
	sessionTypeOption,
	sessionWaitOption,
	shutdownOption,
	startNewOption,
	versionOption,
);

import type { INodeProperties } from 'n8n-workflow';

import {
	type ChoiceField,
	defineChoiceField,
	defineCollection,
	defineCountField,
	definePicker,
	defineSwitchField,
	defineTextField,
} from '../../form/declarations';
import { binaryFieldOption, defineOptions, regionField, runtimeField } from '../../form/fields';
import type { FileFormat, Geometry, SessionType } from '../../service/sql/protocol';
import { defineMapFields } from '../operations/itemFiles';
import { deduplicationKeyOption } from '../operations/deduplicationKey';

const OPEN_DATA = 'wherobots_open_data.overture_maps_foundation';

/** On the open data that every organization can read; the editor for SQL shows no placeholder. */
export const EXAMPLE_QUERIES = [
	`SELECT * FROM ${OPEN_DATA}.places_place LIMIT 10`,
	`SHOW TABLES IN ${OPEN_DATA}`,
];

export const queryField = defineTextField({
	displayName: 'Query',
	name: 'query',
	typeOptions: { editor: 'sqlEditor', sqlDialect: 'StandardSQL', rows: 5 },
	required: true,
	isCode: true,
	placeholder: 'e.g. SELECT name, geometry FROM org_catalog.noaa.hail WHERE size > :size LIMIT 100',
	description: `One Spark SQL statement, with spatial functions such as ST_Area. Write :name where the value of a query parameter goes: parameters are safe from SQL injection; expressions are not. ${EXAMPLE_QUERIES[1]} lists tables to try.`,
});

/** Only as long as there is no query. */
export const exampleNotice: INodeProperties = {
	displayName: `Query to try: ${EXAMPLE_QUERIES[0]}`,
	name: 'exampleNotice',
	type: 'notice',
	default: '',
	displayOptions: { hide: { query: [{ _cnd: { not: '' } }], '@tool': [true] } },
};

export const readOnlyField = defineSwitchField({
	displayName: 'Read Only',
	name: 'readOnly',
	description:
		'Whether to refuse everything but SELECT, WITH, FROM, TABLE, VALUES, SHOW, LIST, DESCRIBE and EXPLAIN before it is sent',
	displayOptions: { hide: { '@tool': [true] } },
});

/** An agent writes its own statements, so it may only change data where the user allows it. */
export const readOnlyToolField: INodeProperties = {
	...readOnlyField,
	default: true,
	displayOptions: { show: { '@tool': [true] } },
};

/** @param rows, all, csv, geojson which rows a file has, how to get all of them, and what files need: without periods */
export const defineOutput = (rows: string, all: string, csv: string, geojson: string) =>
	defineChoiceField<FileFormat | 'items'>({
		displayName: 'Output',
		name: 'output',
		options: {
			csv: ['CSV File', `${rows}. ${csv}.`],
			geojson: ['GeoJSON File', `${rows}; with 'Draw Map', also a map of them. ${geojson}.`],
			items: [
				'Items',
				`One item for each row. The service may cut the result off after 1,000 rows: to get more, ${all}.`,
			],
			parquet: ['Parquet File', `${rows}, with their types`],
		},
		default: 'items',
		description: 'How to return the result',
	});

export const outputField = defineOutput(
	'All rows in one file',
	'choose a file',
	'Geometries need ST_AsText in the query',
	'The query must return a geometry column',
);

export const queryOutputField: ChoiceField<FileFormat | 'items' | 'storage'> = {
	...outputField,
	options: [
		outputField.options[0],
		{
			name: 'Files in Storage',
			value: 'storage',
			description: 'The session writes all rows to a folder; no rows pass through n8n',
			// An agent writes its own queries.
			displayOptions: { hide: { '@tool': [true] } },
		},
		...outputField.options.slice(1),
	],
};

export const geometryField = defineChoiceField<Geometry>({
	displayName: 'Geometry Format',
	name: 'geometryFormat',
	options: {
		geojson: ['GeoJSON', 'Geometries are objects'],
		wkt: ['WKT', 'Geometries are text such as POINT (7.1 50.7)'],
	},
	default: 'wkt',
	description: 'How to return the columns that hold geometries',
	displayOptions: { show: { output: ['items'] } },
});

export const [drawMapField, mapOptionsField] = defineMapFields({ output: ['geojson'] });

const inFile: INodeProperties['displayOptions'] = { hide: { '/output': ['items', 'storage'] } };

export const fileNameOption = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. hail.csv',
	description:
		'Name of the file in n8n. Defaults to query-result with the extension of the format.',
	displayOptions: inFile,
});

export const maxRowsOption = defineCountField({
	displayName: 'Max Rows',
	name: 'maxRows',
	default: 1000,
	description:
		'Maximum number of rows to return. Without this option, all that the service sends are returned. The whole query is executed in any case: a LIMIT in it saves work.',
	displayOptions: { show: { '/output': ['items'] } },
});

export const includeLinksOption = defineSwitchField({
	displayName: 'Include Links',
	name: 'includeLinks',
	description:
		'Whether to add a link to each file. Whoever has it can read the file until it expires, usually after about a minute. n8n saves it with the execution data.',
	displayOptions: { show: { '/output': ['storage'] } },
});

export const fileFieldOption: INodeProperties = { ...binaryFieldOption, displayOptions: inFile };

export const queryTimeoutOption = defineCountField({
	displayName: 'Query Timeout (Seconds)',
	name: 'queryTimeoutSeconds',
	default: 3600,
	description: 'How long the statement may take before it is cancelled',
});

export const sessionRegionField: INodeProperties = {
	...regionField,
	description: 'Compute region of the session',
};

export const sessionRuntimeField: INodeProperties = {
	...runtimeField,
	description: "Size and type of the session's compute",
	hint: 'May start a session, which costs money until a timeout or SQL Session: Delete ends it',
};

export const sessionTypeOption = defineChoiceField<SessionType | 'new'>({
	displayName: 'Session Type',
	name: 'sessionType',
	options: {
		multi: [
			'Shared',
			'Use a running session with the same settings, or start one that others may use',
		],
		new: [
			'Shared, Newly Started',
			'Start a session once for each workflow execution, even if one with the same settings is running. Others may use it afterwards.',
		],
		single: ['Single', 'Start a session that nothing else uses, once for each workflow execution'],
	},
	default: 'multi',
	description: 'Which session executes the statement',
});

export const sessionWaitOption = defineCountField({
	displayName: 'Start Timeout (Seconds)',
	name: 'sessionWaitSeconds',
	default: 900,
	description: 'How long to wait until the session is ready. A new one takes one to two minutes.',
});

/** A model chooses what it asks for, and each session costs money. */
export const maxSessionsOption = defineCountField({
	displayName: 'Max Sessions',
	name: 'maxSessions',
	default: 3,
	description:
		'How many SQL sessions this tool may request in one workflow execution, running ones included. After that, queries with other settings are refused.',
	displayOptions: { show: { '@tool': [true] } },
});

/** The service counts it in seconds. */
export const unusedTimeoutOption = defineCountField({
	displayName: 'Unused Timeout (Minutes)',
	name: 'unusedTimeoutMinutes',
	default: 15,
	description:
		'How long a new session stays up while nothing is connected to it. Without this option, the service decides.',
});

const presetId = {
	placeholder: 'e.g. 5b1f0c9de2a4',
	rule: (id: string) =>
		/\s/.test(id) ? 'must be an ID, not a name: choose it from the list' : undefined,
};

/** Options whose values are sent to the service under their own names. */
export const sessionOptions = [
	defineCountField({
		displayName: 'Idle Timeout (Minutes)',
		name: 'idleTimeoutMinutes',
		default: 30,
		description:
			'How long a new session stays up while it executes nothing, even if something is connected to it. Without this option, the service decides.',
	}),
	defineTextField({
		displayName: 'Session Key',
		name: 'sessionKey',
		placeholder: 'e.g. daily-report',
		description:
			'Any text: a shared session is only shared with requests that have the same key, such as those of one workflow',
	}),
	defineTextField({
		displayName: 'Version',
		name: 'version',
		placeholder: 'e.g. preview',
		description: "Platform version of the session. Defaults to the service's own version.",
	}),
	definePicker('searchEnvironmentPresets', 'ID', {
		displayName: 'Environment Preset',
		name: 'environmentPresetId',
		description:
			'Version, dependencies and Spark properties of a new session. An Override Preset takes precedence.',
		...presetId,
	}),
	definePicker('searchPresets', 'ID', {
		displayName: 'Override Preset',
		name: 'environmentOverridePresetId',
		description:
			'An Environment Override Preset, whose disk sizes and Spark properties replace those of the Environment Preset in a new session',
		...presetId,
	}),
];

export const sessionOptionsField = defineCollection('Session Options', [
	...[sessionTypeOption, sessionWaitOption, maxSessionsOption, unusedTimeoutOption],
	...sessionOptions,
]);

/** Where statements are executed. */
export const sessionFields = [sessionRuntimeField, sessionRegionField, sessionOptionsField];

const ofResult = [fileNameOption, fileFieldOption, queryTimeoutOption];

export const optionsField = defineOptions(...ofResult, includeLinksOption, maxRowsOption, {
	...deduplicationKeyOption,
	description: `${deduplicationKeyOption.description} A query that only reads is executed each time.`,
});

/** Options of statements that the node writes. */
export const rowsOptionsField = defineOptions(...ofResult);

/** Options of statements without rows. @param more what else they have */
export const defineSettings = (...more: INodeProperties[]) =>
	defineOptions(...more, queryTimeoutOption);

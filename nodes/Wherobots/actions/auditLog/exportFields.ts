import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	countField,
	switchField,
	textField,
	timeField,
} from '../../parameters/declarations';
import { binaryFieldOption, optionsOf, returnAllFields } from '../../parameters/fields';
import { RETENTION_DAYS } from '../../service/auditLog';
import type { Split } from '../../service/time/windows';
import { DEFAULT_FILE_NAME } from './fileName';

const forFiles = { show: { '/output': ['file'] } };

export const timeRangeField = choiceField({
	displayName: 'Time Range',
	name: 'timeRange',
	options: [
		{
			name: 'Custom',
			value: 'custom',
			description: 'Any start and end',
		},
		{
			name: 'Last N Days',
			value: 'lastDays',
			description: 'The given number of complete days before today',
		},
		{
			name: 'Previous Day',
			value: 'previousDay',
			description: 'Yesterday, from midnight to midnight',
		},
		{ name: 'Previous Hour', value: 'previousHour', description: 'The last complete hour' },
		{ name: 'Previous Month', value: 'previousMonth', description: 'The last complete month' },
	],
	default: 'previousDay',
	description: `Which events to export, in the workflow's time zone. The service keeps events for ${RETENTION_DAYS} days.`,
});

export const daysField = countField({
	displayName: 'Number of Days',
	name: 'days',
	typeOptions: { minValue: 1, maxValue: 10_000 },
	default: 30,
	description: 'How many complete days before today to export',
	displayOptions: { show: { timeRange: ['lastDays'] } },
});

export const startField = timeField({
	displayName: 'Start',
	name: 'start',
	required: true,
	description: 'Start of the range, included',
	displayOptions: { show: { timeRange: ['custom'] } },
});

export const endField = timeField({
	displayName: 'End',
	name: 'end',
	required: true,
	description: 'End of the range, not included: the next range can start exactly here',
	displayOptions: { show: { timeRange: ['custom'] } },
});

export const searchTermField = textField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. maria@example.com',
	description: 'Only export events that contain this text in any field',
});

export const outputField = choiceField({
	displayName: 'Output',
	name: 'output',
	options: [
		{
			name: 'File',
			value: 'file',
			description: 'A file that other nodes can store or send. Best for large exports.',
		},
		{ name: 'Items', value: 'items', description: 'One item per event' },
	],
	default: 'file',
	description: 'How to return the events',
});

export const splitField = choiceField<Split>({
	displayName: 'Split Into',
	name: 'split',
	options: [
		{ name: 'One File', value: 'none' },
		{ name: 'One File per Hour', value: 'hour' },
		{ name: 'One File per Day', value: 'day' },
		{ name: 'One File per Month', value: 'month' },
	],
	default: 'none',
	description:
		'Each file becomes an output item. Together the files contain every event exactly once.',
	displayOptions: { show: { output: ['file'] } },
});

export const compressField = switchField({
	displayName: 'Compress',
	name: 'compress',
	description: 'Whether to compress the file with gzip',
	displayOptions: forFiles,
});

export const formatField = choiceField({
	displayName: 'File Format',
	name: 'format',
	options: [
		{ name: 'CSV', value: 'csv' },
		{ name: 'JSON Lines', value: 'jsonLines', description: 'One JSON object per line' },
	],
	default: 'csv',
	displayOptions: forFiles,
});

export const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	default: DEFAULT_FILE_NAME,
	placeholder: 'e.g. year={year}/month={month}/day={day}/audit-log',
	description:
		"Name of each file; the extension is added. {start} and {end} are in UTC. {year}, {month}, {day} and {hour} are those of the start in the workflow's time zone.",
	displayOptions: forFiles,
});

export const removeDuplicatesField = switchField({
	displayName: 'Remove Duplicates',
	name: 'removeDuplicates',
	description:
		'Whether to remove events whose ID already appeared in the same file. Works for up to 2 million events per file.',
});

export const skipExistingField = textField({
	displayName: 'Skip Existing Files',
	name: 'skipExisting',
	placeholder: "e.g. {{ $('List').all().map(item => item.json.Key) }}",
	description:
		'Names of files that are already stored, as a list or separated by commas. Their part of the range is not exported again.',
	displayOptions: forFiles,
});

export const optionsField = optionsOf(
	compressField,
	formatField,
	fileNameField,
	{ ...binaryFieldOption, displayOptions: forFiles },
	removeDuplicatesField,
	skipExistingField,
);

export const exportFields: INodeProperties[] = [
	timeRangeField,
	daysField,
	startField,
	endField,
	searchTermField,
	outputField,
	splitField,
	...returnAllFields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, output: ['items'] } },
	})),
	optionsField,
];

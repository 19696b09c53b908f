/** The form of Audit Log: Export, and what its values mean: the time range, the names of the files. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	defineChoiceField,
	defineCountField,
	defineSwitchField,
	defineTextField,
	defineTimeField,
} from '../../form/declarations';
import {
	actionNamesField,
	binaryFieldOption,
	defineOptions,
	returnAllFields,
} from '../../form/fields';
import type { Input } from '../../form/input';
import { LATE_EVENTS, computeOldestKept, RETENTION_DAYS } from '../../service/records/auditEvent';
import {
	Calendar,
	formatTime,
	getLastMoment,
	type Micros,
	MICROS_PER_MS,
	MICROS_PER_SECOND,
	computeRelativeWindow,
	type Split,
	type Window,
} from '../../service/time';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { addHint, type Call } from '../operations/operation';

const forFiles = { show: { '/output': ['file'] } };

export const timeRangeField = defineChoiceField({
	displayName: 'Time Range',
	name: 'timeRange',
	options: {
		custom: ['Custom', 'Any start and end'],
		lastDays: ['Last N Days', 'The given number of complete days before today'],
		previousDay: ['Previous Day', 'Yesterday, from midnight to midnight'],
		previousHour: ['Previous Hour', 'The last complete hour'],
		previousMonth: ['Previous Month', 'The last complete month'],
	},
	default: 'previousDay',
	description: `Which events to export, in the workflow's time zone. The service keeps events for ${RETENTION_DAYS} days.`,
});

const daysField = defineCountField({
	displayName: 'Number of Days',
	name: 'days',
	typeOptions: { minValue: 1, maxValue: 10_000 },
	default: 30,
	description: 'How many complete days before today to export',
	displayOptions: { show: { timeRange: ['lastDays'] } },
});

const fromField = defineTimeField({
	displayName: 'From',
	name: 'from',
	required: true,
	description: 'Start of the range (included)',
	displayOptions: { show: { timeRange: ['custom'] } },
});

const toField = defineTimeField({
	displayName: 'To',
	name: 'to',
	required: true,
	description: 'End of the range (not included), where the next range can start',
	displayOptions: { show: { timeRange: ['custom'] } },
});

export const searchTermField = defineTextField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. maria@example.com',
	description: 'Only include events that contain this text in any field',
});

export const outputField = defineChoiceField({
	displayName: 'Output',
	name: 'output',
	options: {
		file: ['File', 'A file that other nodes can store or send. Best for large exports.'],
		items: ['Items', 'One item per event'],
	},
	default: 'file',
	description: 'How to return the events',
});

export const splitField = defineChoiceField<Split>({
	displayName: 'Split Into',
	name: 'split',
	options: {
		none: 'One File',
		hour: 'One File per Hour',
		day: 'One File per Day',
		month: 'One File per Month',
	},
	default: 'none',
	description:
		'Each file becomes an output item. Together the files contain every event exactly once.',
	displayOptions: { show: { output: ['file'] } },
});

export const compressField = defineSwitchField({
	displayName: 'Compress',
	name: 'compress',
	description: 'Whether to compress the file with gzip',
	displayOptions: forFiles,
});

export const formatField = defineChoiceField({
	displayName: 'File Format',
	name: 'format',
	options: {
		csv: 'CSV',
		jsonLines: ['JSON Lines', 'One JSON object per line'],
	},
	default: 'csv',
	displayOptions: forFiles,
});

export const fileNameField = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	default: 'wherobots-audit-log-{start}-{end}',
	placeholder: 'e.g. year={year}/month={month}/day={day}/audit-log',
	description:
		"Name of each file; the extension is added. {start} and {end} are in UTC. {year}, {month}, {day} and {hour} come from the start, in the workflow's time zone.",
	displayOptions: forFiles,
	rule: checkFileNamePattern,
});

export const removeDuplicatesField = defineSwitchField({
	displayName: 'Remove Duplicates',
	name: 'removeDuplicates',
	description:
		'Whether to remove events whose ID already appeared in the same file. Works for up to 2 million events per file.',
});

export const skipExistingField = defineTextField({
	displayName: 'Skip Existing Files',
	name: 'skipExisting',
	placeholder: "e.g. {{ $('List').all().map(item => item.json.Key) }}",
	description:
		'Names of files that are already stored, as a list or separated by commas. Their part of the range is not exported again.',
	displayOptions: forFiles,
});

export const optionsField = defineOptions(
	actionNamesField,
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
	fromField,
	toField,
	searchTermField,
	outputField,
	splitField,
	...returnAllFields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, output: ['items'] } },
	})),
	optionsField,
];

export interface Range extends Window {
	/** The range of the previous execution, for ranges relative to the time of the execution. */
	previous?: Window;
	calendar: Calendar;
	searchTerm?: string;
}

/** Reads and checks the time range of an export. */
export function readRange({ input }: Call): Range {
	const calendar = new Calendar(input.timezone());
	const now = Math.trunc(clock.now()) * MICROS_PER_MS;
	const kind = input.choice(timeRangeField);
	const searchTerm = input.optionalText(searchTermField);
	if (kind === 'custom') return { ...readCustomWindow(input), calendar, searchTerm };
	const asked = kind === 'lastDays' ? { kind, days: input.integer(daysField) } : { kind };
	const window = computeRelativeWindow(asked, now, calendar);
	const previous = computeRelativeWindow(asked, window.start, calendar);
	return { ...window, previous, calendar, searchTerm };
}

/** A window as it is sent, which the service takes with both ends, and shown. */
export function describeRange(
	{ searchTerm }: Range,
	window: Window,
): { start: string; end: string; searchTerm?: string } {
	return {
		start: formatTime(window.start),
		end: formatTime(getLastMoment(window)),
		...(searchTerm ? { searchTerm } : {}),
	};
}

/** The query for a window. */
export function toQuery(range: Range, window: Window): IDataObject {
	const { start, end, ...search } = describeRange(range, window);
	return { startTime: start, endTime: end, ...search };
}

/** Reasons why a window may lack events, as docs/audit-log-archive.md lists them. */
type IncompleteReason = 'endsInFuture' | 'endsTooRecently' | 'startsBeforeRetention';

/**
 * Why a window may lack events; undefined when it is certain to have them all.
 *
 * @param now the time of the response by the service's clock; n8n's clock may be ahead of it
 */
export function findIncompleteReason(window: Window, now: Micros): IncompleteReason | undefined {
	if (window.end > now) return 'endsInFuture';
	if (window.end + LATE_EVENTS > now) return 'endsTooRecently';
	return window.start < computeOldestKept(now / MICROS_PER_MS)
		? 'startsBeforeRetention'
		: undefined;
}

/** Adds hints about events that a range that was just exported cannot contain. */
export function addIncompleteRangeHint({ client, context }: Call, range: Range): void {
	const now = getServiceTime(client);
	const oldest = computeOldestKept(now / MICROS_PER_MS);
	if (range.start < oldest) {
		const gone = range.end < oldest ? range.end : oldest;
		addHint(context, {
			message: `Wherobots Cloud keeps audit events for ${RETENTION_DAYS} days: those from ${formatTime(range.start)} to ${formatTime(gone)} are gone. Do not overwrite files that you stored for that time.`,
		});
	}
	const reason = findIncompleteReason(range, now);
	if (range.start > now) {
		addHint(context, {
			message:
				'The range is entirely in the future: no event in it has happened yet. Check the year and the time zone.',
		});
	} else if (reason === 'endsInFuture') {
		addHint(context, {
			message: `The range ends in the future: events after ${formatTime(now)} (by the clock of Wherobots Cloud) have not happened yet.`,
		});
	} else if (reason === 'endsTooRecently') {
		const minutes = LATE_EVENTS / MICROS_PER_SECOND / 60;
		addHint(context, {
			message: `The range ended less than ${minutes} minutes ago, so late events may still appear. Export it again after ${formatTime(range.end + LATE_EVENTS)}.`,
		});
	}
}

/** The time by the service's clock. */
export function getServiceTime(client: Client): Micros {
	return Math.trunc(client.serviceNow()) * MICROS_PER_MS;
}

function readCustomWindow(input: Input): Window {
	const start = input.time(fromField);
	const end = input.time(toField);
	if (start >= end)
		throw input.problem(
			fromField,
			`must be before '${toField.displayName}' (${formatTime(end)}), not ${formatTime(start)}`,
		);
	return { start, end };
}

const PLACEHOLDERS = ['start', 'end', 'year', 'month', 'day', 'hour'] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What is wrong with a file name pattern, as the end of a sentence; undefined when it can be used. */
function checkFileNamePattern(pattern: string): string | undefined {
	const unknown = [...pattern.matchAll(PLACEHOLDER)]
		.map(([, name]) => name)
		.find((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
	if (unknown !== undefined) {
		return `supports only ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}, not {${unknown}}`;
	}
	const isBroken = (part: string) => ['', '.', '..'].includes(part) || /[\p{Cc}\\]/u.test(part);
	return pattern.split('/').some(isBroken)
		? 'must not start or end with a slash, or contain backslashes, control characters, empty parts or parts that consist of dots only'
		: undefined;
}

/**
 * The name of a window's file: it depends only on the window, so that exporting again overwrites the
 * same file. `{start}` and `{end}` are in UTC, and `{end}` is the start of the next window; the parts
 * of the date are those of the start in the calendar's time zone.
 *
 * @param extension such as `.csv`; not added to a name that already has it
 */
export function formatFileName(
	pattern: string,
	window: Window,
	calendar: Calendar,
	extension: string,
): string {
	const { year, month, day } = calendar.at(window.start);
	const values: Record<string, string> = {
		start: formatCompactTime(window.start),
		end: formatCompactTime(window.end),
		year: String(year),
		month: String(month).padStart(2, '0'),
		day: String(day).padStart(2, '0'),
		hour: calendar.hourLabel(window.start),
	};
	const name = pattern.replace(PLACEHOLDER, (_, placeholder: string) => values[placeholder]);
	return name.toLowerCase().endsWith(extension) ? name : name + extension;
}

export function hasPlaceholder(pattern: string): boolean {
	return pattern.search(PLACEHOLDER) >= 0;
}

/** `20260131T090000Z`: no characters that a file system or an object store rejects. */
function formatCompactTime(time: Micros): string {
	return formatTime(time).replace(/[-:]/g, '');
}

import { RETENTION_DAYS, oldestKept } from '../../service/auditLog';
import { Calendar } from '../../service/time/calendar';
import * as rules from '../../service/rules';
import { formatTime, MICROS_PER_MS, parseTime, type Micros } from '../../service/time/time';
import { relativeWindow, type Window } from '../../service/time/windows';
import { clock } from '../../transport/clock';
import type { Input } from '../../parameters/input';
import type { Call } from '../operation';

const RANGES = [
	'custom',
	'lastDays',
	'previous7Days',
	'previousDay',
	'previousHour',
	'previousMonth',
] as const;

export interface Range extends Window {
	/** True for a range that follows from the time of the execution. */
	isRelative: boolean;
	calendar: Calendar;
	/** When the execution asked, in microseconds since the epoch. */
	now: Micros;
	searchTerm?: string;
}

/** Reads and checks the time range of an export. */
export function readRange({ context, input }: Call): Range {
	const calendar = new Calendar(context.getTimezone());
	const now = Math.trunc(clock.now()) * MICROS_PER_MS;
	const kind = input.choice('timeRange', 'Time Range', RANGES, 'previousDay');
	return {
		...(kind === 'custom' ? customWindow(input) : relative(kind, input, now, calendar)),
		isRelative: kind !== 'custom',
		calendar,
		now,
		searchTerm: input.optionalText('searchTerm', 'Search Term'),
	};
}

/** Whether a window can hold all its events: none is past the retention, and none is still to come. */
export function isComplete(window: Window, now: Micros): boolean {
	return window.start >= oldestKept(now / MICROS_PER_MS) && window.end <= now;
}

/** Tells in the editor what a range cannot hold. */
export function hintAtRange({ context }: Call, range: Range): void {
	const oldest = oldestKept(range.now / MICROS_PER_MS);
	if (range.start < oldest) {
		const gone = range.end < oldest ? range.end : oldest;
		context.addExecutionHints({
			message: `Audit events are kept for ${RETENTION_DAYS} days: those from ${formatTime(range.start)} to ${formatTime(gone)} are no longer in the service. Do not overwrite files of that time that you stored before.`,
		});
	}
	if (range.end > range.now) {
		context.addExecutionHints({
			message: `The range ends in the future: events after ${formatTime(range.now)} are still to come.`,
		});
	}
}

function relative(
	kind: Exclude<(typeof RANGES)[number], 'custom'>,
	input: Input,
	now: Micros,
	calendar: Calendar,
): Window {
	if (kind === 'previous7Days') return relativeWindow({ kind: 'lastDays', days: 7 }, now, calendar);
	if (kind !== 'lastDays') return relativeWindow({ kind }, now, calendar);
	const days = input.integer('days', 'Number of Days', rules.atLeast(1), (value) =>
		value <= 10_000 ? undefined : 'must be at most 10000',
	);
	return relativeWindow({ kind, days }, now, calendar);
}

function customWindow(input: Input): Window {
	const start = readTime(input, 'start', 'Start');
	const end = readTime(input, 'end', 'End');
	if (start >= end) throw input.problem('Start', `must be before 'End' (${formatTime(end)})`);
	return { start, end };
}

function readTime(input: Input, name: string, label: string): Micros {
	const text = input.optionalTime(name, label);
	if (text === undefined) throw input.problem(label, 'must not be empty');
	return parseTime(text) as Micros;
}

import { RETENTION_DAYS, oldestKept } from '../../service/auditLog';
import { Calendar } from '../../service/time/calendar';
import { formatTime, MICROS_PER_MS, parseTime, type Micros } from '../../service/time/time';
import { relativeWindow, type Window } from '../../service/time/windows';
import { clock } from '../../transport/clock';
import type { Input } from '../../parameters/input';
import { addHint } from '../hint';
import type { Call } from '../operation';
import * as form from './exportFields';

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
	const kind = input.choice(form.timeRangeField);
	return {
		...(kind === 'custom' ? customWindow(input) : relative(kind, input, now, calendar)),
		isRelative: kind !== 'custom',
		calendar,
		now,
		searchTerm: input.optionalText(form.searchTermField),
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
		addHint(context, {
			message: `Audit events are kept for ${RETENTION_DAYS} days: those from ${formatTime(range.start)} to ${formatTime(gone)} are no longer in the service. Do not overwrite files of that time that you stored before.`,
		});
	}
	if (range.end > range.now) {
		addHint(context, {
			message: `The range ends in the future: events after ${formatTime(range.now)} are still to come.`,
		});
	}
}

function relative(kind: form.RelativeKind, input: Input, now: Micros, calendar: Calendar): Window {
	if (kind === 'previous7Days') return relativeWindow({ kind: 'lastDays', days: 7 }, now, calendar);
	if (kind !== 'lastDays') return relativeWindow({ kind }, now, calendar);
	const days = input.integer(form.daysField);
	return relativeWindow({ kind, days }, now, calendar);
}

function customWindow(input: Input): Window {
	const start = parseTime(input.time(form.startField)) as Micros;
	const end = parseTime(input.time(form.endField)) as Micros;
	if (start >= end)
		throw input.problem(
			form.startField,
			`must be before '${form.endField.displayName}' (${formatTime(end)})`,
		);
	return { start, end };
}

import type { IDataObject } from 'n8n-workflow';

import type { Input } from '../../parameters/input';
import { LATE_EVENTS, oldestKept, RETENTION_DAYS } from '../../service/auditLog';
import { Calendar } from '../../service/time/calendar';
import { formatTime, MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../service/time/time';
import { lastMoment, relativeWindow, type Window } from '../../service/time/windows';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { addHint } from '../operations/hint';
import type { Call } from '../operations/operation';
import * as form from './exportFields';

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
	const kind = input.choice(form.timeRangeField);
	const searchTerm = input.optionalText(form.searchTermField);
	if (kind === 'custom') return { ...customWindow(input), calendar, searchTerm };
	const asked = kind === 'lastDays' ? { kind, days: input.integer(form.daysField) } : { kind };
	const window = relativeWindow(asked, now, calendar);
	const previous = relativeWindow(asked, window.start, calendar);
	return { ...window, previous, calendar, searchTerm };
}

/** A window as it is sent, which the service takes with both ends, and shown. */
export function shownRange(
	{ searchTerm }: Range,
	window: Window,
): { start: string; end: string; searchTerm?: string } {
	return {
		start: formatTime(window.start),
		end: formatTime(lastMoment(window)),
		...(searchTerm ? { searchTerm } : {}),
	};
}

/** The query for a window. */
export function queryOf(range: Range, window: Window): IDataObject {
	const { start, end, ...search } = shownRange(range, window);
	return { startTime: start, endTime: end, ...search };
}

/** Reasons why a window may lack events, as docs/audit-log-archive.md lists them. */
export type IncompleteReason = 'endsInFuture' | 'endsTooRecently' | 'startsBeforeRetention';

/**
 * Why a window may lack events; undefined when it is certain to have them all.
 *
 * @param now the time of the response by the service's clock; n8n's clock may be ahead of it
 */
export function incompleteReason(window: Window, now: Micros): IncompleteReason | undefined {
	if (window.end > now) return 'endsInFuture';
	if (window.end + LATE_EVENTS > now) return 'endsTooRecently';
	return window.start < oldestKept(now / MICROS_PER_MS) ? 'startsBeforeRetention' : undefined;
}

/** Adds hints about events that a range that was just exported cannot contain. */
export function hintIncompleteRange({ client, context }: Call, range: Range): void {
	const now = serviceTime(client);
	const oldest = oldestKept(now / MICROS_PER_MS);
	if (range.start < oldest) {
		const gone = range.end < oldest ? range.end : oldest;
		addHint(context, {
			message: `Wherobots Cloud keeps audit events for ${RETENTION_DAYS} days: those from ${formatTime(range.start)} to ${formatTime(gone)} are gone. Do not overwrite files that you stored for that time.`,
		});
	}
	const reason = incompleteReason(range, now);
	if (reason === 'endsInFuture') {
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
export function serviceTime(client: Client): Micros {
	return Math.trunc(client.serviceNow()) * MICROS_PER_MS;
}

function customWindow(input: Input): Window {
	const start = input.time(form.startField);
	const end = input.time(form.endField);
	if (start >= end)
		throw input.problem(
			form.startField,
			`must be before '${form.endField.displayName}' (${formatTime(end)})`,
		);
	return { start, end };
}

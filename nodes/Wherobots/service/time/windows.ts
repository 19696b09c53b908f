import type { Calendar } from './calendar';
import { MICROS_PER_SECOND, type Micros } from './time';

const HOUR: Micros = 3_600 * MICROS_PER_SECOND;

/** From `start` up to but not including `end`: two windows meet when one's end is the other's start. */
export interface Window {
	start: Micros;
	end: Micros;
}

/** Ranges relative to the time of the execution. */
export type RelativeRange =
	| { kind: 'previousHour' | 'previousDay' | 'previousMonth' }
	/** The last complete days before today. */
	| { kind: 'lastDays'; days: number };

/** How a range is divided. */
export type Split = 'none' | 'hour' | 'day' | 'month';

/** The last complete hour, days or month in a time zone. */
export function relativeWindow(range: RelativeRange, now: Micros, calendar: Calendar): Window {
	if (range.kind === 'previousHour') {
		const end = calendar.startOfHour(now);
		return { start: calendar.startOfHour(end - 1), end };
	}
	const today = calendar.dayOf(now);
	if (range.kind === 'previousMonth') {
		const first = today.startOf('month');
		return {
			start: calendar.startOfDay(first.minus({ months: 1 })),
			end: calendar.startOfDay(first),
		};
	}
	const days = 'days' in range ? range.days : 1;
	const end = calendar.startOfDay(today);
	let start = end;
	// One by one: a zone that moves to the other side of the date line skips a day.
	for (let passed = 0; passed < days; passed++) {
		start = calendar.startOfDay(calendar.dayOf(start - 1));
	}
	return { start, end };
}

/**
 * A window divided where hours, days or months begin in a time zone. The parts meet exactly; the
 * first and the last are shorter when the window begins or ends between such points.
 */
export function* divide(window: Window, split: Split, calendar: Calendar): Generator<Window> {
	for (let { start } = window; start < window.end; ) {
		const next = split === 'none' ? window.end : beginningAfter(start, split, calendar);
		const end = Math.min(next, window.end);
		yield { start, end };
		start = end;
	}
}

/** The last moment of a window: the service includes both ends of a range (interface, "Rules for export"). */
export function lastMoment(window: Window): Micros {
	return window.end - 1;
}

/** When the hour, day or month that contains a time ends. */
function beginningAfter(time: Micros, split: 'hour' | 'day' | 'month', calendar: Calendar): Micros {
	if (split === 'hour') return calendar.startOfHour(time) + HOUR;
	return calendar.startOfDay(
		calendar
			.dayOf(time)
			.startOf(split)
			.plus({ [split]: 1 }),
	);
}

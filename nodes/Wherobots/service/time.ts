import { DateTime, IANAZone } from 'luxon';

/**
 * A time as whole microseconds since the epoch: audit events carry microseconds, and the windows of an
 * archive have to meet exactly. JavaScript dates would cut them to milliseconds. A number holds them
 * exactly up to the year 2255, so times outside {@link FIRST_YEAR} to {@link LAST_YEAR} cannot be
 * read.
 */
export type Micros = number;

export const MICROS_PER_MS = 1_000;
export const MICROS_PER_SECOND = 1_000_000;

/** The years of the times that can be read. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2254;

const FIRST_MS = Date.UTC(FIRST_YEAR, 0);
const END_MS = Date.UTC(LAST_YEAR + 1, 0);

const FRACTION = /^(.*\d{2}:\d{2}:\d{2})[.,](\d+)(\D[^]*)?$/;

/**
 * Reads a point in time: ISO 8601 text (a space for the T is accepted) or milliseconds since the epoch.
 * Text without a zone is in `zone`. Records of the service have such times, too.
 *
 * @param zone IANA name of the zone for text that names none
 * @returns undefined when the value is none of these, or lies before {@link FIRST_YEAR} or after
 *   {@link LAST_YEAR}
 */
export function parseTime(value: unknown, zone = 'UTC'): Micros | undefined {
	if (typeof value === 'number') return convertMillis(value);
	if (typeof value !== 'string') return undefined;
	const { ms, fraction } = parseParts(value, zone);
	return addFraction(convertMillis(ms), fraction);
}

/** Whether a time zone of this name exists. */
export const isTimeZone = (zone: string): boolean => IANAZone.isValidZone(zone);

/** Not for February 29 or a day that its month lacks: `Date.parse` reads February 30 as March 2. */
const SERVICE_TIME =
	/^(\d{4}-(?!02-(?:29|3)|(?:0[469]|11)-31)\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/;

/** The milliseconds of a time in whole seconds, NaN for none, and the digits of the fraction. */
function parseParts(value: string, zone: string): { ms: number; fraction: string } {
	// The service's notation, of which lists have tens of thousands and tables millions, much faster.
	const [, head, fraction = '', offset] = SERVICE_TIME.exec(value) ?? [];
	const ms = head === undefined ? NaN : Date.parse(`${head}${offset}`);
	if (!Number.isNaN(ms)) return { ms, fraction };
	const iso = parseIso(value, zone);
	return { ms: iso.time.toMillis(), fraction: iso.fraction };
}

/** A time in whole seconds, in its own zone if it has one, and the digits of the fraction. */
function parseIso(value: string, zone: string): { time: DateTime; fraction: string } {
	const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T');
	const [, head, fraction, tail = ''] = FRACTION.exec(text) ?? ['', text, ''];
	return { time: DateTime.fromISO(`${head}${tail}`, { zone, setZone: true }), fraction };
}

/** Begins with year, month and day. Without them, a time would be today, and a year New Year. */
const FULL_DATE = /^\d{4}(-?)\d{2}\1\d{2}(?!\d)/;
const ONLY_DATE = /^\d{4}(-?)\d{2}\1\d{2}$/;

/**
 * A point in time as ISO 8601 in UTC with up to six digits after the second, for years that a
 * {@link Micros} cannot hold. Text without a zone is in `zone`.
 *
 * @returns undefined when the text has no full date or more than microseconds, or the year is not 1 to
 *   9999
 */
export function toIsoTime(value: string, zone: string): string | undefined {
	const { ms, fraction } = parseParts(value, zone);
	const digits = fraction.replace(/(?<!0)0+$/, '');
	const time = new Date(ms);
	if (digits.length > 6 || !isInSql(value, time.getUTCFullYear())) return undefined;
	return `${time.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** The day of a point in time in `zone`, or a day as it is. @returns undefined as {@link toIsoTime} does */
export function toIsoDate(value: string, zone: string): string | undefined {
	const dayZone = ONLY_DATE.test(value.trim()) ? 'UTC' : zone;
	const day = parseIso(value, dayZone).time.setZone(dayZone);
	return isInSql(value, day.year) ? day.toFormat('yyyy-MM-dd') : undefined;
}

/** @param year NaN for no time */
function isInSql(value: string, year: number): boolean {
	return FULL_DATE.test(value.trim()) && year >= 1 && year <= 9999;
}

/** ISO 8601 in UTC, with microseconds only where there are any: `2026-01-31T09:00:00Z`. */
export function formatTime(time: Micros): string {
	const wholeSeconds = Math.floor(time / MICROS_PER_SECOND);
	const fraction = time - wholeSeconds * MICROS_PER_SECOND;
	const seconds = new Date(wholeSeconds * 1_000).toISOString().slice(0, 19);
	return fraction === 0 ? `${seconds}Z` : `${seconds}.${String(fraction).padStart(6, '0')}Z`;
}

/** Milliseconds since the epoch, truncated to whole ones, as microseconds; undefined outside the years. */
function convertMillis(ms: number): Micros | undefined {
	return ms >= FIRST_MS && ms < END_MS ? Math.trunc(ms) * MICROS_PER_MS : undefined;
}

/** @param fraction the digits after the decimal point of a second; those past the sixth are cut */
function addFraction(seconds: Micros | undefined, fraction: string): Micros | undefined {
	return seconds === undefined ? undefined : seconds + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/**
 * Where hours and days begin in a time zone. Each begins exactly once, even where clocks change at
 * midnight, so that neighboring ones always meet. The exception is hours where clocks change by half
 * an hour, as on Lord Howe Island.
 */
export class Calendar {
	/** @param zone IANA name of a time zone that exists (`isTimeZone`) */
	constructor(private readonly zone: string) {}

	/** The local time, to the millisecond. */
	at(time: Micros): DateTime {
		const { zone } = this;
		return DateTime.fromMillis(Math.floor(time / MICROS_PER_MS), { zone, locale: 'en' });
	}

	/**
	 * The day that contains a time, as midnight in UTC; the later one where clocks go back over
	 * midnight. The next day always begins after the time.
	 */
	dayOf(time: Micros): DateTime {
		const { year, month, day } = this.at(time);
		const date = DateTime.utc(year, month, day);
		const next = date.plus({ days: 1 });
		return this.startOfDay(next) <= time ? next : date;
	}

	/** When a day begins: the first moment with its date, or with a later one where the date is skipped. */
	startOfDay({ year, month, day }: DateTime): Micros {
		const midnight = DateTime.fromObject({ year, month, day }, { zone: this.zone });
		const moments = midnight.getPossibleOffsets().map((moment) => moment.toMillis());
		return Math.min(...moments) * MICROS_PER_MS;
	}

	/** When the local hour that contains a time began. */
	startOfHour(time: Micros): Micros {
		const clock = this.at(time);
		const passed = (clock.minute * 60 + clock.second) * 1_000 + clock.millisecond;
		return (clock.toMillis() - passed) * MICROS_PER_MS;
	}

	/** The local hour as two digits, with its offset where it occurs twice: `02+0200` and `02+0100`. */
	hourLabel(time: Micros): string {
		const clock = this.at(time);
		return clock.toFormat(clock.getPossibleOffsets().length > 1 ? 'HHZZZ' : 'HH');
	}
}

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
export function computeRelativeWindow(
	range: RelativeRange,
	now: Micros,
	calendar: Calendar,
): Window {
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
	return { start: calendar.startOfDay(today.minus({ days })), end };
}

/**
 * A window divided where hours, days or months begin in a time zone. The parts meet exactly; the
 * first and the last are shorter when the window begins or ends between such points.
 */
export function* divide(window: Window, split: Split, calendar: Calendar): Generator<Window> {
	for (let { start } = window; start < window.end; ) {
		const next = split === 'none' ? window.end : findBeginningAfter(start, split, calendar);
		const end = Math.min(next, window.end);
		yield { start, end };
		start = end;
	}
}

/** The last moment of a window: the service includes both ends of a range (interface, "Rules for export"). */
export function getLastMoment(window: Window): Micros {
	return window.end - 1;
}

/** When the hour, day or month that contains a time ends. */
function findBeginningAfter(
	time: Micros,
	split: 'hour' | 'day' | 'month',
	calendar: Calendar,
): Micros {
	if (split === 'hour') return calendar.startOfHour(time) + HOUR;
	return calendar.startOfDay(
		calendar
			.dayOf(time)
			.startOf(split)
			.plus({ [split]: 1 }),
	);
}

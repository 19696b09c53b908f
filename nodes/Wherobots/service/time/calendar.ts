import { IANAZone } from 'luxon';

import { MICROS_PER_MS, type Micros } from './time';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A date of a calendar, `month` from 1. */
export interface CalendarDate {
	year: number;
	month: number;
	day: number;
}

/**
 * Where hours, days and months begin in a time zone. Each has exactly one beginning, also where
 * clocks are put forward or back at midnight, so that neighbouring ones always meet; but for hours
 * where clocks change by half an hour, as on Lord Howe Island.
 */
export class Calendar {
	private readonly zone: IANAZone;

	/**
	 * @param zoneName IANA name of the time zone
	 * @throws RangeError when there is no such time zone
	 */
	constructor(zoneName: string) {
		if (!IANAZone.isValidZone(zoneName))
			throw new RangeError(`"${zoneName}" is not a valid time zone`);
		this.zone = IANAZone.create(zoneName);
	}

	/** The date on the clock at a time. */
	dateAt(time: Micros): CalendarDate {
		const local = new Date(this.localMs(toMs(time)));
		return {
			year: local.getUTCFullYear(),
			month: local.getUTCMonth() + 1,
			day: local.getUTCDate(),
		};
	}

	/**
	 * The day that a time belongs to: where clocks go back over midnight, the later one. The next day
	 * always begins after the time.
	 */
	dayOf(time: Micros): CalendarDate {
		const date = this.dateAt(time);
		const next = plusDays(date, 1);
		return this.startOfDay(next) <= time ? next : date;
	}

	/**
	 * When a day begins: the first moment at which the clock shows its date, or a later one where the
	 * date is skipped.
	 */
	startOfDay({ year, month, day }: CalendarDate): Micros {
		const midnight = Date.UTC(year, month - 1, day);
		// Clocks change at most once in this span, so its ends know every offset in it.
		const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((ms) => this.offsetMs(ms));
		const candidates = offsets
			.map((offset) => midnight - offset)
			.filter((ms) => this.localMs(ms) >= midnight);
		return Math.min(...candidates) * MICROS_PER_MS;
	}

	/** When the hour on the clock began that a time belongs to. */
	startOfHour(time: Micros): Micros {
		const ms = toMs(time);
		const offset = this.offsetMs(ms);
		return (Math.floor((ms + offset) / HOUR_MS) * HOUR_MS - offset) * MICROS_PER_MS;
	}

	/** When the next hour on the clock begins after a time. */
	nextHour(time: Micros): Micros {
		return this.startOfHour(time) + HOUR_MS * MICROS_PER_MS;
	}

	/**
	 * The hour on the clock, two digits; with its offset from UTC where clocks go back and the same
	 * hour comes twice: `02+0200` and `02+0100`.
	 */
	hourLabel(time: Micros): string {
		const ms = toMs(time);
		const local = this.localMs(ms);
		const hour = String(new Date(local).getUTCHours()).padStart(2, '0');
		const offsets = [ms - DAY_MS / 2, ms + DAY_MS / 2].map((other) => this.offsetMs(other));
		const twice = offsets.some((offset) => {
			const other = local - offset;
			return other !== ms && this.localMs(other) === local;
		});
		return twice ? hour + offsetLabel(local - ms) : hour;
	}

	private localMs(ms: number): number {
		return ms + this.offsetMs(ms);
	}

	private offsetMs(ms: number): number {
		return Math.round(this.zone.offset(ms) * MINUTE_MS);
	}
}

/** A date so many days on, or back. */
export function plusDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
	const date = new Date(Date.UTC(year, month - 1, day + days));
	return {
		year: date.getUTCFullYear(),
		month: date.getUTCMonth() + 1,
		day: date.getUTCDate(),
	};
}

/** The first of a month, so many months on, or back. */
export function firstOfMonth({ year, month }: CalendarDate, months: number): CalendarDate {
	return plusDays({ year, month: month + months, day: 1 }, 0);
}

function offsetLabel(ms: number): string {
	const minutes = Math.abs(Math.round(ms / MINUTE_MS));
	const digits =
		`${Math.floor(minutes / 60)}`.padStart(2, '0') + `${minutes % 60}`.padStart(2, '0');
	return `${ms < 0 ? '-' : '+'}${digits}`;
}

function toMs(time: Micros): number {
	return Math.floor(time / MICROS_PER_MS);
}

import { DateTime, IANAZone } from 'luxon';

import { MICROS_PER_MS, type Micros } from './time';

/**
 * Where hours and days begin in a time zone. Each begins exactly once, even where clocks change at
 * midnight, so that neighboring ones always meet. The exception is hours where clocks change by half
 * an hour, as on Lord Howe Island.
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

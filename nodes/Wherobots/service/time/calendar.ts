import { DateTime, IANAZone } from 'luxon';

import { MICROS_PER_MS, type Micros } from './time';

/**
 * Where hours and days begin in a time zone. Each has exactly one beginning, also where clocks are
 * put forward or back at midnight, so that neighbouring ones always meet; but for hours where clocks
 * change by half an hour, as on Lord Howe Island.
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

	/** What the clock shows at a time, to the millisecond. */
	at(time: Micros): DateTime {
		const { zone } = this;
		return DateTime.fromMillis(Math.floor(time / MICROS_PER_MS), { zone, locale: 'en' });
	}

	/**
	 * The day that a time belongs to, as midnight in UTC: where clocks go back over midnight, the later
	 * one. The next day always begins after the time.
	 */
	dayOf(time: Micros): DateTime {
		const { year, month, day } = this.at(time);
		const date = DateTime.utc(year, month, day);
		const next = date.plus({ days: 1 });
		return this.startOfDay(next) <= time ? next : date;
	}

	/**
	 * When a day begins: the first moment at which the clock shows its date, or a later one where the
	 * date is skipped.
	 */
	startOfDay({ year, month, day }: DateTime): Micros {
		const midnight = DateTime.fromObject({ year, month, day }, { zone: this.zone });
		const moments = midnight.getPossibleOffsets().map((moment) => moment.toMillis());
		return Math.min(...moments) * MICROS_PER_MS;
	}

	/** When the hour on the clock began that a time belongs to. */
	startOfHour(time: Micros): Micros {
		const clock = this.at(time);
		const passed = (clock.minute * 60 + clock.second) * 1_000 + clock.millisecond;
		return (clock.toMillis() - passed) * MICROS_PER_MS;
	}

	/**
	 * The hour on the clock, two digits; with its offset from UTC where clocks go back and the same
	 * hour comes twice: `02+0200` and `02+0100`.
	 */
	hourLabel(time: Micros): string {
		const clock = this.at(time);
		return clock.toFormat(clock.getPossibleOffsets().length > 1 ? 'HHZZZ' : 'HH');
	}
}

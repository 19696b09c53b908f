import { DateTime } from 'luxon';

/** Digits of seconds since the epoch, for the years 2001 to 2286. */
const SECONDS_DIGITS = 10;
const UNITS_AS_DIGITS = [0, 3, 6, 9];

/**
 * The time of a log line as ISO 8601 in UTC, with every digit that the service sends. The unit of its
 * timestamps is not documented (interface, "Run logs"): text is read as a date, and the unit of a
 * number since the epoch follows from its length.
 *
 * @returns undefined when the timestamp is neither, such as a line number
 */
export function logTime(timestamp: string | number): string | undefined {
	const text = String(timestamp).trim();
	if (!/^\d+$/.test(text)) {
		const time = isoOf(DateTime.fromISO(text, { zone: 'utc' }));
		return time && text.endsWith('Z') ? text : time;
	}
	const fraction = text.slice(SECONDS_DIGITS);
	if (text.length < SECONDS_DIGITS || !UNITS_AS_DIGITS.includes(fraction.length)) return undefined;
	const seconds = isoOf(
		DateTime.fromSeconds(Number(text.slice(0, SECONDS_DIGITS)), { zone: 'utc' }),
	);
	return fraction ? seconds?.replace('Z', `.${fraction}Z`) : seconds;
}

function isoOf(time: DateTime): string | undefined {
	return time.toISO({ suppressMilliseconds: true }) ?? undefined;
}

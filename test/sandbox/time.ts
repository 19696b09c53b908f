/** Times in the forms that the service uses: input to microseconds, output as it writes them. */

export const DAY_MS = 86_400_000;

const TIMESTAMP =
	/^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?([Zz]|[+-]\d\d:?\d\d)?$/;

/**
 * ISO 8601 to whole microseconds since the epoch; `undefined` for anything else. Digits after the
 * sixth are cut off. A time without an offset is in UTC.
 */
export function toMicros(text: string): number | undefined {
	const match = TIMESTAMP.exec(text);
	if (!match) return undefined;
	const [, date, time, fraction = '', offset = 'Z'] = match;
	const zone = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
	const seconds = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
	if (Number.isNaN(seconds)) return undefined;
	return seconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

function sixDigits(micros: number): string {
	const whole = Math.floor(micros / 1_000_000);
	const rest = micros - whole * 1_000_000;
	const seconds = new Date(whole * 1000).toISOString().slice(0, 19);
	return `${seconds}.${String(rest).padStart(6, '0')}`;
}

/** `2026-01-31T08:15:00.123000Z`: times of records. */
export function recordTime(ms: number): string {
	return `${sixDigits(Math.round(ms * 1000))}Z`;
}

/** `2026-01-31T08:15:00.123456+00:00`: times of audit events. */
export function eventTime(micros: number): string {
	return `${sixDigits(micros)}+00:00`;
}

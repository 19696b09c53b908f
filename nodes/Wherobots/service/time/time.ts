import { DateTime } from 'luxon';

/**
 * Times as whole microseconds since the epoch: audit events carry microseconds, and windows of an
 * archive have to meet exactly. JavaScript dates would cut them to milliseconds.
 */
export type Micros = bigint;

export const MICROS_PER_MS = 1_000n;
export const MICROS_PER_SECOND = 1_000_000n;

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const FRACTION = /^(.*\d{2}:\d{2}:\d{2})[.,](\d+)(.*)$/;

/**
 * Reads a point in time: ISO 8601 text (a space for the T is accepted), a JavaScript Date, a luxon
 * DateTime or milliseconds since the epoch. Text without a zone is in `zone`.
 *
 * @param zone IANA name of the zone for text that names none
 * @returns undefined when the value is none of these
 */
export function parseTime(value: unknown, zone = 'UTC'): Micros | undefined {
	if (typeof value === 'number') return fromMillis(value);
	if (value instanceof Date) return fromMillis(value.getTime());
	if (isDateTime(value)) return fromMillis(value.toMillis());
	if (typeof value !== 'string') return undefined;

	const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T');
	const [, head, fraction = '', tail] = FRACTION.exec(text) ?? [undefined, text, '', ''];
	const time = DateTime.fromISO(`${head}${tail}`, { zone });
	const seconds = fromMillis(time.toMillis());
	return seconds === undefined ? undefined : seconds + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** ISO 8601 in UTC, with microseconds only where there are any: `2026-01-31T09:00:00Z`. */
export function formatTime(time: Micros): string {
	const fraction = ((time % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND;
	const seconds = new Date(Number((time - fraction) / MICROS_PER_MS)).toISOString().slice(0, 19);
	return fraction === 0n ? `${seconds}Z` : `${seconds}.${String(fraction).padStart(6, '0')}Z`;
}

/** Undefined outside the years 1 to 9999, which four digits cannot write. */
function fromMillis(ms: number): Micros | undefined {
	return ms >= FIRST_MS && ms <= LAST_MS ? BigInt(Math.trunc(ms)) * MICROS_PER_MS : undefined;
}

/** By shape: n8n's expressions bring a luxon of their own. */
function isDateTime(value: unknown): value is { toMillis(): number } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	);
}

const SERVICE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A time in a record of the service, in microseconds as a number, which holds them exactly for two
 * centuries. Much faster than `parseTime` for the notation that the service uses, since a list can
 * have tens of thousands of them; others are read by it.
 */
export function parseServiceTime(value: unknown): number | undefined {
	const [, head, fraction = '', zone] =
		typeof value === 'string' ? (SERVICE_TIME.exec(value) ?? []) : [];
	const millis = head === undefined ? NaN : Date.parse(`${head}${zone}`);
	// JavaScript takes the 30th of February for the 1st or 2nd of March.
	if (Number.isFinite(millis) && isDay(head as string))
		return millis * 1000 + Number(fraction.padEnd(6, '0'));
	const time = parseTime(value);
	return time === undefined ? undefined : Number(time);
}

function isDay(text: string): boolean {
	const day = text.slice(0, 10);
	return Number(day.slice(8)) <= 28 || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

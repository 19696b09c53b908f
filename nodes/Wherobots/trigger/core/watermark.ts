import type { Micros } from '../../service/time/time';

export const SECOND: Micros = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Between a run's creation and its appearance in lists. The service names no bound; its documented lag of statuses is two minutes. */
export const RUN_OVERLAP: Micros = 5 * MINUTE;

/** How exactly the service's clock is known: its responses carry whole seconds. */
export const CLOCK_PRECISION: Micros = 2 * SECOND;

/**
 * The time before which everything counts as known: so long before the newest record that the
 * service has shown as records may appear out of order. Only what was shown moves it, so a log that
 * stands still, lags or is replayed holds it where it is. Whole seconds, since a service may store
 * and compare those. It does not go back.
 *
 * @param shown the newest time that the service had shown when it was asked for all before it;
 *   records from the future count as of the time at which they were shown first
 */
export function nextWatermark(
	watermark: Micros,
	shown: Micros | undefined,
	overlap: Micros,
): Micros {
	if (shown === undefined) return watermark;
	return Math.max(watermark, wholeSecond(shown - overlap));
}

/**
 * The time that a list is asked for. One second before the watermark, so that no reading of "after"
 * and no rounding to seconds on the service's side leaves out a record.
 */
export function listedFrom(watermark: Micros): Micros {
	return wholeSecond(watermark) - SECOND;
}

export function wholeSecond(time: Micros): Micros {
	return Math.floor(time / SECOND) * SECOND;
}

/**
 * Whether a time lies in the future. Such a time says nothing about what the service has shown of
 * the time until then, so the record counts as shown as of now instead.
 */
export function isFuture(time: Micros, now: Micros): boolean {
	return time > now + CLOCK_PRECISION;
}

/** In place of the time at which a record counts as shown: it has no time, and so says nothing of any. */
export const NEVER_SHOWN: Micros = -1;

/**
 * When a record counts as shown: at its own time, or first shown if that is in the future.
 *
 * @returns undefined for a record without a time
 */
export function shownTime(time: Micros, shownAt = time): Micros | undefined {
	return shownAt === NEVER_SHOWN ? undefined : shownAt;
}

/**
 * From when on records are new, whatever page of a first poll shows them. Those of the same second
 * are: services may keep whole seconds, and their clock tells no more. But what the beginning poll
 * reads within that second was there before.
 *
 * @param began undefined until the first response, whose records were all there before
 * @param now the service's time; undefined when an earlier poll has begun
 */
export function newSince(began: Micros | undefined, now: Micros | undefined): Micros {
	if (began === undefined) return Infinity;
	const second = wholeSecond(began);
	return now !== undefined && wholeSecond(now) <= second ? Infinity : second;
}

/** The longest time between two readings of everything since the watermark while nothing new appears. */
const LONGEST_REST = HOUR;

/**
 * Whether it is enough this time to ask for what is newer than the newest record. What is newer costs
 * one request; records that appear out of order after a standstill are looked for when the
 * standstill has lasted twice as long as at the last full reading, and once an hour.
 *
 * @param checkedAt when a full reading of several pages has last found nothing new
 */
export function isResting(
	checkedAt: Micros | undefined,
	newest: Micros | undefined,
	now: Micros,
): boolean {
	if (checkedAt === undefined || newest === undefined || now < checkedAt) return false;
	return now < checkedAt + Math.min(Math.max(checkedAt - newest, 0), LONGEST_REST);
}

/**
 * Whether that has to be asked, by a time that may be n8n's because no response has told the service's
 * yet: also when it contradicts the last full reading.
 */
export function mayRest(checkedAt: Micros, newest: Micros, now: Micros): boolean {
	const isOff = now < checkedAt || now > checkedAt + LONGEST_REST;
	return isOff || isResting(checkedAt, newest, now);
}

/** The later of two times of which either may be missing. */
export function later(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

/** The earlier of two times of which either may be missing. */
export function earlier(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

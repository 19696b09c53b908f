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
 * @param newest the newest time that the service had shown when it was asked for all before it
 */
export function nextWatermark(
	watermark: Micros,
	newest: Micros | undefined,
	overlap: Micros,
): Micros {
	return newest === undefined ? watermark : Math.max(watermark, wholeSecond(newest - overlap));
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
 * When a record counts as shown: at its time. A time in the future says nothing about what the service
 * has shown of the time until then, so such a record counts as of now.
 */
export function shownTime(time: Micros, now: Micros): Micros {
	return time > now + CLOCK_PRECISION ? now : time;
}

/** The longest time between two readings of everything since the watermark while nothing new appears. */
const LONGEST_REST = HOUR;

/**
 * Until when, by n8n's clock, it is enough to ask for what is newer than the newest record: that costs
 * one request. Records that appear out of order after a standstill are looked for when the standstill
 * has lasted twice as long as now, and once an hour.
 */
export function restUntil(newest: Micros, now: Micros, localNow: Micros): Micros {
	return localNow + Math.min(Math.max(now - newest, 0), LONGEST_REST);
}

/** Whether that time has not come; a clock that was set back does not prolong it. */
export function isResting(until: Micros | undefined, localNow: Micros): boolean {
	return until !== undefined && localNow < until && until <= localNow + LONGEST_REST;
}

/** How many polls in a row found a list odd, and since when by n8n's clock. */
export type OddPolls = [times: number, since: Micros];

/**
 * Replicas that are behind, and lists that shift, are odd for a while. A service that is odd for so
 * many polls, over so long, is made that way: its total counts something else. Its lists are taken as
 * they are until one is not odd.
 */
const MAX_ODD_POLLS = 10;
const MAX_ODD_SPAN = 10 * MINUTE;

/** Whether lists are taken as they are. */
export function isTrusting(odd: OddPolls | undefined, now: Micros): boolean {
	return odd !== undefined && odd[0] >= MAX_ODD_POLLS && now - odd[1] >= MAX_ODD_SPAN;
}

/** @param isOdd undefined when no list was read to its end */
export function oddPollsAfter(
	odd: OddPolls | undefined,
	isOdd: boolean | undefined,
	now: Micros,
): OddPolls | undefined {
	if (isOdd === undefined) return odd;
	if (!isOdd) return undefined;
	return odd ? [odd[0] + 1, Math.min(odd[1], now)] : [1, now];
}

/** The later of two times of which either may be missing. */
export function later(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

/** The earlier of two times of which either may be missing. */
export function earlier(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

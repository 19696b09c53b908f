import { setTimeout as sleep } from 'node:timers/promises';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The start of an hour of the clock in UTC, so many hours ago. */
export function hoursAgo(hours: number): number {
	return Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS;
}

/** The start of a day in UTC, so many days ago. */
export function daysAgo(days: number): number {
	return Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
}

/** The day before in UTC, as `2026-01-31`. */
export const yesterday = () => new Date(daysAgo(1)).toISOString().slice(0, 10);

/** A time as mails have it, as `31 Jan 2026 08:00 UTC`, in the source of a pattern. */
export const READABLE_TIME = String.raw`\d{1,2} [A-Z][a-z]{2} 20\d\d \d\d:\d\d [A-Z]\S*`;

/** The line of a mail that leads to the execution which sent it, in the source of a pattern. */
export const EXECUTION_LINK = String.raw`Execution in n8n: http://127\.0\.0\.1:\d+/workflow/\w+/executions/\d+`;

/**
 * Waits for the next hour or day in UTC when this one ends too soon: n8n's own clock says which hour
 * was the last one and which day was yesterday, and a test expects the same from begin to end.
 *
 * @param unitMs an hour or a day
 * @param neededMs what the test takes at most
 */
export async function untilThereIsTime(unitMs: number, neededMs: number): Promise<void> {
	const left = unitMs - (Date.now() % unitMs);
	if (left < neededMs) await sleep(left + 1_000);
}

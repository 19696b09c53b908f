import type { Micros } from '../../service/time/time';
import { DAY, MINUTE } from './watermark';

/** What is held against the lists of a service. Times are those of n8n's clock. */
export interface Mistrust {
	/** How many polls in a row found fewer records than a total says, or records that came twice. */
	times: number;
	/** Since when. */
	since: Micros;
	/** Until then lists are taken as they are. */
	until?: Micros;
}

/**
 * Replicas that are behind, and lists that shift, show such signs for a while. A service that shows
 * them for so many polls, over so long, is made that way: its total counts everything there is, or its
 * cursors include the last record of the page before. Its lists are taken as they are for a day.
 */
const MOST_TIMES = 10;
const LONGEST = 10 * MINUTE;

/** Whether lists are taken as they are. */
export function isMistrustOver(mistrust: Mistrust | undefined, now: Micros): boolean {
	return mistrust?.until !== undefined && now < mistrust.until && now >= mistrust.until - DAY;
}

/** @param isOdd whether a list of this poll was odd; undefined when none was read to its end */
export function mistrustAfter(
	mistrust: Mistrust | undefined,
	isOdd: boolean | undefined,
	now: Micros,
): Mistrust | undefined {
	if (isOdd === undefined || isMistrustOver(mistrust, now)) return mistrust;
	if (!isOdd) return undefined;
	const isGoingOn = mistrust !== undefined && mistrust.until === undefined;
	const times = isGoingOn ? mistrust.times + 1 : 1;
	const since = isGoingOn ? Math.min(mistrust.since, now) : now;
	const isEnough = times >= MOST_TIMES && now - since >= LONGEST;
	return isEnough ? { times, since, until: now + DAY } : { times, since };
}

/** A page whose total is not told. */
export function withoutTotal<P extends { total?: number }>(page: P): P {
	return { ...page, total: undefined };
}

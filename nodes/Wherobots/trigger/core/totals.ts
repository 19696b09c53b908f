import type { Micros } from '../../service/time/time';
import { DAY, MINUTE } from './watermark';

/** What is held against the totals of lists. Times are those of n8n's clock. */
export interface TotalDoubts {
	/** How many polls in a row found fewer records than a total says. */
	times: number;
	/** Since when. */
	since: Micros;
	/** Until then totals count for nothing. */
	until?: Micros;
}

/**
 * The interface does not say what a total counts: it may be everything there is, or an estimate. One
 * that says for so many polls, over so long, that records are missing counts for nothing for a day:
 * replicas that are behind catch up sooner.
 */
const MOST_TIMES = 10;
const LONGEST = 10 * MINUTE;

/** Whether totals count for nothing. */
export function isTotalIgnored(doubts: TotalDoubts | undefined, now: Micros): boolean {
	return doubts?.until !== undefined && now < doubts.until && now >= doubts.until - DAY;
}

/**
 * The doubts after a poll.
 *
 * @param isShort whether a list had fewer records than its total said; undefined when none was read to its end
 */
export function doubtsAfter(
	doubts: TotalDoubts | undefined,
	isShort: boolean | undefined,
	now: Micros,
): TotalDoubts | undefined {
	if (isShort === undefined || isTotalIgnored(doubts, now)) return doubts;
	if (!isShort) return undefined;
	const isGoingOn = doubts !== undefined && doubts.until === undefined;
	const times = isGoingOn ? doubts.times + 1 : 1;
	const since = isGoingOn ? Math.min(doubts.since, now) : now;
	const isEnough = times >= MOST_TIMES && now - since >= LONGEST;
	return isEnough ? { times, since, until: now + DAY } : { times, since };
}

/** A page whose total is not told. */
export function withoutTotal<P extends { total?: number }>(page: P): P {
	return { ...page, total: undefined };
}

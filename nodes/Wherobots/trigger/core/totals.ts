import type { Micros } from '../../service/time/time';
import { DAY, MINUTE } from './watermark';

/** How many polls in a row found fewer records than a total says, and since when. */
export type TotalDoubts = [times: number, since: Micros];

/**
 * The interface does not say what a total counts: it may be everything there is, or an estimate. A
 * total that says for so many polls, over so long, that records are missing counts for nothing then;
 * replicas agree sooner.
 */
const MOST_TIMES = 3;
const LONGEST = 10 * MINUTE;

/** Whether totals count for nothing. After a day they get another chance. */
export function isTotalIgnored(doubts: TotalDoubts | undefined, now: Micros): boolean {
	if (!doubts) return false;
	const [times, since] = doubts;
	return times > MOST_TIMES && now - since > LONGEST && now - since < DAY;
}

/**
 * The doubts after a poll.
 *
 * @param isShort whether a list had fewer records than its total said; undefined when none was read to its end
 * @param now n8n's clock
 */
export function doubtsAfter(
	doubts: TotalDoubts | undefined,
	isShort: boolean | undefined,
	now: Micros,
): TotalDoubts | undefined {
	if (isShort === undefined || isTotalIgnored(doubts, now)) return doubts;
	if (!isShort) return undefined;
	const [times, since] = doubts && Math.abs(now - doubts[1]) < DAY ? doubts : [0, now];
	return [times + 1, Math.min(since, now)];
}

/** A page whose total is not told. */
export function withoutTotal<P extends { total?: number }>(page: P): P {
	return { ...page, total: undefined };
}

import type { Micros } from '../../service/time/time';
import { MINUTE } from './watermark';

/** How many polls in a row found a list odd, and since when by n8n's clock. */
export type OddPolls = [times: number, since: Micros];

/**
 * Replicas that are behind, and lists that shift, are odd for a while. A service that is odd for so
 * many polls, over so long, is made that way: its total counts something else. Its lists are taken as
 * they are until one is not odd.
 */
const MAX_TIMES = 10;
const MAX_SPAN = 10 * MINUTE;

/** Whether lists are taken as they are. */
export function isTrusting(odd: OddPolls | undefined, now: Micros): boolean {
	return odd !== undefined && odd[0] >= MAX_TIMES && now - odd[1] >= MAX_SPAN;
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

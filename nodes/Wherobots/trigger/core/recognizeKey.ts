import type { Micros } from '../../service/time/time';
import { askedAt, presentTime, type Source } from './source';
import type { Doubt, TriggerState } from './state';
import { MINUTE } from './watermark';

/** A key counts as another organization's when this many polls in a row find nothing, over at least this long. */
const MAX_TIMES = 3;
const MIN_SPAN = 2 * MINUTE;

/** How many remembered records are looked for. */
export const WITNESSES = 3;

/** The share of a poll's time after which no more requests are sent, because one that is cut short fails. */
export const SHARE_OF_QUESTIONS = 0.5;

/**
 * A poll with a new key: the state with the remaining doubt, or a new state for another organization.
 *
 * @param ask whether the service has a record that is remembered
 * @param begin makes a state for which everything since a time is new
 */
export async function recognize<S extends TriggerState>(
	state: S,
	{ credential, asked, since = Infinity }: Doubt,
	source: Source,
	ask: () => Promise<boolean>,
	begin: (since: Micros) => S,
): Promise<{ state: S; notes: string[] }> {
	const [isKnown, askedNow] = await askedAt(source, ask);
	if (isKnown) return { state: { ...state, doubt: undefined }, notes: [] };
	const doubt = { credential, asked: asked + 1, since: Math.min(since, askedNow) };
	const isOver = doubt.asked >= MAX_TIMES && presentTime(source) - doubt.since >= MIN_SPAN;
	if (!isOver) return { state: { ...state, doubt }, notes: [] };
	const note = 'The credential now belongs to another organization; starting over from now.';
	return { state: begin(doubt.since), notes: [note] };
}

import type { Micros } from '../../service/time/time';
import { presentTime, type Source } from './source';
import type { Doubt } from './state';
import { MINUTE } from './watermark';

/** A key counts as another organization's when so many polls in a row find nothing, over so long. */
const MAX_TIMES = 3;
const MIN_SPAN = 2 * MINUTE;

/** Remembered records that are looked for. */
export const WITNESSES = 3;

/** The share of a poll's time after which nothing more is asked: a request that is cut short fails. */
export const SHARE_OF_QUESTIONS = 0.5;

/** For n8n's log. */
export const OTHER_ORGANIZATION =
	'The credential now belongs to another organization; starting over from now.';

/** What is known about a new key, and since when it is in use: `doubt` is what the state keeps, undefined when the key is the same organization's. */
export type Recognition =
	| { kind: 'open'; doubt: Doubt | undefined }
	| { kind: 'other'; since?: Micros };

/** Whether the service has a record that is remembered; `unclear`: there were too many to read. */
export type Answer = 'known' | 'unknown' | 'unclear' | 'nothingRemembered';

/**
 * What a poll with a new key has found out. Another organization hardly has more records in the same
 * seconds than half a poll can read, so what stays unclear counts as known; not what was clear before.
 *
 * @param ask looks for what is remembered
 */
export async function recognize(
	{ credential, asked, unclear = 0, since }: Doubt,
	source: Source,
	ask: () => Promise<Answer>,
): Promise<Recognition> {
	const startedAt = source.localNow();
	const answer = await ask();
	if (answer === 'known') return { kind: 'open', doubt: undefined };
	if (answer === 'nothingRemembered') return { kind: 'other' };
	const now = presentTime(source);
	// What has happened since the first question is news.
	const first = Math.min(since ?? Infinity, now - (source.localNow() - startedAt));
	const doubt =
		answer === 'unclear'
			? { credential, asked, unclear: unclear + 1, since: first }
			: { credential, asked: asked + 1, unclear, since: first };
	const isOver = Math.max(doubt.asked, doubt.unclear) >= MAX_TIMES && now - first >= MIN_SPAN;
	if (!isOver) return { kind: 'open', doubt };
	return doubt.unclear > doubt.asked
		? { kind: 'open', doubt: undefined }
		: { kind: 'other', since: first };
}

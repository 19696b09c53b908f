import type { Micros } from '../../service/time/time';
import { askedAt, presentTime, type Source } from './source';
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

/**
 * What a poll with a new key has found out: the doubt that is left, undefined when the key is the same
 * organization's, or since when another organization's is in use.
 */
export type Recognition =
	| { kind: 'open'; doubt: Doubt | undefined }
	| { kind: 'other'; since: Micros };

/** @param ask whether the service has a record that is remembered; undefined when none is */
export async function recognize(
	{ credential, asked, since = Infinity }: Doubt,
	source: Source,
	ask: () => Promise<boolean | undefined>,
): Promise<Recognition> {
	const [isKnown, askedNow] = await askedAt(source, ask);
	if (isKnown) return { kind: 'open', doubt: undefined };
	// What has happened since the first question is news.
	const doubt = { credential, asked: asked + 1, since: Math.min(since, askedNow) };
	const isOver = doubt.asked >= MAX_TIMES && presentTime(source) - doubt.since >= MIN_SPAN;
	if (isKnown === undefined || isOver) return { kind: 'other', since: doubt.since };
	return { kind: 'open', doubt };
}

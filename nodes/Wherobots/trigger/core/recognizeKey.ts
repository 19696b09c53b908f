import type { Micros } from '../../service/time/time';
import { SeenEvents } from './audit/seenEvents';
import { presentTime } from './presentTime';
import { TrackedRuns } from './runs/trackedRuns';
import type { AuditSource, Budget, RunSource, Source } from './source';
import type { AuditState, Doubt, RunState } from './state';
import { listedFrom, MINUTE, SECOND } from './watermark';

/** A key counts as another organization's when so many polls in a row find nothing, over so long. */
const MAX_TIMES = 3;
const MIN_SPAN = 2 * MINUTE;

/** Remembered records that are looked for. */
const WITNESSES = 3;

/** The share of a poll's time after which nothing more is asked: a request that is cut short fails. */
const SHARE = 0.5;

const OTHER = 'The credential now belongs to another organization; starting over from now.';

/** What is known about a new key, and since when it is in use: `doubt` is what the state keeps, undefined when the key is the same organization's. */
export type Recognition =
	| { kind: 'open'; doubt: Doubt | undefined }
	| { kind: 'other'; since?: Micros; note: string };

/** Whether the service has a record that is remembered; `unclear`: there were too many to read. */
export type Answer = 'known' | 'unknown' | 'unclear' | 'nothingRemembered';

/**
 * What a poll with a new key has found out. Another organization hardly has more records in the same
 * seconds than half a poll can read, so what stays unclear counts as known.
 *
 * @param ask looks for what is remembered
 */
export async function recognize(
	{ credential, asked, since }: Doubt,
	source: Source,
	ask: () => Promise<Answer>,
): Promise<Recognition> {
	const startedAt = source.localNow();
	const answer = await ask();
	if (answer === 'known') return { kind: 'open', doubt: undefined };
	if (answer === 'nothingRemembered') return { kind: 'other', note: OTHER };
	const now = presentTime(source);
	// What has happened since the first question is news.
	const first = Math.min(since ?? Infinity, now - (source.localNow() - startedAt));
	const isOver = asked + 1 >= MAX_TIMES && now - first >= MIN_SPAN;
	if (!isOver) return { kind: 'open', doubt: { credential, asked: asked + 1, since: first } };
	return answer === 'unclear'
		? { kind: 'open', doubt: undefined }
		: { kind: 'other', since: first, note: OTHER };
}

/** Whether the log has one of the newest events that are remembered. */
export async function isKnownLog(
	state: AuditState,
	source: AuditSource,
	budget: Budget,
): Promise<Answer> {
	const seen = new SeenEvents(state.seen);
	if (seen.size === 0) return 'nothingRemembered';
	let answer: Answer = 'unclear';
	// The first once more: one wrong response decides nothing.
	const times = seen.quietTimes(WITNESSES);
	for (const time of [...times, times[0]]) {
		const range = { start: listedFrom(time), end: time + SECOND };
		let cursor: string | undefined;
		do {
			const { items, next } = await source.events(range, cursor);
			if (items.some((event) => seen.has(event))) return 'known';
			cursor = next;
		} while (cursor !== undefined && !budget.spent(SHARE));
		if (cursor === undefined) answer = 'unknown';
		if (budget.spent(SHARE)) break;
	}
	return answer;
}

/** Whether the service has one of the newest runs that are remembered. */
export async function isKnownService<R>(
	state: RunState,
	source: RunSource<R>,
	budget: Budget,
): Promise<Answer> {
	const ids = new TrackedRuns(source.kind, state.runs).newestIds(WITNESSES);
	if (ids.length === 0) return 'nothingRemembered';
	for (const id of ids) {
		if ((await source.run(id)) !== undefined) return 'known';
		if (budget.spent(SHARE)) break;
	}
	return 'unknown';
}

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

/**
 * What a poll with a new key has found out.
 *
 * @param ask whether the service knows anything that is remembered; undefined when there is nothing
 */
export async function recognize(
	{ credential, asked, since }: Doubt,
	source: Source,
	ask: () => Promise<boolean | undefined>,
): Promise<Recognition> {
	const startedAt = source.localNow();
	const isKnown = await ask();
	if (isKnown) return { kind: 'open', doubt: undefined };
	const now = presentTime(source);
	// What has happened since the first question is news.
	const first = Math.min(since ?? Infinity, now - (source.localNow() - startedAt));
	if (isKnown === undefined) return { kind: 'other', note: OTHER };
	const isOver = asked + 1 >= MAX_TIMES && now - first >= MIN_SPAN;
	if (isOver) return { kind: 'other', since: first, note: OTHER };
	return { kind: 'open', doubt: { credential, asked: asked + 1, since: first } };
}

/** Whether the log has one of the newest events that are remembered. */
export async function isKnownLog(
	state: AuditState,
	source: AuditSource,
	budget: Budget,
): Promise<boolean | undefined> {
	const seen = new SeenEvents(state.seen);
	if (seen.size === 0) return undefined;
	const isThere = async (time: Micros) => {
		const range = { start: listedFrom(time), end: listedFrom(time) + 3 * SECOND };
		let cursor: string | undefined;
		do {
			const { items, next } = await source.events(range, cursor);
			if (items.some((event) => seen.has(event))) return true;
			cursor = next;
		} while (cursor !== undefined && !budget.spent(SHARE));
		return false;
	};
	// The newest once more: one wrong response decides nothing.
	const times = seen.newestTimes(WITNESSES);
	for (const time of [...times, times[0]]) {
		if (await isThere(time)) return true;
		if (budget.spent(SHARE)) return false;
	}
	return false;
}

/** Whether the service has one of the newest runs that are remembered. */
export async function isKnownService(
	state: RunState,
	source: RunSource,
	budget: Budget,
): Promise<boolean | undefined> {
	const ids = new TrackedRuns(state.runs).newestIds(WITNESSES);
	if (ids.length === 0) return undefined;
	for (const id of ids) {
		if ((await source.run(id)) !== undefined) return true;
		if (budget.spent(SHARE)) return false;
	}
	return false;
}

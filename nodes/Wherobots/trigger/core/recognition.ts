import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../service/time/time';
import type { Run } from '../../service/types';
import { toResult } from '../../transport/toResult';
import { eventIdOf } from './audit/auditEvents';
import { bestTime, isTimeSure } from './presentTime';
import { readPages, type PagedRead, type Resume } from './readPages';
import { SeenEvents } from './audit/seenEvents';
import {
	FIRST_POLL_SHARE,
	shareOf,
	type AuditSource,
	type Budget,
	type RunSource,
	type Source,
} from './source';
import type { AuditState, Doubt, RunState } from './state';
import { isUsable, TrackedRuns } from './runs/trackedRuns';
import { listedFrom, MINUTE, SECOND } from './watermark';

/** How many polls at least ask each question: a service may be wrong for a while. */
const ROUNDS = 2;

/** Between the first no and the last one. A replica may be behind and not know the newest records yet. */
const SHORTEST_DOUBT = 2 * MINUTE;

/** Remembered records that are looked for. */
const WITNESSES = 3;

/** Whether the service knows what a trigger remembers. */
export type Recognition =
	| { kind: 'same' }
	/** `began`: when the service was first asked, if its time is sure and that is a while ago. */
	| { kind: 'other'; began?: Micros }
	/** It takes more time than this poll has; the next one asks on. */
	| { kind: 'open'; doubt: Doubt };

/**
 * Whether the log still has one of the events that are remembered. Without any there is nothing to
 * go on from.
 */
export async function recognizeLog(
	state: AuditState,
	doubt: Doubt,
	source: AuditSource,
	budget: Budget,
): Promise<Recognition> {
	const seen = new SeenEvents(state.seen);
	const isThere = async (time: Micros, resume?: Resume) => {
		const range = { start: listedFrom(time), end: listedFrom(time) + 3 * SECOND };
		return await isListed<IDataObject>({
			source,
			budget: shareOf(budget, FIRST_POLL_SHARE),
			readPage: async (cursor) => await source.events(range, cursor),
			keyOf: eventIdOf,
			isKnown: (event) => seen.has(event),
			resume,
		});
	};
	const times = [...new Set(seen.newestTimes(WITNESSES))];
	// The first one again: a single wrong response in each poll decides nothing.
	const questions = [...times, ...times.slice(0, 1)].map(
		(time) => async (resume?: Resume) => await isThere(time, resume),
	);
	return await recognize(questions, doubt, source, budget);
}

/**
 * Whether the service still knows one of the runs that are remembered: by a list, then one by one,
 * since either may be wrong for once. Without any there is nothing to go on from.
 */
export async function recognizeService(
	state: RunState,
	doubt: Doubt,
	source: RunSource,
	budget: Budget,
): Promise<Recognition> {
	const runs = new TrackedRuns(state.runs);
	const { newest } = runs;
	const list = async (resume?: Resume) =>
		await isListed<Run>({
			source,
			budget: shareOf(budget, FIRST_POLL_SHARE),
			readPage: async (cursor) =>
				await source.runs({ createdFrom: listedFrom(newest ?? 0) }, cursor),
			keyOf: (run) => String(run?.id),
			isKnown: (run) => isUsable(run) && runs.get(run.id) !== undefined,
			resume,
		});
	const single = runs
		.newestIds(WITNESSES)
		.map((id) => async () => (await source.run(id)) !== undefined);
	const questions = newest === undefined ? single : [list, ...single];
	return await recognize(questions, doubt, source, budget);
}

/**
 * Whether a list has a record that is known.
 *
 * @returns where the list goes on when there was no time to read all of it
 */
async function isListed<T>({
	isKnown,
	resume,
	...plan
}: Omit<PagedRead<T>, 'take'> & { isKnown(record: T): boolean }): Promise<boolean | Resume> {
	let hasOne = false;
	const read = async (from?: Resume) =>
		await readPages<T>({
			...plan,
			take: (records) => {
				hasOne ||= records.some(isKnown);
				return {};
			},
			isFull: () => hasOne,
			resume: from,
		});
	const first = await read(resume);
	if (first.kind === 'truncated' && !hasOne) return first.resume;
	// Where cursors do not last, what one poll can read has to do.
	if (first.kind === 'restart') await read();
	return hasOne;
}

/** Whether a record is there; where its list goes on when there was no time to read all of it. */
type Question = (resume?: Resume) => Promise<boolean | Resume>;

/**
 * Asks one question after the other until one is answered with yes, once in each of several polls that
 * are some time apart, or over more polls if need be.
 *
 * @throws what the questions throw, unless it was the time that was too short for a further one
 */
async function recognize(
	questions: readonly Question[],
	doubt: Doubt,
	source: Source,
	budget: Budget,
): Promise<Recognition> {
	if (questions.length === 0) return { kind: 'other' };
	let { asked, since, began, resume } = doubt;
	const open = () => ({ kind: 'open' as const, doubt: { ...doubt, asked, since, began, resume } });
	for (let made = 0; asked < ROUNDS * questions.length; made++) {
		const isRoundOver = asked % questions.length === 0;
		const isLate = made > 0 && (isRoundOver || budget.spent(FIRST_POLL_SHARE));
		const answer = isLate ? undefined : await toResult(questions[asked % questions.length](resume));
		if (!answer || (!answer.ok && made > 0 && budget.spent(FIRST_POLL_SHARE))) {
			return open();
		}
		if (!answer.ok) throw answer.error;
		if (answer.value === true) return { kind: 'same' };
		resume = answer.value === false ? undefined : answer.value;
		if (!resume) asked += 1;
		if (isTimeSure(source)) began ??= source.now();
		since = Math.min(since ?? Infinity, bestTime(source));
	}
	if (since !== undefined && bestTime(source) < since + SHORTEST_DOUBT) {
		asked -= questions.length;
		return open();
	}
	return { kind: 'other', began };
}

/**
 * What a poll does that did not know whose its credential is, when it does not simply go on.
 *
 * @param first begins a first poll without a request, reads one, and tells whether its state has
 *   records that are remembered
 */
export async function afterRecognition<S extends { doubt?: Doubt }>(
	found: Recognition,
	state: S,
	budget: Budget,
	first: { begun(began?: Micros): S; read(previous?: S): Promise<S>; knows(next: S): boolean },
): Promise<{ state: S; notes: string[] } | undefined> {
	if (found.kind === 'open') return { state: { ...state, doubt: found.doubt }, notes: [] };
	const isLate = budget.spent(FIRST_POLL_SHARE / 2);
	const goesOn = { state: { ...state, doubt: undefined }, notes: [] };
	if (found.kind === 'same') return isLate ? goesOn : undefined;
	const begun = first.begun(found.began);
	const previous = found.began === undefined ? undefined : begun;
	const next = isLate ? begun : await first.read(previous);
	// The questions went to a replica that is behind, or were answered wrongly.
	if (first.knows(next)) return goesOn;
	return {
		state: next,
		notes: ['The credential now belongs to another organization; starting over from now.'],
	};
}

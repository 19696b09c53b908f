import { pathValueProblem } from '../../../service/endpoints';
import type { Micros } from '../../../service/time/time';
import { isWholeText } from '../eventIds';
import type { RunFacts, RunKind } from '../source';
import type { RunNotes, TrackedRun } from '../state';
import {
	isFuture,
	later,
	NEVER_SHOWN,
	RUN_OVERLAP,
	SECOND,
	shownTime,
	wholeSecond,
} from '../watermark';

/** A status that a run was not seen in before. */
export interface RunChange<R> {
	run: R;
	/** Null for a run that was not seen before. */
	previousStatus: string | null;
}

interface Tracked {
	created: Micros;
	statuses: string[];
	notes: RunNotes;
}

/** A hostile service could invent statuses for ever. */
const MAX_STATUSES = 16;

/** As many ended runs are remembered for the lists that still have them. */
export const MAX_ENDED = 10_000;

/** A list may be so much behind, and show an ended run as an active one. */
const LAG_OF_LISTS = 2 * RUN_OVERLAP;

/** The runs that a trigger follows, and those it remembers because lists may still show them. */
export class TrackedRuns<R> {
	private readonly runs: Map<string, Tracked>;

	private newestShown: Micros | undefined;

	/** @param since the newest run of the first poll: runs that are older by the overlap do not fire */
	constructor(
		private readonly kind: RunKind<R>,
		entries: readonly TrackedRun[] = [],
		private readonly since = -Infinity,
	) {
		this.runs = new Map(
			entries.map(([id, created, statuses, notes]) => [
				id,
				{ created, statuses: [...statuses], notes: { ...notes } },
			]),
		);
		for (const run of this.runs.values()) this.noteShown(run);
	}

	/** Runs whose status may still change. */
	active(): string[] {
		const ids: string[] = [];
		for (const [id, run] of this.runs) if (!this.isOver(run)) ids.push(id);
		return ids;
	}

	get(id: string): Tracked | undefined {
		return this.runs.get(id);
	}

	/** When the newest run that the service has shown was created. */
	get newest(): Micros | undefined {
		return this.newestShown;
	}

	/** The ids of the newest runs. */
	newestIds(count: number): string[] {
		return [...this.runs]
			.sort(([, a], [, b]) => b.created - a.created)
			.slice(0, count)
			.map(([id]) => id);
	}

	/** When a run counts as shown: when it was created, or shown first if that is in the future. */
	shown(id: string): Micros | undefined {
		const run = this.runs.get(id);
		return run && shownTime(run.created, run.notes.shownAt);
	}

	/**
	 * Takes a run as the service shows it now.
	 *
	 * @param now the service's time; also that of a run without a creation time
	 * @returns the change, when there is one
	 */
	observe(run: R, now: Micros): RunChange<R> | undefined {
		const { id, status, created } = this.kind.read(run);
		const known = this.runs.get(id);
		if (!known) {
			const isNews = this.add(id, status, created, now);
			return isNews ? { run, previousStatus: null } : undefined;
		}
		delete known.notes.missing;
		if (!this.isChange(known.statuses, status)) return undefined;
		const previousStatus = known.statuses.at(-1) ?? null;
		if (this.isTerminal(status)) {
			// What a run was before it ended is of no more use.
			known.statuses = known.statuses.filter(this.isTerminal);
			known.notes.endedAt ??= now;
		}
		known.statuses.push(status);
		return { run, previousStatus };
	}

	/** Whether it is news. */
	private add(id: string, status: string, time: Micros | undefined, now: Micros): boolean {
		const created = time ?? now;
		const tracked: Tracked = { created, statuses: [status], notes: {} };
		if (time === undefined) tracked.notes.shownAt = NEVER_SHOWN;
		else if (isFuture(time, now)) tracked.notes.shownAt = now;
		if (this.isTerminal(status)) tracked.notes.endedAt = now;
		this.runs.set(id, tracked);
		this.noteShown(tracked);
		return created > this.since - RUN_OVERLAP;
	}

	/** Notes that a run was not found: how often in a row, and since when. */
	noteMissing(id: string, now: Micros): [times: number, since: Micros] {
		const notes = this.runs.get(id)?.notes ?? {};
		const [times, since] = notes.missing ?? [0, now];
		return (notes.missing = [times + 1, Math.min(since, now)]);
	}

	/** Notes that a run was reported to last too long in a status; false when it was before. */
	noteExceeded(id: string, status: string): boolean {
		const notes = this.runs.get(id)?.notes;
		if (notes?.exceeded?.includes(status)) return false;
		if (notes) notes.exceeded = [...(notes.exceeded ?? []), status];
		return true;
	}

	/** Takes a run as one that had not ended yet: that it has is news then. */
	forgetEnd(id: string): void {
		const run = this.runs.get(id);
		if (!run || !this.isOver(run)) return;
		run.statuses = [];
		delete run.notes.endedAt;
	}

	/** No longer follows a run. It is remembered as ended for as long as a list may show it. */
	drop(id: string, now: Micros): void {
		const run = this.runs.get(id);
		if (!run) return;
		const { shownAt } = run.notes;
		run.statuses = [...this.kind.terminal];
		run.notes = shownAt === undefined ? { endedAt: now } : { shownAt, endedAt: now };
	}

	/** Puts a run at the end of the queue of those that are read one by one. */
	moveToEnd(id: string): void {
		const run = this.runs.get(id);
		if (!run) return;
		this.runs.delete(id);
		this.runs.set(id, run);
	}

	/** The watermark that leaves no more ended runs after it than can be remembered; undefined when none has to go. */
	bound(): Micros | undefined {
		const times = [...this.runs.values()]
			.filter((run) => this.isOver(run))
			.map(({ created }) => created)
			.sort((a, b) => a - b);
		if (times.length <= MAX_ENDED) return undefined;
		return wholeSecond(times[times.length - MAX_ENDED / 2]) + 2 * SECOND;
	}

	/**
	 * The entries to keep: all that are followed, the ended ones that a list from `listedFrom` on still
	 * shows, and those that a list that is behind may show as active.
	 *
	 * @param now undefined before the first response: n8n's clock is no reason to forget a run
	 */
	entries(listedFrom: Micros, now: Micros | undefined): TrackedRun[] {
		return [...this.runs]
			.filter(([, run]) => !this.isOver(run) || run.created >= listedFrom || isRecent(run, now))
			.map(([id, { created, statuses, notes }]) => {
				const { endedAt, exceeded, ...others } = notes;
				const kept: RunNotes = { ...others };
				if (this.isOver({ statuses }) && isRecent({ notes }, now)) kept.endedAt = endedAt;
				if (!this.isOver({ statuses }) && exceeded) kept.exceeded = exceeded;
				return Object.keys(kept).length > 0
					? [id, created, statuses, kept]
					: [id, created, statuses];
			});
	}

	private noteShown({ created, notes }: Tracked): void {
		this.newestShown = later(this.newestShown, shownTime(created, notes.shownAt));
	}

	private readonly isTerminal = (status: string): boolean => this.kind.terminal.includes(status);

	private isOver({ statuses }: Pick<Tracked, 'statuses'>): boolean {
		return statuses.some(this.isTerminal);
	}

	/**
	 * Whether a status is a change. Each status of a run counts once; a run that has ended does not
	 * come back, and none goes back to an earlier status: lists may be a little behind single runs.
	 */
	private isChange(seen: string[], status: string): boolean {
		if (seen.includes(status)) return false;
		if (this.isTerminal(status)) return true;
		if (seen.some(this.isTerminal) || seen.length >= MAX_STATUSES) return false;
		const place = this.kind.active.indexOf(status);
		return place < 0 || !this.kind.active.slice(place).some((later) => seen.includes(later));
	}
}

/** Whether a run can be followed at all: it has a status, and an id to ask for it by. */
export function isUsable({ id, status }: RunFacts): boolean {
	return pathValueProblem(id) === undefined && isWholeText(id) && status !== '';
}

/** Whether a run ended so recently that a list may still show it as active. */
function isRecent({ notes }: Pick<Tracked, 'notes'>, now: Micros | undefined): boolean {
	const { endedAt } = notes;
	if (endedAt === undefined) return false;
	return now === undefined || Math.abs(now - endedAt) <= LAG_OF_LISTS;
}

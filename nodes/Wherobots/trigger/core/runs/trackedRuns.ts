import { pathValueProblem } from '../../../service/endpoints';
import type { Micros } from '../../../service/time/time';
import type { RunFacts, RunKind } from '../source';
import type { RunNotes, TrackedRun } from '../state';
import { boundOf } from '../watermark';

/** A status that a run has not been seen in before. */
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

/** How many statuses of a run are remembered: a hostile service could invent new ones forever. */
const MAX_STATUSES = 16;

/** The runs that a trigger tracks, and those that it remembers because lists may still show them. */
export class TrackedRuns {
	private readonly runs = new Map<string, Tracked>();

	constructor(
		private readonly kind: Pick<RunKind<never>, 'active' | 'terminal'>,
		entries: readonly TrackedRun[] = [],
	) {
		for (const [id, created, statuses, notes] of entries) {
			this.runs.set(id, { created, statuses: [...statuses], notes: { ...notes } });
		}
	}

	/** How many runs were created at or after a time. */
	countFrom(time = -Infinity): number {
		return [...this.runs.values()].filter(({ created }) => created >= time).length;
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

	/** Follows a run from now on, whatever its status was before. */
	follow(id: string, created: Micros): Tracked {
		const run: Tracked = { created, statuses: [], notes: {} };
		this.runs.set(id, run);
		return run;
	}

	/**
	 * Takes a run as the service shows it now.
	 *
	 * @param created of a run that is not known yet; the present where the service does not say
	 * @returns the status before, null for a run that was not known; undefined when nothing has changed
	 */
	observe({ id, status }: RunFacts, created: Micros): string | null | undefined {
		const known = this.runs.get(id) ?? this.follow(id, created);
		delete known.notes.missing;
		if (!this.isChange(known.statuses, status)) return undefined;
		const previous = known.statuses.at(-1) ?? null;
		// Earlier statuses of a run that has ended are no longer needed.
		if (this.isTerminal(status)) known.statuses = known.statuses.filter(this.isTerminal);
		known.statuses.push(status);
		return previous;
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

	/** No longer follows a run. It is remembered as ended for as long as lists show it. */
	drop(id: string): void {
		const run = this.runs.get(id);
		if (run) Object.assign(run, { statuses: [...this.kind.terminal], notes: {} });
	}

	/** Puts a run at the end of the queue of those that are read one by one. */
	moveToEnd(id: string): void {
		const run = this.runs.get(id);
		if (!run) return;
		this.runs.delete(id);
		this.runs.set(id, run);
	}

	/** Like `boundOf`, but for the runs that have ended. */
	bound(final: Micros): Micros | undefined {
		const ended = [...this.runs.values()].filter((run) => this.isOver(run));
		const times = ended.map(({ created }) => created);
		return boundOf(times, final);
	}

	/**
	 * The entries to keep: all that are followed, and of the ended ones those that a list from this time
	 * on still shows, or whose costs are watched.
	 *
	 * @param changed runs whose change this poll returns, because the cost of one that has ended is read afterwards
	 */
	entries(from: Micros, changed: ReadonlySet<string> = new Set()): TrackedRun[] {
		const kept: TrackedRun[] = [];
		for (const [id, run] of this.runs) {
			const { created, statuses, notes } = run;
			const isActive = !this.isOver(run);
			if (!isActive && created < from && !notes.billedAs && !changed.has(id)) continue;
			const hasNotes = Object.keys(notes).length > 0;
			const isNoted = hasNotes && (isActive || notes.billedAs !== undefined);
			kept.push(isNoted ? [id, created, statuses, notes] : [id, created, statuses]);
		}
		return kept;
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

/** Whether a run can be tracked at all: it has a status, and an ID to read it by. */
export function isUsable({ id, status }: RunFacts): boolean {
	return pathValueProblem(id) === undefined && status !== '';
}

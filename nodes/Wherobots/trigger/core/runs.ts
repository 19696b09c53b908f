import { checkPathValue } from '../../service/rules';
import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import { computeBound, DAY, HOUR, type TrackedRun } from './cursor';

/** A status that a run has not been seen in before. */
export interface RunChange<R> {
	run: R;
	/** Null for a run that was not seen before. */
	previousStatus: string | null;
}

interface Tracked {
	created: Micros;
	statuses: string[];
	/** How often it was not found in a row, and since when. */
	missing?: [times: number, since: Micros];
}

/** How many statuses of a run are remembered: a hostile service could invent new ones forever. */
const MAX_STATUSES = 16;

/** A run counts as deleted when it is not found this often, over this long: a gateway or a replica may also say "not found". */
const MISSING_TIMES = 5;
const MISSING_SPAN = HOUR;

/** How long after its creation a run in an unknown status is tracked. */
const UNKNOWN_SPAN = 30 * DAY;

/** The runs that a trigger tracks, and those that it remembers because lists may still show them. */
export class TrackedRuns {
	private readonly runs = new Map<string, Tracked>();

	constructor(
		private readonly kind: Pick<RunKind<never>, 'active' | 'terminal'>,
		entries: readonly TrackedRun[],
	) {
		for (const [id, created, statuses, missing] of entries) {
			this.runs.set(id, { created, statuses: [...statuses], missing });
		}
	}

	has(id: string): boolean {
		return this.runs.has(id);
	}

	/** How many runs were created at or after a time. */
	countFrom(time: Micros): number {
		return [...this.runs.values()].filter(({ created }) => created >= time).length;
	}

	/** The run that was created last. */
	newest(): string | undefined {
		const all = [...this.runs].map(([id, { created }]) => ({ id, created }));
		return all.reduce((last, run) => (run.created > last.created ? run : last), all[0])?.id;
	}

	/** Runs from before a time whose status may still change, those first that were shown longest ago. */
	active(until: Micros): string[] {
		const isActive = (run: Tracked) => run.created < until && !this.isOver(run);
		return [...this.runs].filter(([, run]) => isActive(run)).map(([id]) => id);
	}

	/**
	 * Takes a run as the service shows it now.
	 *
	 * @param created of a run that is not known yet; the present where the service does not say
	 * @returns the status before, null for a run that was not known; undefined when nothing has changed
	 */
	observe(
		{ id, status }: Pick<RunRecord, 'id' | 'status'>,
		created: Micros,
	): string | null | undefined {
		const run: Tracked = this.runs.get(id) ?? { created, statuses: [] };
		this.putLast(id, run);
		run.missing = undefined;
		if (!this.isChange(run.statuses, status)) return undefined;
		const previous = run.statuses.at(-1) ?? null;
		// Earlier statuses of a run that has ended are no longer needed.
		if (this.isTerminal(status)) run.statuses = run.statuses.filter(this.isTerminal);
		run.statuses.push(status);
		return previous;
	}

	/** Whether this is the last status in which a run has been seen, not one before it. */
	isLast({ id, status }: Pick<RunRecord, 'id' | 'status'>): boolean {
		return this.runs.get(id)?.statuses.at(-1) === status;
	}

	/** Notes that a tracked run was not found. Returns whether it counts as deleted, and is no longer tracked. */
	isGone(id: string, now: Micros): boolean {
		const run = this.runs.get(id) as Tracked;
		this.putLast(id, run);
		const [times, since] = run.missing ?? [0, now];
		run.missing = [times + 1, Math.min(since, now)];
		if (times + 1 < MISSING_TIMES || now - since < MISSING_SPAN) return false;
		this.drop(run);
		return true;
	}

	/** Whether a tracked run has been in an unknown status for so long that it is no longer tracked. */
	isStale({ id, status }: Pick<RunRecord, 'id' | 'status'>, now: Micros): boolean {
		const run = this.runs.get(id) as Tracked;
		const isKnown = this.isTerminal(status) || this.kind.active.includes(status);
		if (isKnown || now - run.created <= UNKNOWN_SPAN) return false;
		this.drop(run);
		return true;
	}

	/** Like `computeBound`, but for the runs that have ended. */
	bound(final: Micros): Micros | undefined {
		const ended = [...this.runs.values()].filter((run) => this.isOver(run));
		const times = ended.map(({ created }) => created);
		return computeBound(times, final);
	}

	/** The entries to keep: all that are followed, and of the ended ones those that a list from this time on still shows. */
	entries(from: Micros): TrackedRun[] {
		const kept = [...this.runs].filter(([, run]) => !this.isOver(run) || run.created >= from);
		return kept.map(([id, { created, statuses, missing }]) =>
			missing ? [id, created, statuses, missing] : [id, created, statuses],
		);
	}

	/** Where time is too short for all runs, those that were asked for make room for the others. */
	private putLast(id: string, run: Tracked): void {
		this.runs.delete(id);
		this.runs.set(id, run);
	}

	/** No longer follows a run. It is remembered as ended for as long as lists show it. */
	private drop(run: Tracked): void {
		Object.assign(run, { statuses: [...this.kind.terminal], missing: undefined });
	}

	private readonly isTerminal = (status: string): boolean => this.kind.terminal.includes(status);

	private isOver({ statuses }: Tracked): boolean {
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
export function isUsable({ id, status }: Pick<RunRecord, 'id' | 'status'>): boolean {
	return checkPathValue(id) === undefined && status !== '';
}

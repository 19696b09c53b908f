import { pathValueProblem } from '../../service/endpoints';
import { isTerminal } from '../../service/runs';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import { isWholeText } from './eventIds';
import type { MicroTime } from './source';
import { MAX_ENTRIES, type TrackedRun } from './state';

/** A status that a run was not seen in before. */
export interface RunChange {
	run: Run;
	/** Null for a run that was not seen before. */
	previousStatus: string | null;
}

interface Tracked {
	created: MicroTime;
	statuses: string[];
}

/** A hostile service could invent statuses for ever. */
const MAX_STATUSES = 16;

/** The runs that a trigger follows, and those it remembers because the list still shows them. */
export class TrackedRuns {
	private readonly runs: Map<string, Tracked>;

	constructor(entries: readonly TrackedRun[] = []) {
		this.runs = new Map(
			entries.map(([id, created, ...statuses]) => [id, { created, statuses: [...statuses] }]),
		);
	}

	/** Runs whose status may still change. */
	active(): string[] {
		return [...this.runs].filter(([, run]) => !isOver(run)).map(([id]) => id);
	}

	has(id: string): boolean {
		return this.runs.has(id);
	}

	/**
	 * Takes a run as the service shows it now.
	 *
	 * @param listedFrom unknown runs created before it were dealt with long ago; a list that is a
	 *   little behind may show them as active once more
	 * @param fallback the time of a run whose creation time is missing or no time
	 * @returns the change, when there is one
	 */
	observe(run: Run, listedFrom: MicroTime, fallback: MicroTime): RunChange | undefined {
		const known = this.runs.get(run.id);
		if (!known) {
			const created = createdAt(run) ?? fallback;
			if (created < listedFrom) return undefined;
			this.runs.set(run.id, { created, statuses: [run.status] });
			return { run, previousStatus: null };
		}
		if (!isNews(known.statuses, run.status)) return undefined;
		const previousStatus = known.statuses.at(-1) ?? null;
		// What a run was before it ended is of no more use.
		if (isTerminal(run.status)) known.statuses = known.statuses.filter(isTerminal);
		known.statuses.push(run.status);
		return { run, previousStatus };
	}

	/** Stops following a run, unless the list still shows it and would make it a new one. */
	drop(id: string, listedFrom: MicroTime): void {
		const run = this.runs.get(id);
		if (run && run.created < listedFrom) this.runs.delete(id);
	}

	/** Puts a run at the end of the queue of those that are result at one by one. */
	moveToEnd(id: string): void {
		const run = this.runs.get(id);
		if (!run) return;
		this.runs.delete(id);
		this.runs.set(id, run);
	}

	/**
	 * The entries to keep: all that are followed, and the ended ones that a list from `listedFrom` on
	 * still shows. Over the limit the oldest ended ones go first, then the newest of the others.
	 */
	entries(listedFrom: MicroTime): TrackedRun[] {
		let kept = [...this.runs].filter(([, run]) => !isOver(run) || run.created >= listedFrom);
		if (kept.length > MAX_ENTRIES) {
			const byUse = [...kept].sort(
				([, a], [, b]) =>
					Number(isOver(a)) - Number(isOver(b)) ||
					(isOver(a) ? b.created - a.created : a.created - b.created),
			);
			const chosen = new Set(byUse.slice(0, MAX_ENTRIES).map(([id]) => id));
			kept = kept.filter(([id]) => chosen.has(id));
		}
		return kept.map(([id, { created, statuses }]) => [id, created, ...statuses]);
	}
}

/** When a run was created, in microseconds; undefined when the service does not say. */
export function createdAt(run: Run): MicroTime | undefined {
	return parseServiceTime(run?.createTime);
}

/** Whether a record of the service can be followed at all: it has a status, and an id to ask for it by. */
export function isUsable(run: Run): boolean {
	return (
		typeof run?.id === 'string' &&
		pathValueProblem(run.id) === undefined &&
		isWholeText(run.id) &&
		typeof run.status === 'string' &&
		run.status !== ''
	);
}

function isOver(run: Tracked): boolean {
	return run.statuses.some(isTerminal);
}

/**
 * Whether a status is a change. Each status of a run counts once; a run that has ended does not
 * come back, and a running one is not pending again: lists may be a little behind single runs.
 */
function isNews(seen: string[], status: string): boolean {
	if (seen.includes(status)) return false;
	if (isTerminal(status)) return true;
	if (seen.some(isTerminal) || seen.length >= MAX_STATUSES) return false;
	return !(status === 'PENDING' && seen.includes('RUNNING'));
}

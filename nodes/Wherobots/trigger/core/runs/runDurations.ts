import type { Micros } from '../../../service/time/time';
import type { RunKind } from '../source';
import type { RunChange, TrackedRuns } from './trackedRuns';

/** How long a run may be in a status, in microseconds; absent for no limit. */
export interface DurationLimits {
	PENDING?: Micros;
	RUNNING?: Micros;
}

/** A run that was in a status for longer than the limit. */
export interface ExceededDuration<R> {
	run: R;
	status: keyof DurationLimits;
	/** When it entered the status; then how long it has been or was in it, and how long it may be, in microseconds. */
	since: Micros;
	duration: Micros;
	limit: Micros;
}

/** A run as the service has shown it, and the service's time then. */
export interface ShownRun<R> {
	run: R;
	at: Micros;
}

/**
 * The runs that exceed a limit, or by their own times did so before they changed, and have not been
 * reported for it. Marks them in `tracked` as reported.
 *
 * A replica may show a status that the run left a while ago, at most the overlap of lists. So a run
 * that is in a status has certainly been in it only until then; one that has left it says when.
 */
export function exceedingRuns<R>(
	tracked: TrackedRuns,
	shown: Iterable<ShownRun<R>>,
	limits: DurationLimits,
	kind: RunKind<R>,
	changes: ReadonlyArray<RunChange<R>> = [],
): Array<ExceededDuration<R>> {
	if (Object.keys(limits).length === 0) return [];
	// A run that had ended before, with another outcome, has already been handled.
	const moved = changes.filter(
		({ previousStatus }) => !kind.terminal.includes(previousStatus ?? ''),
	);
	const left = new Map(moved.map((change) => [kind.read(change.run).id, change.previousStatus]));
	const place = (status: string | null = null) => kind.active.indexOf(status ?? '');
	const exceeding: Array<ExceededDuration<R>> = [];
	for (const { run, at } of shown) {
		const { id, status: present } = kind.read(run);
		// A list may be behind what is known.
		if (tracked.get(id)?.statuses.at(-1) !== present) continue;
		const { created, started, ended } = kind.times(run);
		const endedAt = kind.terminal.includes(present) ? ended : undefined;
		const spans = {
			PENDING: { since: created, until: started ?? endedAt },
			RUNNING: { since: started, until: endedAt },
		};
		for (const status of ['PENDING', 'RUNNING'] as const) {
			const isIn = status === present;
			// What a run had left when it was last seen has been handled, or was over before publication.
			if (!isIn && (!left.has(id) || place(status) < place(left.get(id)))) continue;
			const limit = limits[status];
			const since = spans[status].since ?? (isIn ? created : undefined);
			const until = isIn ? at - kind.overlap : spans[status].until;
			if (limit === undefined || since === undefined || until === undefined) continue;
			if (until - since <= limit || !tracked.noteExceeded(id, status)) continue;
			const duration = (isIn ? at : until) - since;
			exceeding.push({ run, status, since, duration, limit });
		}
	}
	return exceeding;
}

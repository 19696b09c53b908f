import type { Micros } from '../../../service/time/time';
import type { RunKind } from '../source';
import type { RunChange, TrackedRuns } from './trackedRuns';

/** How long a run may be in a status, in microseconds; absent for no limit. */
export interface DurationLimits {
	PENDING?: Micros;
	RUNNING?: Micros;
}

/** A run that has been in its status for longer than the limit. */
export interface ExceededDuration<R> {
	run: R;
	status: keyof DurationLimits;
	/** When it came into the status, and how long it has been in it and may be, in microseconds. */
	since: Micros;
	duration: Micros;
	limit: Micros;
}

/** A run as the service has shown it, and the service's time then. */
export interface ShownRun<R> {
	run: R;
	at: Micros;
}

/** The runs that exceed a limit and were not reported for it. Notes in `tracked` that they are now. */
export function exceedingRuns<R>(
	tracked: TrackedRuns,
	shown: Iterable<ShownRun<R>>,
	limits: DurationLimits,
	kind: RunKind<R>,
): Array<ExceededDuration<R>> {
	const exceeding: Array<ExceededDuration<R>> = [];
	for (const { run, at } of shown) {
		const { id, created, started, ...facts } = kind.read(run);
		const status = facts.status as keyof DurationLimits;
		const limit = Object.hasOwn(limits, status) ? limits[status] : undefined;
		if (limit === undefined || tracked.get(id)?.statuses.at(-1) !== status) continue;
		const since = (status === 'RUNNING' ? started : undefined) ?? created;
		if (since === undefined || at - since <= limit || !tracked.noteExceeded(id, status)) continue;
		exceeding.push({ run, status, since, duration: at - since, limit });
	}
	return exceeding;
}

/**
 * Runs that left a status since the last poll, exceeded its limit by their own times, and were not
 * reported for it. `duration` is how long each was in the status. Notes in `tracked` that they are now.
 */
export function passedRuns<R>(
	tracked: TrackedRuns,
	changes: ReadonlyArray<RunChange<R>>,
	limits: DurationLimits,
	kind: RunKind<R>,
): Array<ExceededDuration<R>> {
	const exceeding: Array<ExceededDuration<R>> = [];
	for (const { run, previousStatus } of changes) {
		// A run that had ended before, in another way, has been dealt with.
		if (previousStatus !== null && kind.terminal.includes(previousStatus)) continue;
		const { id, status: present, created, started, ...facts } = kind.read(run);
		const ended = kind.terminal.includes(present) ? facts.ended : undefined;
		const spans = {
			PENDING: { since: created, until: present === 'PENDING' ? undefined : (started ?? ended) },
			RUNNING: { since: started, until: ended },
		};
		for (const status of ['PENDING', 'RUNNING'] as const) {
			const { since, until } = spans[status];
			const limit = limits[status];
			if (limit === undefined || since === undefined || until === undefined) continue;
			if (until - since <= limit || !tracked.noteExceeded(id, status)) continue;
			exceeding.push({ run, status, since, duration: until - since, limit });
		}
	}
	return exceeding;
}

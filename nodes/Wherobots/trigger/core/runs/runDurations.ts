import { parseServiceTime, type Micros } from '../../../service/time/time';
import type { Run } from '../../../service/types';
import { isTerminal } from '../../../service/jobRuns/runs';
import type { RunChange, TrackedRuns } from './trackedRuns';

/** How long a run may be in a status, in microseconds; absent for no limit. */
export interface DurationLimits {
	PENDING?: Micros;
	RUNNING?: Micros;
}

/** A run that has been in its status for longer than the limit. */
export interface ExceededDuration {
	run: Run;
	status: keyof DurationLimits;
	/** When it came into the status, and how long it has been in it and may be, in microseconds. */
	since: Micros;
	duration: Micros;
	limit: Micros;
}

/** A run as the service has shown it, and the service's time then. */
export interface ShownRun {
	run: Run;
	at: Micros;
}

/** The runs that exceed a limit and were not reported for it. Notes in `tracked` that they are now. */
export function exceedingRuns(
	tracked: TrackedRuns,
	shown: Iterable<ShownRun>,
	limits: DurationLimits,
): ExceededDuration[] {
	const exceeding: ExceededDuration[] = [];
	for (const { run, at } of shown) {
		const status = run.status as keyof DurationLimits;
		const limit = Object.hasOwn(limits, status) ? limits[status] : undefined;
		if (limit === undefined || tracked.get(run.id)?.statuses.at(-1) !== status) continue;
		const started = status === 'RUNNING' ? parseServiceTime(run.startTime) : undefined;
		const since = started ?? parseServiceTime(run.createTime);
		if (since === undefined) continue;
		const duration = at - since;
		if (duration <= limit || !tracked.noteExceeded(run.id, status)) continue;
		exceeding.push({ run, status, since, duration, limit });
	}
	return exceeding;
}

/**
 * Runs that left a status since the last poll, exceeded its limit by their own times, and were not
 * reported for it. `duration` is how long each was in the status. Notes in `tracked` that they are now.
 */
export function passedRuns(
	tracked: TrackedRuns,
	changes: readonly RunChange[],
	limits: DurationLimits,
): ExceededDuration[] {
	const exceeding: ExceededDuration[] = [];
	for (const { run, previousStatus } of changes) {
		// A run that had ended before, in another way, has been dealt with.
		if (previousStatus !== null && isTerminal(previousStatus)) continue;
		const ended = isTerminal(run.status) ? parseServiceTime(run.completeTime) : undefined;
		const started = parseServiceTime(run.startTime);
		const isPending = run.status === 'PENDING';
		const spans = {
			PENDING: {
				since: parseServiceTime(run.createTime),
				until: isPending ? undefined : (started ?? ended),
			},
			RUNNING: { since: started, until: ended },
		};
		for (const status of ['PENDING', 'RUNNING'] as const) {
			const { since, until } = spans[status];
			const limit = limits[status];
			if (limit === undefined || since === undefined || until === undefined) continue;
			if (until - since <= limit || !tracked.noteExceeded(run.id, status)) continue;
			exceeding.push({ run, status, since, duration: until - since, limit });
		}
	}
	return exceeding;
}

import { parseServiceTime, type Micros } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { TrackedRuns } from './trackedRuns';

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

/**
 * The runs that exceed a limit and were not reported for it. Notes in `tracked` that they are now.
 *
 * @param shown runs as the service has shown them in this poll
 * @param now the service's time
 */
export function exceedingRuns(
	tracked: TrackedRuns,
	shown: Iterable<Run>,
	limits: DurationLimits,
	now: Micros,
): ExceededDuration[] {
	const exceeding: ExceededDuration[] = [];
	for (const run of shown) {
		const status = run.status as keyof DurationLimits;
		const limit = Object.hasOwn(limits, status) ? limits[status] : undefined;
		const known = tracked.get(run.id);
		if (limit === undefined || known?.statuses.at(-1) !== status) continue;
		const since = parseServiceTime(
			status === 'RUNNING' ? (run.startTime ?? run.createTime) : run.createTime,
		);
		if (since === undefined || now - since <= limit) continue;
		if (known.notes.exceeded?.includes(status)) continue;
		known.notes.exceeded = [...(known.notes.exceeded ?? []), status];
		exceeding.push({ run, status, since, duration: now - since, limit });
	}
	return exceeding;
}

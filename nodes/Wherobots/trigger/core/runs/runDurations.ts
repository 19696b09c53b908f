import { parseServiceTime, type Micros } from '../../../service/time/time';
import type { Run } from '../../../service/types';
import { isTerminal } from '../../../service/jobRuns/runs';
import type { RunSource } from '../source';
import type { ProvenTime } from '../state';
import { later } from '../watermark';
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

/**
 * The runs that exceed a limit and were not reported for it. Notes in `tracked` that they are now.
 *
 * @param shown runs as the service has shown them in this poll
 * @param timeOf the service's time when it has shown a run, or an earlier one: a report may be late, never early
 */
export function exceedingRuns(
	tracked: TrackedRuns,
	shown: Iterable<Run>,
	limits: DurationLimits,
	timeOf: (run: Run) => Micros,
): ExceededDuration[] {
	const exceeding: ExceededDuration[] = [];
	for (const run of shown) {
		const status = run.status as keyof DurationLimits;
		const limit = Object.hasOwn(limits, status) ? limits[status] : undefined;
		if (limit === undefined || tracked.get(run.id)?.statuses.at(-1) !== status) continue;
		const started = status === 'RUNNING' ? parseServiceTime(run.startTime) : undefined;
		const since = started ?? parseServiceTime(run.createTime);
		if (since === undefined) continue;
		const duration = timeOf(run) - since;
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

/**
 * A time that the service has certainly reached, for when its responses do not tell the time and
 * n8n's clock may be ahead: the newest time in its records, or an earlier proof and the time that
 * has passed since. Two clocks have to agree on that: one may be set forward, the other is one of
 * another process after a restart. `-Infinity` when there is no proof.
 */
export function provenTime(
	before: ProvenTime | undefined,
	shown: Iterable<Run>,
	source: Pick<RunSource, 'now' | 'monotonic'>,
): ProvenTime {
	const now = source.now();
	const monotonic = source.monotonic();
	let time: Micros | undefined;
	if (before) time = before[0] + Math.max(0, Math.min(now - before[1], monotonic - before[2]));
	for (const run of shown) {
		for (const each of [run.createTime, run.startTime, run.updateTime, run.completeTime]) {
			time = later(time, parseServiceTime(each));
		}
	}
	return [time ?? -Infinity, now, monotonic];
}

import type { Micros } from '../../../service/time/time';
import type { Run } from '../../../service/types';
import { isClockSure } from '../presentTime';
import type { RunSource } from '../source';
import type { ProvenTime } from '../state';
import {
	exceedingRuns,
	passedRuns,
	provenTime,
	type DurationLimits,
	type ExceededDuration,
} from './runDurations';
import { earlier, listedFrom } from '../watermark';
import { createdAt, isUsable, type RunChange, type TrackedRuns } from './trackedRuns';

/** What the service has shown in one poll, and what is new about it. */
export class ObservedRuns {
	readonly changes: RunChange[] = [];

	/** For the log of n8n. */
	readonly notes: string[] = [];

	/** Which runs the service has shown, and its time then. */
	readonly shown = new Map<string, Micros>();

	/** The same runs as they were shown; only kept where limits are to judge them by. */
	private readonly judged = new Map<string, Run>();

	private readonly hasLimits: boolean;

	constructor(
		readonly tracked: TrackedRuns,
		private readonly source: RunSource,
		private readonly limits: DurationLimits,
		/** Runs that were created before and are not tracked have ended long ago. */
		private readonly watermark: Micros,
	) {
		this.hasLimits = Object.keys(limits).length > 0;
	}

	/** Takes runs as the service shows them. Returns the oldest creation time among those that are news. */
	take(records: Run[]): Micros | undefined {
		let oldestNew: Micros | undefined;
		const now = this.source.now();
		for (const run of records.filter((each) => isUsable(each) && !this.isOld(each))) {
			if (this.observe(run, now)) oldestNew = earlier(oldestNew, this.tracked.get(run.id)?.created);
		}
		return oldestNew;
	}

	/** Whether a run is no news: a service may ignore from when on it is asked for runs. */
	private isOld(run: Run): boolean {
		if (this.tracked.get(run.id)) return false;
		return (createdAt(run) ?? Infinity) < listedFrom(this.watermark);
	}

	/** True when something about the run is new. */
	private observe(run: Run, now: Micros): boolean {
		const isKnown = this.tracked.get(run.id) !== undefined;
		this.shown.set(run.id, now);
		if (this.hasLimits) this.judged.set(run.id, run);
		const change = this.tracked.observe(run, now);
		if (change) this.changes.push(change);
		return change !== undefined || !isKnown;
	}

	/**
	 * What is known of the service's time when its clock does not tell; undefined when it is not needed.
	 *
	 * @param before what was known after the poll before
	 */
	provenTime(before: ProvenTime | undefined): ProvenTime | undefined {
		if (!this.hasLimits || isClockSure(this.source)) return undefined;
		return provenTime(before, this.judged.values(), this.source);
	}

	/** Runs that exceed a limit, or did so before they changed, and were not reported for it. */
	exceeded(proven: ProvenTime | undefined): ExceededDuration[] {
		const now = this.source.now();
		const certain = proven ? Math.min(now, proven[0]) : now;
		// A run may have ended while a slow poll went on.
		const timeOf = ({ id }: Run) => Math.min(certain, this.shown.get(id) ?? certain);
		return [
			...exceedingRuns(this.tracked, this.judged.values(), this.limits, timeOf),
			...passedRuns(this.tracked, this.changes, this.limits),
		];
	}
}

import type { Micros } from '../../../service/time/time';
import type { Run } from '../../../service/types';
import type { RunSource } from '../source';
import {
	exceedingRuns,
	passedRuns,
	type DurationLimits,
	type ExceededDuration,
	type ShownRun,
} from './runDurations';
import { earlier, listedFrom } from '../watermark';
import { createdAt, isUsable, type RunChange, type TrackedRuns } from './trackedRuns';

/** What the service has shown in one poll, and what is new about it. */
export class ObservedRuns {
	readonly changes: RunChange[] = [];

	/** For the log of n8n. */
	readonly notes: string[] = [];

	/** The runs that the service has shown, by their IDs. */
	readonly shown = new Map<string, ShownRun>();

	constructor(
		readonly tracked: TrackedRuns,
		private readonly source: RunSource,
		private readonly limits: DurationLimits,
		/** Runs that were created before and are not tracked have ended long ago. */
		private readonly watermark: Micros,
	) {}

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
		this.shown.set(run.id, { run, at: now });
		const change = this.tracked.observe(run, now);
		if (change) this.changes.push(change);
		return change !== undefined || !isKnown;
	}

	/** Runs that exceed a limit, or did so before they changed, and were not reported for it. */
	exceeded(): ExceededDuration[] {
		return [
			...exceedingRuns(this.tracked, this.shown.values(), this.limits),
			...passedRuns(this.tracked, this.changes, this.limits),
		];
	}
}

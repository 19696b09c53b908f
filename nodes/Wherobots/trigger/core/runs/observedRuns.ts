import type { Micros } from '../../../service/time/time';
import type { RunFacts, RunSource } from '../source';
import {
	exceedingRuns,
	passedRuns,
	type DurationLimits,
	type ExceededDuration,
	type ShownRun,
} from './runDurations';
import { earlier, listedFrom } from '../watermark';
import { isUsable, type RunChange, type TrackedRuns } from './trackedRuns';

/** What the service has shown in one poll, and what is new about it. */
export class ObservedRuns<R> {
	readonly changes: Array<RunChange<R>> = [];

	/** For the log of n8n. */
	readonly notes: string[] = [];

	/** The runs that the service has shown, by their IDs. */
	readonly shown = new Map<string, ShownRun<R>>();

	constructor(
		readonly tracked: TrackedRuns<R>,
		private readonly source: RunSource<R>,
		private readonly limits: DurationLimits,
		/** Runs that were created before and are not tracked have ended long ago. */
		private readonly watermark: Micros,
	) {}

	/** Takes runs as the service shows them. Returns the oldest creation time among those that are news. */
	take(records: R[]): Micros | undefined {
		let oldestNew: Micros | undefined;
		const now = this.source.now();
		for (const run of records) {
			const facts = this.source.kind.read(run);
			if (!isUsable(facts) || this.isOld(facts)) continue;
			const { id } = facts;
			if (this.observe(id, run, now)) oldestNew = earlier(oldestNew, this.tracked.get(id)?.created);
		}
		return oldestNew;
	}

	/** Whether a run is no news: a service may ignore from when on it is asked for runs. */
	private isOld({ id, created = Infinity }: RunFacts): boolean {
		return !this.tracked.get(id) && created < listedFrom(this.watermark);
	}

	/** True when something about the run is new. */
	private observe(id: string, run: R, now: Micros): boolean {
		const isKnown = this.tracked.get(id) !== undefined;
		this.shown.set(id, { run, at: now });
		const change = this.tracked.observe(run, now);
		if (change) this.changes.push(change);
		return change !== undefined || !isKnown;
	}

	/** Runs that exceed a limit, or did so before they changed, and were not reported for it. */
	exceeded(): Array<ExceededDuration<R>> {
		const { kind } = this.source;
		return [
			...exceedingRuns(this.tracked, this.shown.values(), this.limits, kind),
			...passedRuns(this.tracked, this.changes, this.limits, kind),
		];
	}
}

import type { Micros } from '../../../service/time/time';
import { isClockSure, presentTime, type RunFacts, type RunSource } from '../source';
import type { RunState } from '../state';
import { earlier, HOUR, later, listedFrom, SECOND, shownTime, wholeSecond } from '../watermark';
import {
	exceedingRuns,
	passedRuns,
	type DurationLimits,
	type ExceededDuration,
	type ShownRun,
} from './runDurations';
import { isUsable, TrackedRuns, type RunChange } from './trackedRuns';

/** What is known of the runs: what the service has shown, in one poll and before, and what is new about it. */
export class ObservedRuns<R> {
	/** The service, by the time that counts. */
	readonly source: RunSource<R>;

	readonly tracked: TrackedRuns;

	readonly changes: Array<RunChange<R>> = [];

	/** For the log of n8n. */
	readonly notes: string[] = [];

	/** The runs that this poll has been shown, by their IDs. */
	readonly shown = new Map<string, ShownRun<R>>();

	/** Everything before this time is known. */
	watermark: Micros;

	/** The newest time that the service has shown. */
	newest: Micros | undefined;

	/** Unknown runs that were created at this time or before are no news. */
	since: Micros | undefined;

	/** Whether anything has come in this poll. */
	hasResponse = false;

	private readonly startedAt: Micros;

	constructor(
		source: RunSource<R>,
		private readonly state: RunState | undefined,
	) {
		const noted = async <T>(response: Promise<T>): Promise<T> => {
			const value = await response;
			this.hasResponse = true;
			return value;
		};
		this.source = {
			...source,
			now: () => presentTime(source),
			knowsTime: () => isClockSure(source),
			runs: async (query, cursor) => await noted(source.runs(query, cursor)),
			run: async (id) => await noted(source.run(id)),
		};
		this.tracked = new TrackedRuns(source.kind, state?.runs);
		this.startedAt = this.source.now();
		this.watermark = state?.watermark ?? this.startedAt - HOUR;
		this.newest = state?.newest;
		this.since = state?.since;
	}

	/** Takes runs as the service shows them. Returns the oldest creation time among those that are new or changed. */
	take(records: R[]): Micros | undefined {
		const now = this.source.now();
		let oldestNew: Micros | undefined;
		for (const run of records) {
			const facts = this.source.kind.read(run);
			const { id, created = now } = facts;
			const isKnown = this.tracked.get(id) !== undefined;
			// A service may ignore from when on it is asked for runs: what it has from before is no news.
			if (!isUsable(facts) || (!isKnown && created < listedFrom(this.watermark))) continue;
			this.shown.set(id, { run, at: now });
			const previousStatus = this.observe(facts, now);
			if (previousStatus === undefined) continue;
			oldestNew = earlier(oldestNew, this.tracked.get(id)?.created);
			const isNews = isKnown || created > (this.since ?? -Infinity);
			if (isNews) this.changes.push({ run, previousStatus });
		}
		return oldestNew;
	}

	/**
	 * Takes runs that were there when a first poll began. What has happened since then is left to the
	 * next one. Returns the oldest creation time among those that were not known.
	 *
	 * @param from older ones are left out
	 */
	takeSilently(records: R[], from: Micros): Micros | undefined {
		const { since, source, tracked } = this;
		const now = source.now();
		// Its first response shows what was there before, and the clock tells no more than the second.
		const isBeginning = since === undefined || (!this.state && now <= since + SECOND);
		let oldestNew: Micros | undefined;
		for (const run of records) {
			const facts = source.kind.read(run);
			const { id, created = from } = facts;
			const isLater = !isBeginning && created > since;
			if (!isUsable(facts) || tracked.get(id) || isLater || created < listedFrom(from)) continue;
			this.observe(facts, now);
			if (!isBeginning && (facts.ended ?? 0) > since) tracked.forgetEnd(id);
			oldestNew = earlier(oldestNew, tracked.get(id)?.created);
		}
		// Without the service's time, what happened while the response was on its way may not be in it.
		this.since ??= wholeSecond(source.knowsTime() ? now : this.startedAt) - 1;
		return oldestNew;
	}

	/** Runs that exceed a limit, or did so before they changed, and were not reported for it. */
	exceeded(limits: DurationLimits): Array<ExceededDuration<R>> {
		const { changes, shown, source, tracked } = this;
		return [
			...exceedingRuns(tracked, shown.values(), limits, source.kind),
			...passedRuns(tracked, changes, limits, source.kind),
		];
	}

	/** @returns as `TrackedRuns.observe` */
	private observe(facts: RunFacts, now: Micros): string | null | undefined {
		const isKnown = this.tracked.get(facts.id) !== undefined;
		if (!isKnown && facts.created !== undefined) {
			this.newest = later(this.newest, shownTime(facts.created, now));
		}
		return this.tracked.observe(facts, now);
	}
}

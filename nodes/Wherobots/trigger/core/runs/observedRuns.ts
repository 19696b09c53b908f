import type { Micros } from '../../../service/time/time';
import { presentTime, type RunSource } from '../source';
import type { RunState } from '../state';
import { isAhead, SECOND, Watermark } from '../watermark';
import type { ShownRun } from './runDurations';
import { isUsable, TrackedRuns, type RunChange } from './trackedRuns';

/** What is known about the runs: what the service has shown, in this poll and before, and what is new. */
export class ObservedRuns<R> {
	/** The service, with `presentTime` as its clock. */
	readonly source: RunSource<R>;

	readonly tracked: TrackedRuns;

	readonly changes: Array<RunChange<R>> = [];

	/** Notes for n8n's log. */
	readonly notes: string[] = [];

	/** The IDs of the runs that this poll has been shown, with the runs if they are kept. */
	readonly shown = new Map<string, ShownRun<R> | undefined>();

	readonly watermark: Watermark;

	/** When an unfinished first poll began. What was there before does not count as new. */
	began: Micros | undefined;

	/** Whether this poll has had any response. */
	hasResponse: boolean;

	/**
	 * @param isSilent whether runs are only recorded as they are, and their changes left to the next poll
	 * @param isFirst whether this begins a first poll, which has just asked for the time: what is from that
	 * second, or dated ahead, was there before
	 * @param keepsShown whether shown runs are kept, of which there may be thousands
	 */
	constructor(
		source: RunSource<R>,
		state: RunState,
		private readonly isSilent: boolean,
		private readonly isFirst: boolean,
		private readonly keepsShown: boolean,
	) {
		const noted = async <T>(response: Promise<T>): Promise<T> => {
			const value = await response;
			this.hasResponse = true;
			return value;
		};
		this.source = {
			...source,
			now: () => presentTime(source),
			runs: async (query, cursor) => await noted(source.runs(query, cursor)),
			run: async (id) => await noted(source.run(id)),
		};
		this.tracked = new TrackedRuns(source.kind, state.runs);
		this.watermark = new Watermark(state, source.kind.overlap, source.localNow());
		this.began = state.began;
		this.hasResponse = isFirst;
	}

	/**
	 * Takes runs as the service shows them; returns whether any is new, or has changed.
	 *
	 * @param from unknown runs that are older are left out: a service may ignore the start of the requested range
	 */
	take(records: R[], from: Micros = this.watermark.listedFrom): boolean {
		const { began = -Infinity, isSilent, source, tracked } = this;
		const now = source.now();
		let hasNew = false;
		for (const run of records) {
			const facts = source.kind.read(run);
			if (!isUsable(facts)) continue;
			const { id } = facts;
			const isKnown = tracked.get(id) !== undefined;
			const times = isKnown ? {} : source.kind.times(run);
			const { created = isSilent ? from : now, started = created, ended = started } = times;
			if (!isKnown && created < from) continue;
			const latest = Math.max(created, started, ended);
			if (isSilent && (isKnown || !this.isBefore(latest, now))) {
				// The watermark may pass an older run, so it is followed by its ID.
				if (!isKnown && this.isBefore(created, now)) tracked.follow(id, times.created ?? now);
				continue;
			}
			if (!isKnown && times.created !== undefined) this.watermark.show(created, now);
			if (!isSilent) this.shown.set(id, this.keepsShown ? { run, at: now } : undefined);
			const previousStatus = tracked.observe(facts, times.created ?? now);
			if (previousStatus === undefined) continue;
			hasNew = true;
			if (!isSilent && (isKnown || latest >= began)) this.changes.push({ run, previousStatus });
		}
		return hasNew;
	}

	/** Whether something had happened when the first poll began. */
	private isBefore(time: Micros, now: Micros): boolean {
		const { began = -Infinity, isFirst } = this;
		return time < began || (isFirst && (time < began + SECOND || isAhead(time, now)));
	}
}

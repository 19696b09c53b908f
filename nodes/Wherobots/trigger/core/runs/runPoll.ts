import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { readList, restartNote, type ListPosition, type ListReading } from '../readList';
import {
	askedAt,
	isClockSure,
	presentTime,
	shareOf,
	type Budget,
	type RunQuery,
	type RunSource,
} from '../source';
import { newRunState, type RunState } from '../state';
import { DAY, HOUR, wholeSecond } from '../watermark';
import { followRuns, SHARE_OF_LISTS } from './followedRuns';
import { ObservedRuns } from './observedRuns';
import { exceedingRuns, type DurationLimits, type ExceededDuration } from './runDurations';
import type { RunChange } from './trackedRuns';

/** Maximum number of changes that one poll returns; the next one returns the rest. */
export const MAX_CHANGES = 5_000;

/** How often a first poll reads a list of active runs that shifts between its pages. */
const MAX_READINGS = 4;

export interface RunPollResult<R> {
	state: RunState;
	changes: Array<RunChange<R>>;
	/** The runs that the service has shown, if limits were given, except in a first poll. */
	shown: R[];
	/** Runs that have been pending or running for too long. */
	exceeded: Array<ExceededDuration<R>>;
	/** Notes for n8n's log. */
	notes: string[];
}

/**
 * One poll of the runs: what changed since `state`, and the state after it. Pure apart from the
 * source: the same state and the same responses give the same result, and `state` stays as it is.
 *
 * A first poll reads the active runs and the recent ones, and none of them fires; their later changes
 * do. It may take several polls.
 *
 * @param limits of durations; if they are given, even empty, the runs that were shown are returned
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollRuns<R>(
	state: RunState | undefined,
	scope: string,
	source: RunSource<R>,
	budget: Budget,
	limits?: DurationLimits,
): Promise<RunPollResult<R>> {
	if (state) return await new RunPoller(state, false, source, budget, limits).run();
	// Asks for what is newer than now, only to learn the service's time.
	const query = { createdFrom: wholeSecond(presentTime(source)) };
	const began = wholeSecond(await askedAt(source, async () => await source.runs(query)));
	const back = isClockSure(source) ? HOUR : DAY;
	const begun = { ...newRunState(scope, began - back, []), began, baseline: 0 };
	return await new RunPoller(begun, true, source, budget, limits).run();
}

/** One poll in progress. */
class RunPoller<R> {
	private readonly observed: ObservedRuns<R>;

	/** Where the list continues, until this poll has continued it. */
	private resume: ListPosition | undefined;

	private baseline: number | undefined;

	/** Whether it begins with the active runs: their changes are left to the next poll. */
	private readonly isSilent: boolean;

	constructor(
		private readonly state: RunState,
		isFirst: boolean,
		source: RunSource<R>,
		private readonly budget: Budget,
		private readonly limits: DurationLimits | undefined,
	) {
		this.resume = state.resume;
		this.baseline = state.baseline;
		this.isSilent = state.baseline !== undefined;
		this.observed = new ObservedRuns(source, state, this.isSilent, isFirst, limits !== undefined);
	}

	async run(): Promise<RunPollResult<R>> {
		const done = await toResult(this.read());
		// What has been read is kept when time was too short.
		const isLate = this.observed.hasResponse && this.budget.spent();
		if (!done.ok && !isLate) throw done.error;
		return this.result();
	}

	private async read(): Promise<void> {
		if (this.isSilent && !(await this.hasListedActive())) return;
		await this.readRecent();
		if (!this.isSilent) await followRuns(this.observed, this.budget);
	}

	/** Lists the active runs of a first poll, and again while a list with several pages keeps changing. */
	private async hasListedActive(): Promise<boolean> {
		const share = 2 * SHARE_OF_LISTS;
		const { source, tracked } = this.observed;
		while (this.baseline !== undefined) {
			if (this.observed.hasResponse && this.budget.spent(share)) return false;
			// The part of it that an earlier poll has read may have shown others.
			const known = this.resume ? 0 : tracked.countFrom();
			const read = await this.list({ statuses: source.kind.active }, share, -Infinity);
			if (read.kind === 'truncated') return false;
			const isSame = tracked.countFrom() === known;
			const isDone = read.kind === 'complete' && (read.isPage || isSame);
			this.baseline += 1;
			if (isDone || this.baseline === MAX_READINGS) this.baseline = undefined;
			if (read.kind === 'restart') return false;
		}
		return !this.budget.spent(share);
	}

	/** Reads all runs that were created since the watermark, and moves it. */
	private async readRecent(): Promise<void> {
		const { notes, tracked, watermark } = this.observed;
		const query = { createdFrom: watermark.listedFrom };
		const read = await this.list(query, SHARE_OF_LISTS);
		if (read.kind === 'restart') notes.push(restartNote('runs'));
		if (read.kind !== 'complete') return;
		const isPassed = watermark.pass(read.final, read.isOdd, this.state.resume !== undefined);
		if (isPassed) this.observed.began = undefined;
		// More than can be remembered shortens the overlap.
		watermark.pass(tracked.bound(watermark.final) ?? 0, false);
	}

	/** Reads a list from where the last poll stopped, and records where it continues. */
	private async list(query: RunQuery, share: number, from?: Micros): Promise<ListReading> {
		const { observed } = this;
		const { source, tracked, watermark } = observed;
		const { final, listedFrom, time } = watermark;
		const read = await readList<R>({
			source,
			budget: shareOf(this.budget, share),
			readPage: async (cursor) => await source.runs(query, cursor),
			keyOf: (run) => source.kind.read(run).id,
			take: (records) => observed.take(records, from),
			isEnough: () => observed.changes.length >= MAX_CHANGES,
			known: this.isSilent || final > time ? undefined : tracked.countFrom(listedFrom),
			mayMove: true,
			final,
			position: this.resume,
		});
		this.resume = read.kind === 'truncated' ? read.position : undefined;
		return read;
	}

	private result(): RunPollResult<R> {
		const { began, changes, notes, source, tracked, watermark } = this.observed;
		const shown = [...this.observed.shown.values()].filter((each) => each !== undefined);
		const exceeded = exceedingRuns(tracked, shown, this.limits ?? {}, source.kind, changes);
		if (watermark.isShortened) notes.push('Too many runs to remember; the overlap is shortened.');
		const changed = new Set(changes.map(({ run }) => source.kind.read(run).id));
		const runs = tracked.entries(watermark.listedFrom, changed);
		const state: RunState = {
			...newRunState(this.state.scope, watermark.time, runs),
			...watermark.fields(),
			began,
			baseline: this.baseline,
			resume: this.resume,
		};
		return { state, changes, shown: shown.map(({ run }) => run), exceeded, notes };
	}
}

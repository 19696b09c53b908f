import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { FollowedRuns } from './followedRuns';
import { isKnownService, recognize } from '../recognizeKey';
import { runBaseline } from './runBaseline';
import { ObservedRuns } from './observedRuns';
import type { DurationLimits, ExceededDuration } from './runDurations';
import { isClockSure, presentTime } from '../presentTime';
import { readList, type ListPosition, type ListReading } from '../readList';
import { FIRST_POLL_SHARE, type Budget, type RunSource } from '../source';
import { newRunState, type Doubt, type RunState } from '../state';
import { isTrusting, oddPollsAfter } from '../oddLists';
import { TrackedRuns, type RunChange } from './trackedRuns';
import {
	HOUR,
	isResting,
	listedFrom,
	mayRest,
	nextWatermark,
	RUN_OVERLAP,
	wholeSecond,
} from '../watermark';

/** Maximum number of changes that one poll gives; the rest comes with the next. */
export const MAX_CHANGES = 5_000;

export interface RunPollResult<R> {
	state: RunState;
	changes: Array<RunChange<R>>;
	/** Runs that have been pending or running for too long. */
	exceeded: Array<ExceededDuration<R>>;
	/** For the log of n8n. */
	notes: string[];
}

export interface RunPollOptions {
	/** The state may be about another organization: what the service shows decides. */
	doubt?: Doubt;
	limits?: DurationLimits;
}

/**
 * One poll of the runs: what changed since `state`, and the state after it. Pure apart from the
 * source: the same state and the same responses give the same result, and `state` stays as it is.
 *
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollRuns<R>(
	state: RunState | undefined,
	scope: string,
	source: RunSource<R>,
	budget: Budget,
	{ doubt, limits = {} }: RunPollOptions = {},
): Promise<RunPollResult<R>> {
	const nothing = { changes: [], exceeded: [] };
	const read = async (previous?: RunState) => await runBaseline(previous, scope, source, budget);
	if (state && doubt) {
		const ask = async () => await isKnownService(state, source, budget);
		const found = await recognize(doubt, source, ask);
		if (found.kind === 'other') {
			const { since, note } = found;
			const begun = since !== undefined && newRunState(scope, since - HOUR, []);
			const next = begun ? { ...begun, baseline: 'active' as const, began: since } : await read();
			return { ...nothing, state: next, notes: [note] };
		}
		return { ...nothing, state: { ...state, doubt: found.doubt }, notes: [] };
	}
	if (!state || state.baseline) return { ...nothing, state: await read(state), notes: [] };
	return await new RunPoller(state, source, budget, limits).run();
}

/** One poll on its way. */
class RunPoller<R> {
	private readonly runs: TrackedRuns<R>;

	private readonly observed: ObservedRuns<R>;

	private checkedAt: Micros | undefined;

	/** Whether the list contradicted itself; undefined when none was read to its end. */
	private isOdd: boolean | undefined;

	/** Whether lists are taken as they are. */
	private readonly isTrusting: boolean;

	private readonly source: RunSource<R>;

	private readonly followed: FollowedRuns<R>;

	/** Where the list goes on, as long as this poll has not gone on there. */
	private resume: ListPosition | undefined;

	constructor(
		private readonly state: RunState,
		source: RunSource<R>,
		private readonly budget: Budget,
		limits: DurationLimits,
	) {
		this.isTrusting = isTrusting(state.odd, source.localNow());
		this.source = {
			...source,
			now: () => presentTime(source),
			knowsTime: () => isClockSure(source),
		};
		this.runs = new TrackedRuns(source.kind, state.runs, state.since);
		this.checkedAt = state.checkedAt;
		this.resume = state.resume;
		this.observed = new ObservedRuns(this.runs, this.source, limits, state.watermark);
		this.followed = new FollowedRuns(this.source, budget, this.observed);
	}

	async run(): Promise<RunPollResult<R>> {
		const done = await toResult(this.read());
		if (done.ok) return done.value;
		// It was the time that was too short: what has been read is kept, and that no cursor leads on.
		const hasRead = this.observed.shown.size > 0;
		if ((hasRead || this.resume !== this.state.resume) && this.budget.spent()) {
			return this.result(this.state.watermark, this.resume, hasRead);
		}
		throw done.error;
	}

	private async read(): Promise<RunPollResult<R>> {
		const { watermark } = this.state;
		const knownNewest = this.runs.newest;
		if (this.state.isWaiting) {
			// What fails here is tried again after the lists.
			await toResult(this.followed.readSingle());
			const isLate = this.budget.spent(FIRST_POLL_SHARE);
			if (isLate) return this.result(watermark, this.resume, this.observed.shown.size > 0);
		}
		if (await this.isAtRest()) {
			await this.followed.read();
			return this.result(watermark);
		}
		this.checkedAt = undefined;
		let read = await this.discover(watermark, this.state.resume);
		this.resume = undefined;
		if (read.kind === 'restart') {
			this.observed.notes.push(
				'The service no longer continues the list of runs; reading it again from the start.',
			);
			// The newest runs first: where no cursor leads on, the list may be too long for a poll.
			if (!this.budget.spent()) {
				await this.discover(this.notBeforeWatermark(knownNewest));
			}
			if (!this.budget.spent()) read = await this.discover(watermark);
			// Before any response, only n8n's clock could tell which runs ended long ago.
			if (read.kind === 'restart')
				return this.result(watermark, undefined, this.observed.shown.size > 0);
		}
		if (read.kind === 'truncated') return this.result(watermark, read.position);
		if (read.kind !== 'complete') return this.result(watermark);
		this.isOdd = read.isOdd;
		await this.followed.read();
		return this.result(this.watermarkAfter(read));
	}

	/** Whether nothing is newer than the newest run, when that is all that has to be known this time. */
	private async isAtRest(): Promise<boolean> {
		const { newest } = this.runs;
		if (newest === undefined || this.checkedAt === undefined || this.state.resume) return false;
		if (!mayRest(this.checkedAt, newest, this.source.now())) return false;
		const query = { createdFrom: listedFrom(this.notBeforeWatermark(newest)) };
		const first = await this.source.runs(query);
		// Only a response tells the service's time; n8n's clock may be far off.
		const isEnough = isResting(this.checkedAt, newest, this.source.now());
		if (this.observed.take(first.items) !== undefined || !isEnough) return false;
		if (first.next === undefined) {
			return this.isTrusting || first.items.length >= (first.total ?? 0);
		}
		// A service may name a page after the last run.
		const last = await this.source.runs(query, first.next);
		return this.observed.take(last.items) === undefined && last.next === undefined;
	}

	/**
	 * A clock that was behind for a while leaves a newest run that counts as shown before the watermark;
	 * what is older than that is not remembered.
	 */
	private notBeforeWatermark(newest = -Infinity): Micros {
		return Math.max(newest, this.state.watermark);
	}

	/** Reads all runs that were created since a time. */
	private async discover(from: Micros, position?: ListPosition): Promise<ListReading> {
		return await readList<R>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await this.source.runs({ createdFrom: listedFrom(from) }, cursor),
			keyOf: (run) => this.source.kind.read(run).id,
			take: (records) => this.observed.take(records),
			isEnough: () => this.observed.changes.length >= MAX_CHANGES,
			final: () => nextWatermark(this.state.watermark, this.runs.newest, RUN_OVERLAP),
			position,
		});
	}

	/**
	 * Where the next reading begins. One page shows all runs at one moment. Between several pages runs
	 * can slip when the list shifts, so the watermark stays before every run that was new or changed:
	 * it passes what a second reading has found unchanged.
	 */
	private watermarkAfter(read: Extract<ListReading, { kind: 'complete' }>): Micros {
		const { isOdd, isProven, isWhole, final, oldestNew } = read;
		const { watermark } = this.state;
		// Where lists are odd, one that goes over several polls can hide that it was again.
		const isDoubtful = isOdd || !isProven || (this.state.resume && this.state.odd);
		if (isDoubtful && !this.isTrusting) return this.bounded(watermark);
		if (isWhole) return final;
		if (oldestNew === undefined) this.checkedAt = this.source.now();
		const unchanged = Math.min(final, wholeSecond(oldestNew ?? Infinity));
		return this.bounded(Math.max(watermark, unchanged));
	}

	private bounded(watermark: Micros): Micros {
		const bound = this.runs.bound();
		if (bound === undefined || bound <= watermark) return watermark;
		this.observed.notes.push('Too many runs to remember; the overlap is shortened.');
		return bound;
	}

	private result(watermark: Micros, resume?: ListPosition, mayForget = true): RunPollResult<R> {
		const now = this.source.now();
		const exceeded = this.observed.exceeded();
		const { scope, since } = this.state;
		const entries = this.runs.entries(listedFrom(watermark), mayForget ? now : undefined);
		const state = newRunState(scope, watermark, entries, since);
		if (resume) state.resume = resume;
		// One poll in two: neither lists nor single runs that fail keep the others waiting.
		if (this.followed.isWaiting && !this.state.isWaiting) state.isWaiting = true;
		if (this.checkedAt !== undefined) state.checkedAt = this.checkedAt;
		const odd = oddPollsAfter(this.state.odd, this.isOdd, this.source.localNow());
		if (odd) state.odd = odd;
		const { changes, notes } = this.observed;
		return { state, changes, exceeded, notes };
	}
}

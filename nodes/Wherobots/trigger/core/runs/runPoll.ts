import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { readList, type ListPosition, type ListReading } from '../readList';
import { OTHER_ORGANIZATION, recognize, SHARE_OF_QUESTIONS, WITNESSES } from '../recognizeKey';
import { shareOf, type Budget, type RunQuery, type RunSource } from '../source';
import { newRunState, type Doubt, type RunState } from '../state';
import {
	DAY,
	HOUR,
	isResting,
	isTrusting,
	listedFrom,
	nextWatermark,
	oddPollsAfter,
	restUntil,
	wholeSecond,
} from '../watermark';
import { followRuns, SHARE_OF_LISTS } from './followedRuns';
import { ObservedRuns } from './observedRuns';
import type { DurationLimits, ExceededDuration } from './runDurations';
import { TrackedRuns, type RunChange } from './trackedRuns';

/** Maximum number of changes that one poll gives; the rest comes with the next. */
export const MAX_CHANGES = 5_000;

/** How often a first poll reads a list of active runs that shifts between its pages. */
const MAX_READINGS = 4;

export interface RunPollResult<R> {
	state: RunState;
	changes: Array<RunChange<R>>;
	/** The runs that the service has shown, but for a first poll. */
	shown: R[];
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
 * A first poll reads the active runs and those of the last hour, and nothing of it fires; later
 * changes of what it has read do. It may take several polls.
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
	if (!state || !doubt) return await new RunPoller(state, scope, source, budget, limits).run();
	const found = await recognize(doubt, source, async () => {
		const ids = new TrackedRuns(source.kind, state.runs).newestIds(WITNESSES);
		if (ids.length === 0) return 'nothingRemembered';
		for (const id of ids) {
			if ((await source.run(id)) !== undefined) return 'known';
			if (budget.spent(SHARE_OF_QUESTIONS)) break;
		}
		return 'unknown';
	});
	const nothing = { changes: [], shown: [], exceeded: [], notes: [] };
	if (found.kind === 'open') return { ...nothing, state: { ...state, doubt: found.doubt } };
	const notes = [OTHER_ORGANIZATION];
	if (found.since === undefined) {
		const first = await new RunPoller(undefined, scope, source, budget, limits).run();
		return { ...first, notes: [...first.notes, ...notes] };
	}
	const since = wholeSecond(found.since) - 1;
	const begun: RunState = { ...newRunState(scope, since - HOUR, []), since, baseline: 0 };
	return { ...nothing, state: begun, notes };
}

/** One poll on its way. */
class RunPoller<R> {
	private readonly observed: ObservedRuns<R>;

	/** Where the list goes on, as long as this poll has not gone on there. */
	private resume: ListPosition | undefined;

	private baseline: number | undefined;

	/** Whether it begins with the active runs: what becomes of them is left to the next poll. */
	private readonly isFirst: boolean;

	private restUntil: Micros | undefined;

	/** Whether the list contradicted itself; undefined when none was read to its end. */
	private isOdd: boolean | undefined;

	/** Whether lists are taken as they are. */
	private readonly isTrusting: boolean;

	constructor(
		private readonly state: RunState | undefined,
		private readonly scope: string,
		source: RunSource<R>,
		private readonly budget: Budget,
		private readonly limits: DurationLimits,
	) {
		this.isTrusting = isTrusting(state?.odd, source.localNow());
		this.resume = state?.resume;
		this.restUntil = state?.restUntil;
		this.baseline = state ? state.baseline : 0;
		this.isFirst = this.baseline !== undefined && this.baseline < MAX_READINGS;
		this.observed = new ObservedRuns(source, state);
	}

	async run(): Promise<RunPollResult<R>> {
		const done = await toResult(this.read());
		// It was the time that was too short: what has been read is kept, and that no cursor leads on.
		const hasRead = this.observed.hasResponse || this.resume !== this.state?.resume;
		if (!done.ok && !(hasRead && this.budget.spent())) throw done.error;
		return this.result();
	}

	private async read(): Promise<void> {
		if (!(await this.hasListedActive())) return;
		if (!(await this.isAtRest())) await this.readRecent();
		if (!this.isFirst) await followRuns(this.observed, this.budget);
	}

	/** Lists the active runs of a first poll, and again while a list of several pages shows others. */
	private async hasListedActive(): Promise<boolean> {
		if (!this.isFirst) return true;
		const { observed } = this;
		const query = { statuses: observed.source.kind.active };
		for (let readings = this.baseline ?? 0; readings < MAX_READINGS; this.baseline = readings) {
			if (observed.hasResponse && this.budget.spent(2 * SHARE_OF_LISTS)) return false;
			const read = await this.list(query, 2 * SHARE_OF_LISTS, true);
			if (read.kind === 'truncated') return false;
			const isDone = read.kind === 'complete' && (read.isPage || read.oldestNew === undefined);
			readings = isDone ? MAX_READINGS : readings + 1;
		}
		// A clock that is ahead and that no response corrects must not leave out the last hour.
		const { since = 0, source } = observed;
		observed.watermark = wholeSecond(since + 1 - (source.knowsTime() ? HOUR : DAY));
		return !this.budget.spent(2 * SHARE_OF_LISTS);
	}

	/** Whether nothing is newer than the newest run, when that is all that has to be known this time. */
	private async isAtRest(): Promise<boolean> {
		const { newest, source, watermark } = this.observed;
		if (newest === undefined || !isResting(this.restUntil, source.localNow())) return false;
		const createdFrom = listedFrom(Math.max(newest, watermark));
		const read = await this.list({ createdFrom }, SHARE_OF_LISTS);
		const isWhole = read.kind === 'complete' && (!read.isOdd || this.isTrusting);
		if (isWhole && read.oldestNew === undefined) return true;
		this.resume = undefined;
		return false;
	}

	/** Reads all runs that were created since the watermark, and moves it. */
	private async readRecent(): Promise<void> {
		const { observed } = this;
		this.restUntil = undefined;
		const query = { createdFrom: listedFrom(observed.watermark) };
		let read = await this.list(query, SHARE_OF_LISTS);
		if (read.kind === 'restart') {
			observed.notes.push(
				'The service no longer continues the list of runs; reading it again from the start.',
			);
			if (this.budget.spent()) return;
			read = await this.list(query, SHARE_OF_LISTS);
		}
		if (read.kind !== 'complete') return;
		this.isOdd = read.isOdd;
		// Where lists are odd, one that goes over several polls can hide that it was again.
		const isDoubtful = read.isOdd || read.isGrown || (this.state?.resume && this.state.odd);
		if (!isDoubtful || this.isTrusting) this.moveWatermark(read);
		const bound = observed.tracked.bound() ?? 0;
		if (bound <= observed.watermark) return;
		observed.notes.push('Too many runs to remember; the overlap is shortened.');
		observed.watermark = bound;
	}

	private moveWatermark(read: Extract<ListReading, { kind: 'complete' }>): void {
		const { observed } = this;
		const { newest, source, watermark } = observed;
		const { final, isPage, oldestNew = Infinity } = read;
		observed.watermark = Math.max(watermark, Math.min(final, wholeSecond(oldestNew)));
		if (this.baseline !== undefined) {
			this.baseline = undefined;
			// Runs may appear late; and no clock says more than what was shown.
			observed.since = newest && Math.min(observed.since ?? Infinity, newest - source.kind.overlap);
		}
		if (isPage || oldestNew !== Infinity || newest === undefined) return;
		this.restUntil = restUntil(newest, source.now(), source.localNow());
	}

	/** Reads a list from where it was left, and notes where it goes on. */
	private async list(query: RunQuery, share: number, isActive = false): Promise<ListReading> {
		const { observed } = this;
		const { source } = observed;
		const known = this.isFirst ? observed : (this.state ?? observed);
		const read = await readList<R>({
			source,
			budget: shareOf(this.budget, share),
			readPage: async (cursor) => await source.runs(query, cursor),
			keyOf: (run) => source.kind.read(run).id,
			take: (records) =>
				this.isFirst
					? observed.takeSilently(records, isActive ? -Infinity : observed.watermark)
					: observed.take(records),
			isEnough: () => observed.changes.length >= MAX_CHANGES,
			// What this reading shows says nothing of the page before: runs slip between pages.
			final: () => nextWatermark(observed.watermark, known.newest, source.kind.overlap),
			position: this.resume,
		});
		this.resume = read.kind === 'truncated' ? read.position : undefined;
		return read;
	}

	private result(): RunPollResult<R> {
		const { changes, hasResponse, newest, notes, since, source, tracked, watermark } =
			this.observed;
		const exceeded = this.observed.exceeded(this.limits);
		const runs = tracked.entries(listedFrom(watermark), hasResponse ? source.now() : undefined);
		const state: RunState = {
			...newRunState(this.scope, watermark, runs),
			newest,
			since,
			baseline: this.baseline,
			resume: this.resume,
			restUntil: this.restUntil,
			odd: oddPollsAfter(this.state?.odd, this.isOdd, source.localNow()),
		};
		const shown = this.isFirst ? [] : [...this.observed.shown.values()].map(({ run }) => run);
		return { state, changes, shown, exceeded, notes };
	}
}

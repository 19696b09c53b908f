import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import { runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import { settle } from '../../transport/failure';
import type { Page } from '../../transport/records';
import {
	type Budget,
	Cursor,
	DAY,
	HOUR,
	describeInconsistency,
	type ListReading,
	fetchListing,
	type RunState,
	SECOND,
	type Source,
	floorToSecond,
	takeShare,
} from './cursor';
import { isUsable, TrackedRuns, type RunChange } from './runs';

/** Maximum number of changes that one poll returns; the next one returns the rest. */
export const MAX_CHANGES = 5_000;

/** How often a first poll reads a list of active runs with several pages, which may shift. */
const BASELINE_READINGS = 2;

/** How many runs a page of a list has. */
const PAGE_SIZE = 100;

/** The share of a poll's time after which lists are left unfinished, so that single runs get their turn. */
const SHARE_OF_LISTS = 1 / 3;

/** What lists of runs can be asked for: those created at or after a time, or those with one of these statuses. */
type RunQuery = { createdFrom: Micros } | { statuses: readonly string[] };

export interface RunSource<R extends RunRecord> extends Source {
	readonly kind: RunKind<R>;
	/** Whether requests wait for the rate limit for seconds. */
	isCrowded(): boolean;
	/** A page of runs. */
	runs(query: RunQuery, cursor?: string): Promise<Page<R>>;
	/** One run; undefined when there is none. */
	run(id: string): Promise<R | undefined>;
}

/** A run as the service has shown it, and the service's time then. */
interface ShownRun<R> {
	run: R;
	at: Micros;
}

export interface RunPollResult<R extends RunRecord> {
	state: RunState;
	changes: Array<RunChange<R>>;
	/** The runs that the service has shown, if they are kept; except in a first poll. */
	shown: Array<ShownRun<R>>;
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
 * @param keepsShown whether to keep all runs that the service shows: thousands of them take longer to
 * keep than to read
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollRuns<R extends RunRecord>(
	state: RunState | undefined,
	scope: string,
	source: RunSource<R>,
	budget: Budget,
	keepsShown = false,
): Promise<RunPollResult<R>> {
	if (state) return await new RunPoll(state, source, budget, keepsShown).run();
	// Asks for what is newer than now, only to learn the service's time.
	await source.runs({ createdFrom: floorToSecond(source.now()) });
	const began = floorToSecond(source.now());
	const back = source.isClockSure() ? HOUR : DAY;
	const begun = { scope, watermark: began - back, runs: [], began, baseline: BASELINE_READINGS };
	// What is from the second in which it began was there before.
	return await new RunPoll(begun, source, budget, keepsShown, began + SECOND).run();
}

/** One poll in progress. */
class RunPoll<R extends RunRecord> {
	private readonly cursor: Cursor;

	private readonly tracked: TrackedRuns;

	private readonly changes: Array<RunChange<R>> = [];

	private readonly notes: string[] = [];

	/** The runs that this poll has been shown, by their IDs; without what is not kept. */
	private readonly shown = new Map<string, ShownRun<R> | undefined>();

	/** How often the list of active runs has to be read before anything is reported. */
	private baseline: number;

	/** Runs created from then on are not looked for, as the rest of an unfinished list will show them. */
	private followedUntil = Infinity;

	/** Whether runs are only recorded as they are, and their changes left to the next poll. */
	private readonly isSilent: boolean;

	/** @param newFrom when an unfinished first poll began: older runs do not count as new */
	constructor(
		private readonly state: RunState,
		private readonly source: RunSource<R>,
		private readonly budget: Budget,
		private readonly keepsShown: boolean,
		private readonly newFrom: Micros = state.began ?? -Infinity,
	) {
		this.cursor = new Cursor(state, source.kind.overlap);
		this.tracked = new TrackedRuns(source.kind, state.runs);
		this.baseline = state.baseline ?? 0;
		this.isSilent = this.baseline > 0;
	}

	async run(): Promise<RunPollResult<R>> {
		if (await this.hasListedActive()) await this.readRecent();
		if (!this.isSilent) await this.follow();
		return this.result();
	}

	/** Lists the active runs of a first poll; twice, if the list takes several pages. */
	private async hasListedActive(): Promise<boolean> {
		const { source, budget } = this;
		const share = 2 * SHARE_OF_LISTS;
		while (this.baseline > 0) {
			if (budget.spent(share)) return false;
			const read = await this.list({ statuses: source.kind.active }, share, -Infinity);
			if (read.kind !== 'complete') return false;
			this.baseline = read.isPage ? 0 : this.baseline - 1;
		}
		return !this.isSilent || !budget.spent(share);
	}

	/** Reads all runs that were created since the watermark, and moves it. */
	private async readRecent(): Promise<void> {
		const { budget, cursor, notes, tracked } = this;
		const { listedFrom } = cursor;
		const read = await this.list({ createdFrom: listedFrom }, SHARE_OF_LISTS, listedFrom);
		if (read.kind === 'truncated') {
			this.followedUntil = listedFrom;
			return;
		}
		const isPassed = cursor.pass(read);
		if (isPassed) cursor.began = undefined;
		else notes.push(describeInconsistency('runs'));
		// Until a first poll is finished, late runs from before it count as old.
		if (!isPassed && this.isSilent && !budget.spent()) return await this.readRecent();
		// More than can be remembered shortens the overlap.
		cursor.move(tracked.bound(cursor.final) ?? 0);
	}

	/** Reads a list from where the last poll stopped, and records where it continues. */
	private async list(query: RunQuery, share: number, from: Micros): Promise<ListReading> {
		const { cursor, source, tracked } = this;
		const { final } = cursor;
		const read = await fetchListing<R>({
			budget: takeShare(this.budget, share),
			readPage: async (at) => await source.runs(query, at),
			keyOf: ({ id }) => id,
			take: (runs) => this.take(runs, from),
			isEnough: () => this.changes.length >= MAX_CHANGES,
			isKnown: (total) =>
				!this.isSilent && total === tracked.countFrom(from) && this.isAbreast(total),
			final,
			position: cursor.resume,
		});
		cursor.resume = read.kind === 'truncated' ? read.position : undefined;
		return read;
	}

	/**
	 * Whether a list from which the watermark moves is not behind what is known: as many others could then
	 * make up for what it lacks. It shows the newest run of all, and no fewer than the last list stated.
	 */
	private isAbreast(total: number): boolean {
		const { cursor, shown, state, tracked } = this;
		const isNew = shown.has(tracked.newest() ?? '') && total >= (state.inconsistent ?? 0);
		return cursor.final === cursor.time || isNew;
	}

	/**
	 * Takes runs as the service shows them; returns the creation time of the oldest one that is new.
	 *
	 * @param from unknown runs that are older are left out: a service may ignore the start of the requested range
	 */
	private take(runs: R[], from: Micros = this.cursor.listedFrom): Micros | undefined {
		const { cursor, isSilent, keepsShown, newFrom, source, tracked } = this;
		const now = source.now();
		let oldest: Micros | undefined;
		for (const run of runs) {
			if (!isUsable(run)) continue;
			const { id } = run;
			const isKnown = tracked.has(id);
			const given = isKnown ? undefined : run.created;
			const created = given ?? now;
			if (!isKnown && created < from) continue;
			// The next poll will list it.
			if (isSilent && (isKnown || (given !== undefined && given >= newFrom))) continue;
			if (given !== undefined) cursor.show(given, now);
			const previousStatus = tracked.observe(run, created);
			// Of what two lists show differently, the earlier one may be the newer.
			const isNewest = !this.shown.has(id) || tracked.isLast(run);
			if (!isSilent && isNewest) this.shown.set(id, keepsShown ? { run, at: now } : undefined);
			if (previousStatus === undefined) continue;
			if (!isKnown) oldest = Math.min(oldest ?? Infinity, created);
			if (!isSilent && (isKnown || created >= newFrom)) this.changes.push({ run, previousStatus });
		}
		return oldest;
	}

	/** Reads the tracked runs that the list of recent ones has not shown. */
	private async follow(): Promise<void> {
		const { budget, notes, source } = this;
		if (budget.spent()) return;
		let isWhole = true;
		if (this.unseen().length > 1) {
			const read = await settle(
				fetchListing<R>({
					budget: takeShare(budget, SHARE_OF_LISTS),
					readPage: async (cursor) => await source.runs({ statuses: source.kind.active }, cursor),
					keyOf: ({ id }) => id,
					take: (runs) => this.take(runs),
				}),
			);
			// Each run can still be read by itself; if the service is down, that fails, too.
			const why = read.ok ? '' : ` (${(read.error as Error).message})`;
			if (read.ok) isWhole = read.value.kind === 'complete' && !read.value.inconsistent;
			if (!read.ok || !isWhole) notes.push(`Not all active runs could be listed${why}.`);
		}
		// A run that the list did not show has ended, or the list was cut short: only the run itself tells.
		await this.readSingle(isWhole);
	}

	private unseen(): string[] {
		const { followedUntil, shown, tracked } = this;
		return tracked.active(followedUntil).filter((id) => !shown.has(id));
	}

	/**
	 * Reads single runs, as far as time allows. While time or the rate is short, no more of them than a list
	 * would have pages, as more requests would make it shorter still. The others have their turn in the next
	 * polls.
	 */
	private async readSingle(isWhole: boolean): Promise<void> {
		const ids = this.unseen();
		const pages = Math.ceil(ids.length / PAGE_SIZE);
		const { source } = this;
		const isShort = () => !isWhole || source.isCrowded();
		const failures: unknown[] = [];
		let hasRead = false;
		await runInParallel(ids.length, READS_AT_ONCE, async (index) => {
			if (this.budget.spent() || (index >= pages && isShort())) return;
			const response = await settle(source.run(ids[index]));
			if (!response.ok) return void failures.push(response.error);
			hasRead = true;
			this.takeSingle(ids[index], response.value);
		});
		if (failures.length === 0) return;
		// One run that cannot be read must not hide the others; only when all fail is it an error, unless there
		// was no time for them.
		if (!hasRead && this.changes.length === 0 && !source.isCrowded()) throw failures[0];
		this.notes.push(`Runs that could not be read: ${failures.length}. The next poll tries again.`);
	}

	/** @param run undefined when it was not found */
	private takeSingle(id: string, run: R | undefined): void {
		const { notes, source, tracked } = this;
		const now = source.now();
		if (run === undefined) {
			if (tracked.isGone(id, now)) notes.push(`Run ${id} is no longer followed: it was not found.`);
			return;
		}
		if (!isUsable(run) || run.id !== id) return;
		this.take([run]);
		if (tracked.isStale(run, now)) {
			notes.push(`Run ${id} is no longer followed: it has been ${run.status} for too long.`);
		}
	}

	private result(): RunPollResult<R> {
		const { baseline, changes, cursor, notes, state, tracked } = this;
		const shown = [...this.shown.values()].filter((each) => each !== undefined);
		if (cursor.isShortened) {
			notes.push('Too many runs to remember: runs that appear late in the list may be missed.');
		}
		const next: RunState = {
			...cursor.fields(),
			scope: state.scope,
			runs: tracked.entries(cursor.listedFrom),
			baseline: baseline || undefined,
		};
		return { state: next, changes, shown, notes };
	}
}

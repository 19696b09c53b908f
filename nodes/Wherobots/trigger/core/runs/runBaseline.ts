import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { isClockSure, presentTime } from '../presentTime';
import { readList, type ListPosition } from '../readList';
import { FIRST_POLL_SHARE, shareOf, type Budget, type RunSource } from '../source';
import { newRunState, type RunState } from '../state';
import { isUsable, TrackedRuns } from './trackedRuns';
import {
	DAY,
	earlier,
	HOUR,
	later,
	listedFrom,
	newSince,
	nextWatermark,
	RUN_OVERLAP,
} from '../watermark';

/** How often a list that shifts between its pages, or whose cursors are refused, is read. */
const MAX_READINGS = 4;

/**
 * The first poll: what is there already does not fire, but what becomes of active runs will be, and
 * runs that are younger than its first response. Those are left to the next poll. It may take
 * several polls; then its state says where it continues.
 *
 * @param previous the state of a first poll that is not finished
 */
export async function runBaseline<R>(
	previous: RunState | undefined,
	scope: string,
	source: RunSource<R>,
	budget: Budget,
): Promise<RunState> {
	return await new Baseline(previous, scope, source, budget).read();
}

class Baseline<R> {
	private readonly runs: TrackedRuns<R>;

	private resume: ListPosition | undefined;

	private began: Micros | undefined;

	/** How often the present list has been begun, in this poll and in earlier ones. */
	private readings: number;

	/** When the first response was given, by the service's time. */
	private respondedAt: Micros | undefined;

	private responses = 0;

	private isRefused = false;

	/** The end of a list was out of reach, so what was not read is known by its time alone. */
	private isCutShort = false;

	constructor(
		private readonly previous: RunState | undefined,
		private readonly scope: string,
		private readonly source: RunSource<R>,
		private readonly budget: Budget,
	) {
		this.runs = new TrackedRuns(source.kind, previous?.runs);
		this.resume = previous?.resume;
		this.began = previous?.began;
		this.readings = previous?.readings ?? 0;
		// A list that was begun and has no cursor to go on from was given up.
		this.isRefused = this.readings > 0 && this.resume === undefined;
	}

	async read(): Promise<RunState> {
		const isListing = this.previous?.baseline === 'recent';
		if (!isListing) {
			const read = await this.readTwice({ statuses: this.source.kind.active });
			if (!read) return this.unfinished('active', this.from(HOUR));
			this.readings = 0;
		}
		let watermark = isListing ? (this.previous as RunState).watermark : this.from(HOUR);
		// The longer range makes up for a clock that is ahead and that nobody corrects.
		for (const next of [this.from(DAY), undefined]) {
			const read = await this.readTwice({ createdFrom: listedFrom(watermark) });
			if (!read) return this.unfinished('recent', watermark);
			if (read.isWhole) watermark = nextWatermark(watermark, this.runs.newest, RUN_OVERLAP);
			if (read.records > 0 || next === undefined || watermark <= next) break;
			watermark = next;
			this.readings = 0;
		}
		const entries = this.runs.entries(listedFrom(watermark), this.now());
		const since = this.isCutShort ? later(this.runs.newest, this.began) : this.runs.newest;
		return newRunState(this.scope, watermark, entries, since);
	}

	private now(): Micros {
		return presentTime(this.source);
	}

	/** A time so much before the first poll began. */
	private from(back: Micros): Micros {
		return (this.began ?? this.now()) - back;
	}

	/**
	 * Reads a list, and again while it has several pages and shows runs that were there before and are
	 * new. Whatever a last reading leaves out is found by the polls that follow.
	 *
	 * @returns undefined when the time of the poll is over
	 */
	private async readTwice(
		query: Parameters<RunSource<R>['runs']>[0],
	): Promise<{ records: number; isWhole: boolean } | undefined> {
		const { kind } = this.source;
		const budget = shareOf(this.budget, FIRST_POLL_SHARE);
		// A service that ignores from when on it is asked for runs shows older ones, too.
		const from = 'createdFrom' in query ? query.createdFrom : -Infinity;
		for (;;) {
			if (this.responses > 0 && budget.spent()) return undefined;
			const { resume } = this;
			let records = resume?.count ?? 0;
			const reading = readList<R>({
				source: this.source,
				budget,
				readPage: async (cursor) => {
					const askedAt = this.now();
					const page = await this.source.runs(query, cursor);
					this.responses += 1;
					if (this.began !== undefined) return page;
					// Without the service's time, what happened while the response was on its way may be on no page.
					this.respondedAt ??= isClockSure(this.source) ? this.now() : askedAt;
					return page;
				},
				keyOf: (run) => kind.read(run).id,
				take: (items) => {
					records += items.filter((run) => (kind.read(run).created ?? Infinity) >= from).length;
					return this.take(items);
				},
				position: resume,
			});
			const done = await toResult(reading);
			if (!done.ok) {
				// What has been read is kept: it was the time that was too short.
				if (this.responses > 0 && budget.spent()) return undefined;
				throw done.error;
			}
			const read = done.value;
			this.readings += resume ? 0 : 1;
			this.resume = read.kind === 'truncated' ? read.position : undefined;
			const isLast = this.readings >= MAX_READINGS;
			if (read.kind === 'truncated') {
				if (!isLast || !this.isRefused) return undefined;
				this.resume = undefined;
				this.isCutShort = true;
				return { records, isWhole: false };
			}
			if (read.kind !== 'complete') {
				this.isRefused = true;
				if (budget.spent()) return undefined;
				continue;
			}
			const { isWhole, oldestNew } = read;
			if (isWhole || isLast || oldestNew === undefined) return { records, isWhole };
		}
	}

	private take(records: R[]): Micros | undefined {
		let oldestNew: Micros | undefined;
		const now = this.previous?.began === undefined ? this.now() : undefined;
		const since = newSince(this.began, now);
		for (const run of records) {
			const facts = this.source.kind.read(run);
			const { id, created = -Infinity, ended = -Infinity } = facts;
			// What becomes of a run meanwhile fires.
			if (!isUsable(facts) || this.runs.get(id) || created >= since) continue;
			this.runs.observe(run, this.now());
			if (ended >= since) this.runs.forgetEnd(id);
			oldestNew = earlier(oldestNew, this.runs.get(id)?.created);
		}
		this.began ??= this.respondedAt ?? this.now();
		return oldestNew;
	}

	private unfinished(baseline: 'active' | 'recent', watermark: Micros): RunState {
		const now = this.responses > 0 ? this.now() : undefined;
		const entries = this.runs.entries(-Infinity, now);
		const state = newRunState(this.scope, watermark, entries);
		const { began, readings, resume } = this;
		return { ...state, baseline, began, readings, resume };
	}
}

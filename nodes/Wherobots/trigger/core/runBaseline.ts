import { ACTIVE_STATUSES, isTerminal } from '../../service/runs';
import { parseServiceTime, type Micros } from '../../service/time/time';
import type { Run } from '../../service/types';
import { later, readPages, type Reading, type Resume } from './readPages';
import type { Budget, RunSource } from './source';
import { newRunState, type RunState } from './state';
import { createdAt, isUsable, TrackedRuns } from './trackedRuns';
import { DAY, HOUR, isSince, listedFrom, nextWatermark, RUN_OVERLAP } from './watermark';

/** How often a list that shifts between its pages is read until it shows nothing new. */
const MAX_READINGS = 4;

/** Remembered runs that are looked for to tell whether the organization is the same one, and how often. */
const WITNESSES = 3;
const ATTEMPTS = 2;

/**
 * The first poll: what is there already is no news, but what becomes of active runs will be, and
 * runs that are younger than its first response. Those are left to the next poll. It may take
 * several polls; then its state says where it continues.
 *
 * @param begun the state of a first poll that is not finished
 */
export async function runBaseline(
	begun: RunState | undefined,
	scope: string,
	source: RunSource,
	budget: Budget,
): Promise<RunState> {
	return await new Baseline(begun, scope, source, budget).read();
}

class Baseline {
	private readonly runs: TrackedRuns;

	private resume: Resume | undefined;

	private began: Micros | undefined;

	constructor(
		private readonly begun: RunState | undefined,
		private readonly scope: string,
		private readonly source: RunSource,
		private readonly budget: Budget,
	) {
		this.runs = new TrackedRuns(begun?.runs);
		this.resume = begun?.resume;
		this.began = begun?.began;
	}

	async read(): Promise<RunState> {
		if (this.begun?.baseline !== 'recent') {
			const read = await this.readTwice({ statuses: ACTIVE_STATUSES });
			if (!read) return this.unfinished('active', this.source.now() - HOUR);
		}
		let watermark = this.begun?.baseline === 'recent' ? this.begun.watermark : undefined;
		// The longer range makes up for a clock that is ahead and that nobody corrects.
		const ranges = watermark === undefined ? [HOUR, DAY] : [HOUR];
		for (const back of ranges) {
			watermark =
				this.begun?.baseline === 'recent' ? watermark : (this.began ?? this.source.now()) - back;
			const createdFrom = listedFrom(watermark as Micros);
			const read = await this.readTwice({ createdFrom });
			if (!read) return this.unfinished('recent', watermark as Micros);
			if (read.records === 0) continue;
			if (read.pages === 1) {
				watermark = nextWatermark(watermark as Micros, read.newest, RUN_OVERLAP);
			}
			break;
		}
		const from = watermark as Micros;
		const entries = this.runs.entries(listedFrom(from), this.source.now());
		return newRunState(this.scope, from, entries, this.runs.newest);
	}

	/** Reads a list, and again while it has several pages and shows something new; undefined when the time is over. */
	private async readTwice(
		query: Parameters<RunSource['runs']>[0],
	): Promise<{ records: number; pages: number; newest?: Micros } | undefined> {
		for (let reading = 1; ; reading++) {
			let records = 0;
			let news = 0;
			const read = await readPages<Run>({
				source: this.source,
				budget: this.budget,
				readPage: async (cursor) => await this.source.runs(query, cursor),
				keyOf: (run) => String(run?.id),
				take: (items) => {
					records += items.length;
					const { newest, fresh } = this.take(items);
					news += fresh;
					return { newest };
				},
				resume: this.resume,
			});
			this.resume = read.kind === 'truncated' ? read.resume : undefined;
			if (read.kind === 'truncated') return undefined;
			if (read.kind === 'restart') continue;
			if (read.pages === 1 || news === 0 || reading >= MAX_READINGS) return { records, ...read };
		}
	}

	private take(records: Run[]): Reading & { fresh: number } {
		const reading: Reading & { fresh: number } = { fresh: 0 };
		for (const run of records.filter(isUsable)) {
			// What becomes of a run meanwhile is news.
			if (!this.runs.get(run.id)) {
				if (isSince(createdAt(run), this.began)) continue;
				reading.fresh += 1;
				this.runs.observe(this.asItWas(run), this.source.now());
			}
			if (createdAt(run) !== undefined) {
				reading.newest = later(reading.newest, this.runs.shown(run.id));
			}
		}
		this.began ??= this.source.now();
		return reading;
	}

	/** A run as it was when the first poll began: one that has ended since was active then. */
	private asItWas(run: Run): Run {
		const hasEndedSince =
			isTerminal(run.status) && isSince(parseServiceTime(run.completeTime), this.began);
		return hasEndedSince ? { ...run, status: run.startTime ? 'RUNNING' : 'PENDING' } : run;
	}

	private unfinished(baseline: 'active' | 'recent', watermark: Micros): RunState {
		const entries = this.runs.entries(-Infinity, this.source.now());
		const state = newRunState(this.scope, watermark, entries);
		return { ...state, baseline, began: this.began, resume: this.resume };
	}
}

/**
 * Whether the service still knows one of the runs that are remembered: by a list, then one by one,
 * since either may be wrong for once. Without any there is nothing to go on from.
 */
export async function isSameService(state: RunState, source: RunSource): Promise<boolean> {
	const runs = new TrackedRuns(state.runs);
	if (runs.newest === undefined) return false;
	const createdFrom = listedFrom(runs.newest);
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const { items } = await source.runs({ createdFrom });
		if (items.some((run) => isUsable(run) && runs.get(run.id) !== undefined)) return true;
		for (const id of runs.newestIds(WITNESSES)) {
			if (await source.run(id)) return true;
		}
	}
	return false;
}

import { ACTIVE_STATUSES, isTerminal } from '../../service/runs';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import { inParallel } from '../../transport/inParallel';
import { nextWatermark, RUN_OVERLAP } from './watermark';
import type { Budget, MicroTime, RunSource } from './source';
import { newRunState, type RunState } from './state';
import { readPages, type Resume, type PagedReadResult } from './readPages';
import { settled } from '../../transport/settled';
import { createdAt, isUsable, TrackedRuns, type RunChange } from './trackedRuns';

const SECOND: MicroTime = 1_000_000;
const HOUR = 3600 * SECOND;

/** How far back the first look goes, so that runs which ended before it are known as old ones. */
const BASELINE_RANGE = HOUR;

/** Most changes that one poll gives; the rest comes with the next. */
export const MAX_CHANGES = 5_000;

/** Single runs that are result up at once. */
const LOOKUPS_AT_ONCE = 10;

/** The share of a poll's time after which lists are left unfinished, so that single runs get their turn. */
const SHARE_OF_LISTS = 0.75;

/** A run in a status that nobody has heard of is followed for its timeout and a day. */
const AGE_OUT = 24 * HOUR;

type FinishedRead = Exclude<PagedReadResult, { kind: 'restart' }>;

export interface RunPollResult {
	state: RunState;
	changes: RunChange[];
	/** For the log of n8n. */
	notes: string[];
}

/**
 * One look at the runs: what changed since `state`, and the state after it. Pure apart from the
 * source: the same state and the same answers give the same result, and `state` stays as it is.
 *
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollRuns(
	state: RunState | undefined,
	scope: string,
	source: RunSource,
	budget: Budget,
): Promise<RunPollResult> {
	if (!state) return { state: await takeBaseline(scope, source, budget), changes: [], notes: [] };
	return await new RunPoller(state, source, budget).run();
}

/** The first look: what is there already is no news, but what becomes of active runs will be. */
async function takeBaseline(scope: string, source: RunSource, budget: Budget): Promise<RunState> {
	const runs = new TrackedRuns();
	const baseline = async (readPage: Parameters<typeof readPages<Run>>[0]['readPage']) => {
		const read = await readPages<Run>({
			source,
			budget,
			readPage,
			keyOf,
			take(records, startedAt) {
				for (const run of records.filter(isUsable)) {
					if (!runs.has(run.id)) runs.observe(run, -Infinity, startedAt);
				}
				return newestOf(records, startedAt);
			},
		});
		if (read.kind === 'complete') return read;
		throw source.broken('the time of a poll was over before all runs were known');
	};
	await baseline(async (cursor) => await source.runs({ statuses: ACTIVE_STATUSES }, cursor));
	const createdFrom = source.now() - BASELINE_RANGE;
	const recent = await baseline(async (cursor) => await source.runs({ createdFrom }, cursor));
	const watermark = nextWatermark(createdFrom, recent, RUN_OVERLAP);
	return newRunState(scope, watermark, runs.entries(listedFrom(watermark)));
}

/**
 * The time that the list is asked for. The filter has whole seconds and is called "after": one
 * second more, so that no reading of it leaves out a run of that second.
 */
export function listedFrom(watermark: MicroTime): MicroTime {
	return Math.floor(watermark / SECOND) * SECOND - SECOND;
}

/** One poll on its way. */
class RunPoller {
	private readonly runs: TrackedRuns;

	private readonly changes: RunChange[] = [];

	private readonly notes: string[] = [];

	/** Runs that a list has shown in this poll. */
	private readonly shown = new Set<string>();

	constructor(
		private readonly state: RunState,
		private readonly source: RunSource,
		private readonly budget: Budget,
	) {
		this.runs = new TrackedRuns(state.runs);
	}

	async run(): Promise<RunPollResult> {
		const read = await this.discover(this.state.resume);
		if (read.kind === 'truncated') return this.result(this.state.watermark, read.resume);
		await this.follow();
		return this.result(nextWatermark(this.state.watermark, read, RUN_OVERLAP));
	}

	/** Reads all runs that were created since the watermark. */
	private async discover(resume: Resume | undefined): Promise<FinishedRead> {
		const createdFrom = listedFrom(this.state.watermark);
		const read = await readPages<Run>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await this.source.runs({ createdFrom }, cursor),
			keyOf,
			take: (records, startedAt) => this.take(records, startedAt),
			isFull: () => this.changes.length >= MAX_CHANGES,
			resume,
		});
		if (read.kind !== 'restart') return read;
		this.notes.push('The service no longer continues the list of runs; it is read anew.');
		return await this.discover(undefined);
	}

	private take(records: Run[], startedAt: MicroTime): MicroTime | undefined {
		for (const run of records.filter(isUsable)) {
			this.shown.add(run.id);
			this.observe(run, startedAt);
		}
		return newestOf(records, startedAt);
	}

	private observe(run: Run, now: MicroTime): void {
		const change = this.runs.observe(run, listedFrom(this.state.watermark), now);
		if (change) this.changes.push(change);
	}

	/** Looks after the runs that were active and are not among the recent ones. */
	private async follow(): Promise<void> {
		let open = this.unseen();
		if (open.length > 1 && !this.budget.spent(SHARE_OF_LISTS)) {
			const read = await readPages<Run>({
				source: this.source,
				budget: { spent: () => this.budget.spent(SHARE_OF_LISTS) },
				readPage: async (cursor) => await this.source.runs({ statuses: ACTIVE_STATUSES }, cursor),
				keyOf,
				take: (records, startedAt) => this.take(records, startedAt),
			});
			if (read.kind !== 'complete') this.notes.push('Not all active runs could be listed.');
			open = this.unseen();
		}
		// A run that the list did not show has ended, or the list was cut short: only the run itself tells.
		await this.lookUp(open);
	}

	private unseen(): string[] {
		return this.runs.active().filter((id) => !this.shown.has(id));
	}

	/** Asks for single runs, those first that have waited longest, as far as the time lets it. */
	private async lookUp(ids: string[]): Promise<void> {
		const before = this.changes.length;
		const failures: unknown[] = [];
		let answered = 0;
		await inParallel(ids.length, LOOKUPS_AT_ONCE, async (index) => {
			const id = ids[index];
			if (this.budget.spent()) return;
			const found = await settled(this.source.run(id));
			if (!found.ok) {
				if (!this.budget.spent()) failures.push(found.error);
				return;
			}
			answered += 1;
			this.noteSingle(id, found.value);
		});
		if (failures.length === 0) return;
		// One run that cannot be read must not hide the others; nothing but failures is an error.
		if (answered === 0 && before === 0 && this.changes.length === 0) throw failures[0];
		this.notes.push(`${failures.length} followed runs could not be read; they are tried again.`);
	}

	private noteSingle(id: string, run: Run | undefined): void {
		if (!run) {
			this.notes.push(`Run ${id} is not there any more; it is no longer followed.`);
			this.runs.drop(id, listedFrom(this.state.watermark));
			return;
		}
		if (!isUsable(run) || run.id !== id) return;
		const now = this.source.now();
		this.runs.moveToEnd(id);
		this.observe(run, now);
		if (isForgotten(run, now)) {
			this.notes.push(`Run ${id} has been ${run.status} for too long; it is no longer followed.`);
			this.runs.drop(id, listedFrom(this.state.watermark));
		}
	}

	private result(watermark: MicroTime, resume?: RunState['resume']): RunPollResult {
		const { scope } = this.state;
		const state = newRunState(scope, watermark, this.runs.entries(listedFrom(watermark)));
		if (resume) state.resume = resume;
		return { state, changes: this.changes, notes: this.notes };
	}
}

function keyOf(run: Run): string {
	return String(run?.id);
}

function isForgotten(run: Run, now: MicroTime): boolean {
	if (isTerminal(run.status) || ACTIVE_STATUSES.some((status) => status === run.status))
		return false;
	const timeout = Number(run.payload?.timeoutSeconds ?? 0) * SECOND || 0;
	const began = parseServiceTime(run.startTime ?? run.createTime);
	return began !== undefined && now - began > timeout + AGE_OUT;
}

/** The creation time of the newest run; a time in the future counts as now. */
function newestOf(runs: Run[], now: MicroTime): MicroTime | undefined {
	let newest: MicroTime | undefined;
	let newestText = '';
	for (const run of runs) {
		if (isNoLater(run?.createTime, newestText)) continue;
		const time = createdAt(run);
		if (time === undefined || (newest !== undefined && time <= newest)) continue;
		newest = time;
		newestText = String(run.createTime);
	}
	return newest && Math.min(newest, now);
}

/** Times of one notation are in the order of their texts; a list has them by the hundred. */
function isNoLater(text: unknown, newest: string): boolean {
	return (
		typeof text === 'string' &&
		text.length === newest.length &&
		text.endsWith('Z') &&
		newest.endsWith('Z') &&
		text <= newest
	);
}
